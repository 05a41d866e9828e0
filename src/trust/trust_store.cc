#include "trust/trust_store.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <cstdlib>

#include <sys/stat.h>

#include "grapnel/json.h"

#include "base/error.h"
#include "os/files.h"

namespace grapnel {

namespace {

constexpr size_t kMaxStore = size_t{4} << 20;
constexpr std::chrono::milliseconds kLockTimeout{2000};

Result<void> check_file(const std::string& path) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) return fail_errno(path);
  if (!S_ISREG(info.st_mode)) return fail(Errc::Refused, path + ": the trust store must be a regular file");
  if (info.st_uid != ::geteuid()) return fail(Errc::Refused, path + ": the trust store belongs to another user");
  if ((info.st_mode & 077) != 0) {
    return fail(Errc::Refused, path + ": the trust store is open to others; run `chmod 600` on it after checking it");
  }
  return {};
}

}  // namespace

Result<TrustStore::Projects> TrustStore::load() const {
  if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT) {
    struct stat info{};
    if (::lstat(path_.c_str(), &info) != 0) return Projects{};
  }
  if (auto safe = check_file(path_); !safe) return std::unexpected(safe.error());
  auto content = os::read_file(path_, kMaxStore);
  if (!content) return std::unexpected(content.error());
  auto json = Json::parse(std::move(*content));
  if (!json) return fail(Errc::BadInput, path_ + ": the trust store cannot be read: " + json.error().to_string());
  if (!(*json)["projects"].is_object()) return fail(Errc::BadInput, path_ + ": the trust store cannot be read");
  Projects projects;
  for (const JsonMember& project : (*json)["projects"].members()) {
    std::set<std::string>& digests = projects[project.key];
    for (const Json& digest : project.value.elements()) {
      if (const auto text = digest.as_string(); text && !text->empty()) digests.insert(*text);
    }
  }
  return projects;
}

Result<std::set<std::string>> TrustStore::trusted(const std::string& project_dir) const {
  auto projects = load();
  if (!projects) return std::unexpected(projects.error());
  return (*projects)[canonical_directory(project_dir)];
}

Result<void> TrustStore::set_trusted(const std::string& project_dir, const std::set<std::string>& digests) const {
  if (auto made = os::make_parent_dirs(path_, 0700); !made) return made;
  auto lock = os::lock_file(path_ + ".lock", kLockTimeout);
  if (!lock) return std::unexpected(lock.error());
  auto projects = load();
  if (!projects) return std::unexpected(projects.error());
  if (digests.empty()) {
    projects->erase(canonical_directory(project_dir));
  } else {
    (*projects)[canonical_directory(project_dir)] = digests;
  }
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [project, trusted] : *projects) {
    std::vector<Json> list;
    for (const std::string& digest : trusted) list.push_back(Json::string(digest));
    members.emplace_back(project, Json::array(list));
  }
  const Json store = Json::object({{"version", Json::number(int64_t{1})}, {"projects", Json::object(members)}});
  return os::write_file_atomic(path_, store.dump(JsonStyle::Pretty) + "\n", 0600, os::Durability::Synced);
}

std::string canonical_directory(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  return ::realpath(path.c_str(), buffer.data()) != nullptr ? std::string(buffer.data()) : path;
}

}  // namespace grapnel
