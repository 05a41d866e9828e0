#include "os/spawn_words.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace grapnel::os {
namespace {

/// Whether the program itself exists. If so, ENOENT means that the interpreter in its first line does not.
bool is_present(const SpawnSpec& spec) {
  std::string path = spec.path;
  if (!path.starts_with('/') && spec.cwd[0] != '\0') path = std::string(spec.cwd) + '/' + path;
  return ::access(path.c_str(), F_OK) == 0;
}

std::string explain_execute(const SpawnSpec& spec, int error) {
  switch (error) {
    case ENOENT:
      return is_present(spec) ? "its interpreter does not exist" : "no such file";
    case EACCES:
      return "permission denied (is it an executable file?)";
    case ENOEXEC:
      return "not in an executable format (does it lack a #! line?)";
    case E2BIG:
      return "arguments and environment are too large";
    default:
      return std::strerror(error);
  }
}

}  // namespace

Result<std::vector<char*>> pointers_to(std::span<const std::string> strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& s : strings) {
    if (s.find('\0') != std::string::npos) return fail(Errc::BadInput, "an argument contains a NUL byte");
    pointers.push_back(const_cast<char*>(s.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::string_view to_string(Means means) {
  switch (means) {
    case Means::Group:
      return "group";
    case Means::Mark:
      return "mark";
    case Means::SealedMark:
      return "sealed mark";
    case Means::Scope:
      return "scope";
  }
  return "";
}

std::unexpected<Error> cannot_run(const SpawnSpec& spec, int error) {
  return std::unexpected(Error{
      Errc::System, std::string("cannot run ") + spec.path + ": " + explain_execute(spec, error), std::nullopt, error});
}

}  // namespace grapnel::os
