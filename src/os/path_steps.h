#pragma once

#include <string>

/// Going along a path as the kernel does, for those who watch every step of it.
namespace grapnel::os {

/// How many links there may be on the way, as the kernel has it.
inline constexpr int kMaxLinks = 40;

/// Whether nothing changes on the file system at a path but through this kernel, so that it can tell of it.
bool is_local(const std::string& path);

/// Takes the first name off a path; "" when none is left.
std::string take_name(std::string& path);

/// Goes on where a link leads: what it says comes before the rest of the path, from the root where it begins there.
void follow_link(const std::string& link, std::string& at, std::string& path);

/// The path of a name in a directory; `.` and `..` are understood.
std::string step_from(const std::string& directory, const std::string& name);

}  // namespace grapnel::os
