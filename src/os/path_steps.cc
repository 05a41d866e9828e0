#include "os/path_steps.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

namespace grapnel::os {

std::string take_name(std::string& path) {
  path.erase(0, path.find_first_not_of('/'));
  const std::string name = path.substr(0, path.find('/'));
  path.erase(0, name.size());
  return name;
}

/// If the link is gone meanwhile, its target is "", and the watch of its directory will report that.
void follow_link(const std::string& link, std::string& at, std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t size = ::readlink(link.c_str(), buffer.data(), buffer.size());
  const std::string_view target(buffer.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  if (target.starts_with('/')) at = "/";
  path.insert(0, target);
}

/// `..` of the root is the root.
std::string step_from(const std::string& directory, const std::string& name) {
  if (name == ".") return directory;
  if (name == "..") return directory.substr(0, std::max<size_t>(directory.rfind('/'), 1));
  return (directory == "/" ? "" : directory) + "/" + name;
}

}  // namespace grapnel::os
