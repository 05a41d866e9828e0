#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "base/shell_word.h"
#include "base/text.h"
#include "call/commands.h"
#include "cli/console.h"
#include "cli/doctor/doctor.h"
#include "dialect/dialect.h"
#include "discover/problems.h"
#include "os/files.h"
#include "os/resolve.h"
#include "shell/shell_words.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

// How the checks work: the first program of a command is found without running it (`start_of`), with the variables for
// the project and the home directory filled in. If only a shell could know the program, nothing is checked, so that
// there are no false alarms. Otherwise the program, its script and the script's first line are examined.

/// The name of the check that all findings of this file belong to.
constexpr std::string_view kCheck = "programs";
/// Programs whose first argument is usually a script. A program that is missing here is checked itself, but its script
/// is not.
constexpr auto kInterpreters = std::to_array<std::string_view>(
    {"sh",     "bash", "dash", "zsh",  "ksh",  "fish", "python", "python3", "python2", "node",
     "nodejs", "deno", "bun",  "ruby", "perl", "php",  "lua",    "tsx",     "ts-node", "uv"});

bool lists(auto& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// The directory that the hook's names are relative to: that of its file, for a hook of the project.
const std::string& project_of(const HookSpec& hook, const DoctorContext& patient) {
  return hook.project.empty() ? patient.project : hook.project;
}

/// A command in which the project's path replaces the usual ways to write it: the variables of the dialect, `$PWD/` and
/// `git rev-parse`. The home directory is filled in as well.
std::string with_project(std::string command, const HookSpec& hook, const DoctorContext& patient) {
  const std::string& project = project_of(hook, patient);
  for (const VariableRow& row : hook.dialect->process.variables) {
    if (row.value != Field::ProjectDir && row.value != Field::Cwd) continue;
    text::replace_all(command, "${" + std::string(row.name) + "}", project);
    text::replace_all(command, "$" + std::string(row.name), project);
  }
  text::replace_all(command, "$(git rev-parse --show-toplevel)", project);
  text::replace_all(command, "$PWD/", project + "/");
  text::replace_all(command, "$HOME/", patient.env.home() + "/");
  if (command.starts_with("~/")) command = patient.env.home() + command.substr(1);
  return command;
}

/// The words of the first command that a hook starts; empty when only the shell knows them. The list ends before the
/// first word that the shell would expand.
std::vector<std::string> first_words(const HookSpec& hook, const DoctorContext& patient) {
  const CommandHandler& handler = *hook.command();
  std::vector<std::string> out;
  if (handler.args) {
    out.push_back(with_project(handler.command, hook, patient));
    for (const std::string& argument : *handler.args) out.push_back(with_project(argument, hook, patient));
    return out;
  }
  const auto parsed = call::commands_of(with_project(handler.command, hook, patient));
  for (const shell::SimpleCommand& command : parsed.commands) {
    // The list also has the commands that a wrapper such as `sudo` runs, but the shell only starts the wrapper.
    if (!command.wrappers.empty() || command.words.empty()) continue;
    for (const shell::Word& word : command.words) {
      if (word.is_dynamic() || word.has_glob) break;
      out.push_back(word.text);
    }
    break;
  }
  return out;
}

/// The script among an interpreter's arguments, or "" when it is given code or a module.
std::string script_of(const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-c" || words[i] == "-e" || words[i] == "-m" || words[i] == "--eval" || words[i] == "-") return "";
    // `deno run script`, `uv run script`.
    if (words[i] == "run" && i == 1) continue;
    // Short options of a shell can be combined: `bash -ec 'code'` is given code, not a script.
    const bool is_cluster = words[i].size() > 1 && words[i][0] == '-' && words[i][1] != '-';
    if (is_cluster && words[i].find('c') != std::string::npos && shell::is_posix_shell(shell::base_name(words[0])))
      return "";
    if (!words[i].starts_with('-')) return words[i];
  }
  return "";
}

std::string absolute(const std::string& path, const std::string& project) {
  return (fs::path(project) / path).lexically_normal().string();
}

Finding finding(Severity severity, const SourcePos& at, std::string what, std::string why, std::string fix) {
  return {kCheck, severity, std::move(what), at, std::move(why), std::move(fix)};
}

std::string in_quotes(const std::string& text) {
  return "'" + text + "'";
}

/// The beginning of a script, as the kernel looks at it to find the interpreter.
class ScriptHead {
 public:
  explicit ScriptHead(const std::string& path) : path_(path) {
    if (auto content = os::read_file(path, kMaxScript)) text_ = std::move(*content);
  }

  const std::string& text() const { return text_; }
  bool is_binary() const { return text_.find('\0') != std::string::npos; }
  bool has_shebang() const { return text_.starts_with("#!"); }
  std::string_view first_line() const { return std::string_view(text_).substr(0, text_.find('\n')); }
  SourcePos at() const { return {path_, 1, 1}; }

  /// The number of the first line that ends in CR LF, or nothing when none does.
  std::optional<uint32_t> first_crlf() const {
    const size_t found = text_.find("\r\n");
    if (found == std::string::npos) return std::nullopt;
    return static_cast<uint32_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(found), '\n')) +
           1;
  }

 private:
  const std::string& path_;
  std::string text_;
};

/// Reports a script that does not start with '#!', or whose interpreter does not exist.
void check_shebang(const ScriptHead& head, const DoctorContext& patient, Findings& findings) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::string_view first = head.first_line();
  if (!head.has_shebang()) {
    // An editor may have put a byte-order mark, or a person a blank, before '#!'; the kernel then does not see it.
    const bool is_hidden = first.starts_with(kByteOrderMark) || text::trim(first).starts_with("#!");
    findings.push_back(
        finding(is_hidden ? Severity::Error : Severity::Warning, head.at(),
                is_hidden ? "there is something before '#!'" : "the script does not name its interpreter",
                "a script without '#!' as its very first bytes is started by a shell, or not at all",
                "start the script with '#!/bin/sh', '#!/usr/bin/env python3' or similar"));
    return;
  }
  std::vector<std::string> words;
  for (const std::string_view word : text::split(text::trim(first.substr(2)), ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  if (words.empty()) return;
  const bool by_env = shell::base_name(words[0]) == "env";
  const bool is_there = ::access(words[0].c_str(), X_OK) == 0;
  // With `#!/usr/bin/env python3` the interpreter is the first word that is neither an option nor an assignment.
  std::string missing = is_there ? "" : words[0];
  for (size_t i = 1; is_there && by_env && i < words.size(); ++i) {
    if (words[i].starts_with('-') || words[i].find('=') != std::string::npos) continue;
    if (!os::find_executable(words[i], patient.env.get("PATH"), patient.project)) missing = words[i];
    break;
  }
  if (missing.empty()) return;
  findings.push_back(
      finding(Severity::Error, head.at(), "its interpreter " + in_quotes(missing) + " does not exist",
              "the script cannot be started, so the hook fails every time",
              "install it, or correct the '#!' line; agents started from a desktop have a shorter PATH"));
}

/// Reports what keeps a script from being started. Without `is_direct` an interpreter gets the script as an argument,
/// so neither the permission to execute nor the '#!' line matters.
void check_script(const Start& start, const DoctorContext& patient, Findings& findings) {
  const ScriptHead head(start.script_path);
  if (head.is_binary()) return;
  if (const auto line = head.first_crlf()) {
    findings.push_back(
        finding(Severity::Error, {start.script_path, *line, 1}, "the script has Windows line endings (CRLF)",
                "the carriage return becomes part of the interpreter's name and of the last word on each line",
                "run `sed -i 's/\\r$//' " + shell_word(start.script_path) +
                    "`, and keep them out with .gitattributes: `*.sh text eol=lf`"));
    // The carriage return is then part of the interpreter's name, and looking for that would only repeat the finding.
    if (head.has_shebang() && *line == 1) return;
  }
  if (!start.is_direct) return;
  if (::access(start.script_path.c_str(), X_OK) != 0) {
    findings.push_back(finding(Severity::Error, {start.script_path, 0, 0}, "the script is not executable",
                               "the system cannot start it, so the hook fails every time",
                               "run `chmod +x " + shell_word(start.script_path) + "`"));
  }
  check_shebang(head, patient, findings);
}

/// Reports what keeps the command of one hook from being started.
void check_hook(const HookSpec& hook, const DoctorContext& patient, Findings& findings) {
  const Start start = start_of(hook, patient);
  const bool is_ours = shell::base_name(start.program) == "grapnel";  // check_agents reports on these
  if (!start.is_known || is_ours) return;
  if (start.program_path.empty()) {
    findings.push_back(
        finding(Severity::Error, hook.source, "the program " + in_quotes(start.program) + " does not exist",
                "the hook fails every time; most agents then let the action pass",
                start.program.find('/') == std::string::npos
                    ? "install it, or write its full path; agents started from a desktop have a shorter PATH"
                    : "correct the path"));
    return;
  }
  if (!start.script.empty() && start.script_path.empty()) {
    findings.push_back(
        finding(Severity::Error, hook.source, "the script " + in_quotes(start.script) + " does not exist",
                "its interpreter exits with an error, which blocks in some agents and allows the action in most",
                "correct the path"));
    return;
  }
  // Some agents start hooks in their current directory, which changes during a session.
  const bool drifts = hook.dialect->process.working_dir == Field::Cwd && hook.cwd.empty();
  if (start.is_relative && drifts) {
    const std::string_view variable = [&] {
      for (const VariableRow& row : hook.dialect->process.variables) {
        if (row.value == Field::ProjectDir) return row.name;
      }
      return std::string_view();
    }();
    const std::string written = start.is_direct ? start.program : start.script;
    findings.push_back(
        finding(Severity::Warning, hook.source,
                "the relative path " + in_quotes(written) + " breaks when the agent changes directory",
                "the hook starts in the agent's current directory; after `cd` the file is not found",
                variable.empty() ? "write the full path" : "write \"$" + std::string(variable) + "\"/" + written));
  }
  if (!start.script_path.empty()) check_script(start, patient, findings);
}

}  // namespace

Start start_of(const HookSpec& hook, const DoctorContext& patient) {
  Start out;
  if (hook.command() == nullptr) return out;
  const std::vector<std::string> words = first_words(hook, patient);
  if (words.empty() || shell::is_shell_word(words[0])) return out;
  out.is_known = true;
  out.program = words[0];
  const std::string& project = project_of(hook, patient);
  const bool is_path = out.program.find('/') != std::string::npos;
  out.program_path = os::find_executable(out.program, patient.env.get("PATH"), project).value_or("");
  if (is_path && !os::stamp(absolute(out.program, project))) out.program_path.clear();
  if (lists(kInterpreters, shell::base_name(out.program))) {
    out.script = script_of(words);
    if (!out.script.empty() && os::stamp(absolute(out.script, project)))
      out.script_path = absolute(out.script, project);
    out.is_relative = !out.script.empty() && !out.script.starts_with('/');
  } else if (is_path && !out.program_path.empty()) {
    out.is_direct = true;
    out.script_path = absolute(out.program, project);
    out.is_relative = !out.program.starts_with('/');
  }
  return out;
}

Findings check_start(const HookSpec& hook, const DoctorContext& patient) {
  Findings out;
  if (hook.command() == nullptr) return out;
  check_hook(hook, patient, out);
  std::erase_if(out, [](const Finding& finding) { return finding.severity != Severity::Error; });
  const Start start = start_of(hook, patient);
  const bool is_path = start.program.find('/') != std::string::npos;
  if (out.empty() || !start.program_path.empty() || is_path) return out;
  const std::string hint = did_you_mean(start.program, {kInterpreters.begin(), kInterpreters.end()});
  if (hint.empty()) return {};
  out.front().fix = hint;
  return out;
}

void check_programs(const DoctorContext& patient, Findings& findings) {
  for (const HookSpec& hook : patient.registry.hooks) {
    if (hook.command() != nullptr) check_hook(hook, patient, findings);
  }
}

}  // namespace grapnel::cli
