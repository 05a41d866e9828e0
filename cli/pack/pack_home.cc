#include "cli/pack/pack_home.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/console.h"
#include "discover/find/places.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kAgents = ".agents";

/// Neither the directory of the packs nor that of one pack may be a link: a cloned project could lead us elsewhere.
Result<void> check_no_link(const PackHome& home, const std::string& name) {
  for (const std::string& path : {home.directory, home.directory + "/packs", home.path_of(name)}) {
    std::error_code error;
    if (home.scope == Scope::Project && fs::is_symlink(fs::symlink_status(path, error)))
      return fail(Errc::Refused, short_path(path) + " is a link, which may lead anywhere");
  }
  return {};
}

/// Compares one pack of the lock file with what is there.
void check_locked(const PackHome& home, const std::string& name, const LockedPack& locked,
                  std::vector<ConfigProblem>& out) {
  const std::string path = home.path_of(name);
  const auto pack = read_pack_of(home, name);
  const std::string again = "`grapnel update " + name + (home.scope == Scope::User ? " --scope user" : "") + "`";
  const auto report = [&](const std::string& what, const std::string& fix) {
    out.push_back({ConfigProblem::Severity::Error, "the pack '" + name + "' " + what, {path, 0, 0}, again + fix});
  };
  if (!pack && pack.error().code == Errc::NotFound) return report("is missing", " fetches it again");
  if (!pack) return report("is not what was added: " + pack.error().message, " fetches it again");
  if (digest_of(*pack) != locked.digest)
    report("is not what was added: its files or packs.lock were changed", " shows the difference and puts it back");
}

}  // namespace

PackSource PackHome::relative(PackSource source) const {
  if (!source.text.starts_with('/') || scope == Scope::User) return source;
  const std::string near = fs::path(source.text).lexically_relative(canonical_directory(base)).generic_string();
  if (!near.starts_with("../..")) source.text = near;
  return source;
}

PackHome pack_home(const std::string& project, const Environment& env, Scope scope) {
  if (scope == Scope::User) return {config_dir(env) + "/agents", "/", scope};
  return {project + "/" + std::string(kAgents), project, scope};
}

Result<Pack> read_pack_of(const PackHome& home, const std::string& name) {
  if (auto ok = check_no_link(home, name); !ok) return std::unexpected(ok.error());
  return read_pack(home.path_of(name));
}

Result<void> put_pack(const PackHome& home, const std::string& name, const LockedPack& locked, const Pack& pack) {
  if (auto ok = check_no_link(home, name); !ok) return ok;
  if (auto ok = write_pack(pack, home.path_of(name)); !ok) return ok;
  return note_pack(home, name, locked);
}

Result<void> note_pack(const PackHome& home, const std::string& name, const LockedPack& locked) {
  auto lock = load_lock(home.lock_path());
  if (!lock) return std::unexpected(lock.error());
  if (lock->contains(name) && (*lock)[name] == locked) return {};
  (*lock)[name] = locked;
  return save_lock(home.lock_path(), *lock);
}

Result<void> remove_pack(const PackHome& home, const std::string& name) {
  if (auto ok = check_no_link(home, name); !ok) return ok;
  auto lock = load_lock(home.lock_path());
  if (!lock) return std::unexpected(lock.error());
  std::error_code error;
  fs::remove_all(home.path_of(name), error);
  if (error) return fail(Errc::System, "cannot remove " + home.path_of(name) + ": " + error.message());
  lock->erase(name);
  if (!lock->empty()) return save_lock(home.lock_path(), *lock);
  // The last one leaves nothing behind.
  fs::remove(home.lock_path(), error);
  fs::remove(home.directory + "/packs", error);
  return {};
}

std::vector<ConfigProblem> pack_problems(const PackHome& home) {
  std::vector<ConfigProblem> out;
  const auto lock = load_lock(home.lock_path());
  if (!lock) {
    const SourcePos at = lock.error().at.value_or(SourcePos{home.lock_path(), 0, 0});
    return {{ConfigProblem::Severity::Error, lock.error().message, at, "restore the file, or add the packs again"}};
  }
  for (const auto& [name, locked] : *lock) check_locked(home, name, locked, out);
  std::error_code error;
  for (fs::directory_iterator entry(home.directory + "/packs", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.starts_with('.') || lock->contains(name)) continue;
    out.push_back({ConfigProblem::Severity::Warning,
                   "the pack '" + printable(name) + "' is not in packs.lock, so nobody knows where it came from",
                   {entry->path().string(), 0, 0},
                   "remove the directory, and add the pack with `grapnel add`"});
  }
  return out;
}

}  // namespace grapnel::cli
