#include "discover/formats/hook_script.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "base/unique_fd.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

/// In order of precedence.
constexpr auto kNames = std::to_array<std::string_view>({"run", "run.sh", "run.py"});
constexpr size_t kMaxFirstLine = 256;

/// The start of a file up to the first line break, at most 256 bytes, which is enough for a `#!` line. Opening does not
/// block, even if the file is a pipe.
std::string first_line(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, kMaxFirstLine> bytes{};
  const ssize_t got = file ? ::read(file.get(), bytes.data(), bytes.size()) : 0;
  const std::string head(bytes.data(), static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return head.substr(0, head.find('\n'));
}

/// The program of a `#!` line and at most one argument, split as the kernel does; empty without such a line.
std::vector<std::string> interpreter_of(const std::string& line) {
  if (!line.starts_with("#!")) return {};
  const std::string_view rest = text::trim(std::string_view(line).substr(2));
  const size_t blank = rest.find_first_of(" \t");
  std::vector<std::string> words = {std::string(rest.substr(0, blank))};
  if (blank != std::string_view::npos) words.emplace_back(text::trim(rest.substr(blank)));
  return words.front().empty() ? std::vector<std::string>{} : words;
}

/// Starts a script with its interpreter. Scripts often lose their executable bit, in archives or on other file systems.
HookScript through(std::vector<std::string> interpreter, const std::string& script) {
  HookScript entry{script, interpreter.front(), {}, true};
  entry.arguments.assign(interpreter.begin() + 1, interpreter.end());
  entry.arguments.push_back(script);
  return entry;
}

/// How to start a script. `run` has no suffix that would tell its language, so it must be executable. The others are
/// started directly if the kernel can do it, and otherwise with the interpreter of their `#!` line or suffix.
HookScript start_of(const std::string& script, std::string_view name) {
  const bool is_executable = ::access(script.c_str(), X_OK) == 0;
  const HookScript direct{script, script, {}, is_executable};
  if (name == "run") return direct;
  std::vector<std::string> interpreter = interpreter_of(first_line(script));
  if (is_executable && !interpreter.empty()) return direct;
  if (name == "run.py") return through({"python3"}, script);
  return through(interpreter.empty() ? std::vector<std::string>{"/bin/sh"} : std::move(interpreter), script);
}

}  // namespace

std::optional<HookScript> find_hook_script(const std::string& directory) {
  for (const std::string_view name : kNames) {
    const std::string script = directory + "/scripts/" + std::string(name);
    std::error_code error;
    if (fs::is_regular_file(script, error)) return start_of(script, name);
  }
  return std::nullopt;
}

std::vector<std::string> files_of_scripts(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(directory + "/scripts", error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code unreadable;
    if (entry->is_regular_file(unreadable)) files.push_back(entry->path().string());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace grapnel
