#include "trust/trust_store.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <iterator>

#include "grapnel/json.h"

#include "base/error.h"
#include "os/files.h"
#include "trust/private_file.h"

namespace grapnel {

namespace {

constexpr size_t kMaxStore = size_t{4} << 20;
constexpr std::chrono::milliseconds kLockTimeout{10000};

}  // namespace

/// A store that does not exist is empty. One that cannot be read must be an error, so that it is not overwritten.
Result<TrustedProjects> TrustStore::all() const {
  auto content = read_private_file(path_, kMaxStore);
  if (!content) return std::unexpected(content.error());
  if (!*content) return TrustedProjects{};
  auto json = Json::parse(std::move(**content));
  if (!json) return fail(Errc::BadInput, path_ + ": the trust store cannot be read: " + json.error().to_string());
  if (!(*json)["projects"].is_object()) return fail(Errc::BadInput, path_ + ": the trust store cannot be read");
  TrustedProjects projects;
  for (const JsonMember& project : (*json)["projects"].members()) {
    std::set<std::string>& digests = projects[project.key];
    for (const Json& digest : project.value.elements()) {
      // An empty digest stands for a hook that cannot be pinned. It must never count as trusted.
      if (const auto text = digest.as_string(); text && !text->empty()) digests.insert(*text);
    }
  }
  return projects;
}

Result<std::set<std::string>> TrustStore::trusted(const std::string& project_dir) const {
  auto projects = all();
  if (!projects) return std::unexpected(projects.error());
  return (*projects)[canonical_directory(project_dir)];
}

/// Two commands may change the store at the same time. Each must see the other's change.
Result<void> TrustStore::change(const std::function<void(TrustedProjects&)>& edit) const {
  if (auto made = os::make_parent_dirs(path_, 0700); !made) return made;
  if (auto safe = check_private_directory(path_); !safe) return safe;
  auto lock = os::lock_file(path_ + ".lock", kLockTimeout);
  if (!lock) return std::unexpected(lock.error());
  auto projects = all();
  if (!projects) return std::unexpected(projects.error());
  edit(*projects);
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [project, trusted] : *projects) {
    std::vector<Json> list;
    for (const std::string& digest : trusted) list.push_back(Json::string(digest));
    members.emplace_back(project, Json::array(list));
  }
  const Json store = Json::object({{"version", Json::number(int64_t{1})}, {"projects", Json::object(members)}});
  return write_private_file(path_, store.dump(JsonStyle::Pretty) + "\n");
}

Result<void> TrustStore::set_trusted(const std::string& project_dir, const std::set<std::string>& digests) const {
  return change([&](TrustedProjects& projects) {
    // A project without trusted hooks leaves no entry behind.
    if (digests.empty()) {
      projects.erase(canonical_directory(project_dir));
    } else {
      projects[canonical_directory(project_dir)] = digests;
    }
  });
}

Result<TrustedProjects> TrustStore::forget(const std::string& directory, bool with_below) const {
  const std::string name = canonical_directory(directory);
  const auto is_meant = [&](const auto& project) {
    return project.first == name || (with_below && project.first.starts_with(name + "/"));
  };
  auto projects = all();
  if (!projects) return projects;
  TrustedProjects removed;
  std::ranges::copy_if(*projects, std::inserter(removed, removed.end()), is_meant);
  // If nothing was trusted, the store stays untouched.
  if (removed.empty()) return removed;
  auto changed = change([&](TrustedProjects& current) { std::erase_if(current, is_meant); });
  if (!changed) return std::unexpected(changed.error());
  return removed;
}

/// Projects are compared by this name, so that a project reached through a link has the same trust.
std::string canonical_directory(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  return ::realpath(path.c_str(), buffer.data()) != nullptr ? std::string(buffer.data()) : path;
}

}  // namespace grapnel
