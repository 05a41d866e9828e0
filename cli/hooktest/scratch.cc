#include "cli/hooktest/scratch.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "os/files.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

/// A larger project is not copied. The fixture then has to name the parts that its hooks need (`copy`).
constexpr uintmax_t kMaxBytes = uintmax_t{64} << 20;
constexpr size_t kMaxFiles = 20000;
/// Directories that are never copied, because they are usually large.
constexpr auto kLeftOut = std::to_array<std::string_view>({".git", "node_modules"});
/// The only variables that a test inherits. Everything else could make it behave differently on another machine.
constexpr auto kKept =
    std::to_array<std::string_view>({"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "USER", "LOGNAME", "SHELL"});

/// Copies files and directories, and stops when there are too many.
class Copier {
 public:
  Copier(fs::path from, fs::path to) : from_(std::move(from)), to_(std::move(to)) {}

  /// Copies a file, a link or a directory with all its files. `relative` is its path below the project. Fails: as
  /// `Scratch::copy_project`.
  Result<void> copy(const fs::path& relative) {
    std::error_code error;
    const fs::path source = from_ / relative;
    const auto status = fs::symlink_status(source, error);
    if (!fs::exists(status)) return fail(Errc::BadInput, "there is no " + source.string());
    fs::create_directories((to_ / relative).parent_path(), error);
    if (fs::is_directory(status)) return copy_directory(relative);
    if (++files_ > kMaxFiles) return too_much();
    // A link may point anywhere, so it is copied as a link. Sockets, pipes and devices are left out.
    if (fs::is_symlink(status)) {
      fs::copy_symlink(source, to_ / relative, error);
    } else if (fs::is_regular_file(status)) {
      bytes_ += fs::file_size(source, error);
      if (bytes_ > kMaxBytes) return too_much();
      fs::copy_file(source, to_ / relative, fs::copy_options::skip_existing, error);
    }
    if (error) return fail(Errc::System, "cannot copy " + source.string() + ": " + error.message());
    return {};
  }

 private:
  Result<void> copy_directory(const fs::path& relative) {
    std::error_code error;
    fs::create_directories(to_ / relative, error);
    for (fs::directory_iterator walk(from_ / relative, error); !error && walk != fs::directory_iterator();
         walk.increment(error)) {
      const fs::path name = walk->path().filename();
      if (std::ranges::find(kLeftOut, name.string()) != kLeftOut.end()) continue;
      if (auto done = copy(relative / name); !done) return done;
    }
    if (error) return fail(Errc::System, "cannot read " + (from_ / relative).string() + ": " + error.message());
    return {};
  }

  std::unexpected<Error> too_much() const {
    return fail(Errc::LimitExceeded,
                from_.string() + " is too large to be copied; name what its hooks need with 'copy:'");
  }

  fs::path from_, to_;
  uintmax_t bytes_ = 0;
  size_t files_ = 0;
};

}  // namespace

Scratch::Scratch(const Environment& env) {
  std::error_code error;
  const std::string_view named = env.get("TMPDIR");
  // Links are resolved, because hooks may report their paths that way and `take_out` has to recognise them.
  const fs::path base = fs::canonical(named.empty() ? "/tmp" : named, error);
  std::string pattern = (base / "grapnel-test-XXXXXX").string();
  if (error || ::mkdtemp(pattern.data()) == nullptr) return;
  root_ = pattern;
  for (const std::string& directory : {project(), home(), managed_root(), root_ + "/run", root_ + "/tmp"}) {
    fs::create_directories(directory, error);
  }
  // A runtime directory must be accessible to its owner only.
  fs::permissions(root_ + "/run", fs::perms::owner_all, error);
}

// A test may have removed permissions from a directory, which then could not be deleted.
Scratch::~Scratch() {
  if (root_.empty()) return;
  std::error_code error;
  for (fs::recursive_directory_iterator walk(root_, error); !error && walk != fs::recursive_directory_iterator();
       walk.increment(error)) {
    std::error_code ignored;
    if (walk->is_directory(ignored) && !walk->is_symlink(ignored)) {
      fs::permissions(walk->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
    }
  }
  fs::remove_all(root_, error);
}

Environment Scratch::environment(const Environment& env) const {
  Environment out;
  for (const std::string_view name : kKept) {
    if (env.has(name)) out.set(name, env.get(name));
  }
  out.set("HOME", home());
  out.set("XDG_CONFIG_HOME", home() + "/.config");
  out.set("XDG_STATE_HOME", home() + "/.local/state");
  out.set("XDG_DATA_HOME", home() + "/.local/share");
  out.set("XDG_CACHE_HOME", home() + "/.cache");
  out.set("XDG_RUNTIME_DIR", root_ + "/run");
  out.set("TMPDIR", root_ + "/tmp");
  return out;
}

Result<void> Scratch::copy_project(const std::string& from, const std::vector<std::string>& only) const {
  Copier copier(from, project());
  if (only.empty()) return copier.copy("");
  for (const std::string& path : only) {
    const fs::path relative = fs::path(path).lexically_normal();
    // A path that leaves the project would bring files into the test that do not belong to it.
    if (relative.is_absolute() || *relative.begin() == "..") {
      return fail(Errc::BadInput, "'" + path + "' is not inside the project");
    }
    if (auto done = copier.copy(relative); !done) return done;
  }
  return {};
}

Result<void> Scratch::put(const std::string& path, const ScratchFile& file) const {
  const std::string target = path.starts_with("~/") ? home() + path.substr(1) : project() + "/" + path;
  if (auto made = os::make_parent_dirs(target, 0755); !made) return made;
  std::error_code error;
  // A file of the test replaces one that was copied from the project, also if that is a link.
  fs::remove(target, error);
  if (file.symlink.empty()) return os::write_file_atomic(target, fill_in(file.content), file.mode);
  if (::symlink(fill_in(file.symlink).c_str(), target.c_str()) != 0) return fail_errno("cannot link " + target);
  return {};
}

std::string Scratch::fill_in(std::string text) const {
  text::replace_all(text, "{project}", project());
  text::replace_all(text, "{home}", home());
  return text;
}

std::string Scratch::take_out(std::string text) const {
  text::replace_all(text, project(), "{project}");
  text::replace_all(text, home(), "{home}");
  return text;
}

}  // namespace grapnel::cli
