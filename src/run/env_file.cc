#include "run/env_file.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "os/resolve.h"

namespace grapnel {

namespace {

/// Variables that the reading shell sets by itself. They say nothing about the file of the hook.
constexpr auto kOfTheShell = std::to_array<std::string_view>({"_", "OLDPWD", "PWD", "SHLVL"});

/// `set -a` exports plain assignments too. Whatever the lines print goes to standard error, since standard output
/// belongs to `env`, and `-0` keeps line breaks inside values apart from the ends of entries.
constexpr std::string_view kScript = R"(set -a; . "$1" >&2; env -0)";

}  // namespace

EnvFile::EnvFile(std::string_view variable, const std::string& directory, ChildSpec& child)
    : file_(std::make_unique<os::TemporaryFile>(directory + "/grapnel-env")) {
  if (file_->is_open()) {
    child.env.set(variable, file_->path());
  } else {
    // An inherited value would name the file of somebody else.
    child.env.remove(variable);
  }
  child_ = child;
  child_.stdin_bytes = nullptr;
}

std::optional<ChildSpec> EnvFile::reader() const {
  const auto stamp = os::stamp(file_->path());
  if (!file_->is_open() || !stamp || stamp->size == 0) return std::nullopt;
  ChildSpec reader = child_;
  // Bash first, because `export -p` of bash prints `declare -x` lines, which other shells do not understand.
  reader.path = os::find_executable("bash", child_.env.get("PATH"), child_.cwd).value_or("/bin/sh");
  reader.argv = {reader.path, "-c", std::string(kScript), reader.path, file_->path()};
  return reader;
}

void EnvFile::take(const RunOutcome& read, RunOutcome& hook) const {
  const Exited* exited = std::get_if<Exited>(&read.ending);
  // A list of variables that is cut off must not be used at all: the last value may be incomplete.
  if (exited == nullptr || exited->code != 0 || read.out.dropped > 0) {
    hook.env_problem = describe(read.ending) + ": " + text::cap(text::trim(text::to_valid_utf8(read.err.bytes)), 200);
    return;
  }
  const Environment& before = child_.env;
  for (const std::string_view entry : text::split(read.out.bytes, '\0')) {
    const std::string_view name = name_of_entry(entry);
    if (entry.empty() || std::ranges::find(kOfTheShell, name) != kOfTheShell.end()) continue;
    const bool is_new = !before.has(name) || before.get(name) != value_of_entry(entry);
    if (is_new) hook.env.emplace_back(name, text::to_valid_utf8(value_of_entry(entry)));
  }
  std::ranges::sort(hook.env);
}

std::string write_env_lines(const std::vector<std::pair<std::string, std::string>>& env) {
  std::string lines;
  for (const auto& [name, value] : env) {
    lines += "export " + name + "='";
    // Inside single quotes everything is literal, except the single quote itself.
    for (const char c : value) lines += c == '\'' ? std::string("'\\''") : std::string(1, c);
    lines += "'\n";
  }
  return lines;
}

}  // namespace grapnel
