#include "agent/workspace.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>

#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

constexpr int kMaxLinks = 40;  // the kernel's own limit

/// The path components that are still to be walked. It is a stack: the next component is at the end.
class Steps {
 public:
  /// Puts the components of a path before the remaining ones.
  void add(std::string_view path) {
    const auto parts = text::split(path, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      if (!part->empty() && *part != ".") rest_.emplace_back(*part);
    }
  }
  bool is_empty() const { return rest_.empty(); }
  std::string take() {
    std::string next = std::move(rest_.back());
    rest_.pop_back();
    return next;
  }

 private:
  std::vector<std::string> rest_;
};

/// The target of a link, as it is written in the link.
Result<std::string> read_link(const std::string& path) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  if (length < 0) return fail_errno("cannot read the link " + path);
  target.resize(static_cast<size_t>(length));
  return target;
}

/// Follows an absolute path component by component, as the kernel does, and returns where it really leads. Components
/// that do not exist keep their names (also at the end of a dangling link), so a file that is about to be created is
/// judged by the directory in which it would appear. `std::filesystem::weakly_canonical` does not follow dangling
/// links.
Result<std::string> real_path(std::string_view path) {
  Steps steps;
  steps.add(path);
  std::string real;  // without a slash at its end; "" is the root
  for (int links = 0; !steps.is_empty();) {
    const std::string step = steps.take();
    if (step == "..") {
      // `real` contains no links, so removing its last component leads to the real parent.
      real.resize(real.empty() ? 0 : real.rfind('/'));
      continue;
    }
    const std::string next = real + '/' + step;
    struct stat st;
    const bool exists = ::lstat(next.c_str(), &st) == 0;
    // A component that cannot be inspected might be a link to anywhere, so this is an error.
    if (!exists && errno != ENOENT) return fail_errno("cannot inspect " + next);
    if (!exists || !S_ISLNK(st.st_mode)) {
      real = next;
      continue;
    }
    if (++links > kMaxLinks) return fail_errno("cannot follow " + next, ELOOP);
    const auto target = read_link(next);
    if (!target) return target;
    // A relative target continues from the directory that contains the link; that is still in `real`.
    if (target->starts_with('/')) real.clear();
    steps.add(*target);
  }
  return real.empty() ? "/" : real;
}

/// The character after the directory must be a slash: `/work2` is not inside `/work`.
bool is_inside(std::string_view path, std::string_view dir) {
  if (dir == "/") return true;
  return path.starts_with(dir) && (path.size() == dir.size() || path[dir.size()] == '/');
}

/// The real path of a configured directory; if it cannot be followed, its absolute path.
std::string real_dir(const std::string& dir) {
  std::error_code failed;
  const std::string absolute = std::filesystem::absolute(dir.empty() ? "." : dir, failed).string();
  return real_path(absolute).value_or(absolute);
}

}  // namespace

Workspace::Workspace(std::string root, std::vector<std::string> also_allowed) : root_(real_dir(root)) {
  allowed_.push_back(root_);
  for (const std::string& dir : also_allowed) allowed_.push_back(real_dir(dir));
}

Result<std::string> Workspace::resolve(std::string_view path) const {
  if (path.find('\0') != std::string_view::npos) return fail(Errc::BadInput, "a path cannot contain a NUL byte");
  auto real = real_path(path.starts_with('/') ? std::string(path) : root_ + '/' + std::string(path));
  if (!real) return real;
  if (std::ranges::any_of(allowed_, [&](const std::string& dir) { return is_inside(*real, dir); })) return real;
  return fail(Errc::Refused, std::string(path) + " is outside the workspace " + root_);
}

std::string Workspace::shown(std::string_view absolute) const {
  if (absolute == root_) return ".";
  if (!is_inside(absolute, root_)) return std::string(absolute);
  return std::string(absolute.substr(root_ == "/" ? 1 : root_.size() + 1));
}

}  // namespace grapnel::agent
