#include "trust/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

#include "base/text.h"
#include "base/unique_fd.h"
#include "call/hook_command.h"
#include "os/resolve.h"

namespace grapnel {

namespace {

/// `NAME=value` in front of a command.
bool sets_variable(std::string_view word) {
  const size_t equals = word.find('=');
  return equals != std::string_view::npos && word.substr(0, equals).find('/') == std::string_view::npos;
}

/// Up to 256 bytes, which is enough for a `#!` line.
std::string first_line(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 256> buffer{};
  const ssize_t got = file ? ::read(file.get(), buffer.data(), buffer.size()) : -1;
  if (got <= 0) return "";
  const std::string_view text(buffer.data(), static_cast<size_t>(got));
  return std::string(text::trim(text.substr(0, text.find('\n'))));
}

/// The interpreter behind `#!`. `env` and its options are skipped: `#!/usr/bin/env -S python3 -u` leads to python3.
std::string interpreter_of(const std::string& path, std::string_view path_env, const std::string& directory) {
  const std::string line = first_line(path);
  if (!line.starts_with("#!")) return "";
  const std::string_view rest = text::trim(std::string_view(line).substr(2));
  for (const std::string_view word : text::split(rest, ' ')) {
    const bool is_env = word == "env" || word.ends_with("/env");
    if (word.empty() || word.starts_with('-') || is_env || sets_variable(word)) continue;
    return os::find_executable(word, path_env, directory).value_or(std::string(word) + " (not found)");
  }
  return "";
}

}  // namespace

Program program_of(std::string_view command, std::string_view path_env, const std::string& directory) {
  for (const call::CommandWord& word : call::words_of_command(command)) {
    // Redirections and assignments may stand in front of the program.
    if (word.is_written || sets_variable(word.text)) continue;
    const auto path = os::find_executable(word.text, path_env, directory);
    if (!path) return {};
    return {*path, interpreter_of(*path, path_env, directory)};
  }
  return {};
}

}  // namespace grapnel
