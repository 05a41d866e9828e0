#include "cli/pack/pack_lock.h"

#include "grapnel/json.h"

#include "base/error.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxLock = size_t{1} << 20;
constexpr int64_t kLockVersion = 1;

Json text_or_nothing(const std::string& text) {
  return text.empty() ? Json() : Json::string(text);
}

std::string text_in(const Json& object, std::string_view key) {
  return object[key].as_string().value_or("");
}

}  // namespace

Result<PackLock> load_lock(const std::string& path) {
  const auto text = os::read_file(path, kMaxLock);
  if (!text && text.error().code == Errc::NotFound) return PackLock{};
  if (!text) return std::unexpected(text.error());
  const auto root = Json::parse(*text);
  if (!root) {
    SourcePos at = root.error().at.value_or(SourcePos{});
    at.file = path;
    return fail(Errc::BadConfig, root.error().message, at);
  }
  if ((*root)["version"].as_integer().value_or(0) != kLockVersion || !(*root)["packs"].is_object()) {
    return fail(Errc::BadConfig, "this is not a lock file of this version of grapnel", SourcePos{path, 1, 1});
  }
  PackLock lock;
  for (const JsonMember& pack : (*root)["packs"].members()) {
    // The name becomes a part of a path.
    if (auto ok = check_pack_name(pack.key); !ok)
      return fail(Errc::BadConfig, ok.error().message, SourcePos{path, 1, 1});
    const std::string git = text_in(pack.value, "git");
    const bool is_git = !git.empty();
    lock[pack.key] = {{is_git ? git : text_in(pack.value, "directory"), text_in(pack.value, "at"), is_git},
                      text_in(pack.value, "revision"),
                      text_in(pack.value, "digest")};
  }
  return lock;
}

Result<void> save_lock(const std::string& path, const PackLock& lock) {
  std::vector<std::pair<std::string, Json>> packs;
  for (const auto& [name, pack] : lock) {
    packs.emplace_back(name, Json::object({{pack.source.is_git ? "git" : "directory", Json::string(pack.source.text)},
                                           {"at", text_or_nothing(pack.source.at)},
                                           {"revision", text_or_nothing(pack.revision)},
                                           {"digest", Json::string(pack.digest)}}));
  }
  const Json root = Json::object({{"version", Json::number(kLockVersion)}, {"packs", Json::object(packs)}});
  if (auto made = os::make_parent_dirs(path, 0755); !made) return made;
  return os::write_file_atomic(path, root.dump(JsonStyle::Pretty) + "\n", 0644);
}

}  // namespace grapnel::cli
