#pragma once

#include <string>

/// Following a path one name at a time as the kernel does, for code that must watch every directory on the way.
namespace grapnel::os {

/// The most links on the way, as in the kernel.
inline constexpr int kMaxLinks = 40;

/// Whether the path is on a local file system. There, all changes go through this kernel, so it can report them; a
/// network file system can change from another machine.
bool is_local(const std::string& path);

/// Removes the first name from a path and returns it; "" if none is left.
std::string take_name(std::string& path);

/// Follows a link: its target is put before the rest of the path. If the target is absolute, `at` becomes the root.
void follow_link(const std::string& link, std::string& at, std::string& path);

/// The path of a name in a directory. Understands `.` and `..`.
std::string step_from(const std::string& directory, const std::string& name);

}  // namespace grapnel::os
