#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "cli/doctor/doctor.h"
#include "dialect/dialect.h"
#include "os/files.h"
#include "os/resolve.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

// These checks read a script as plain text. They cannot understand it, so they stay silent whenever there is a sign
// that the author knows how to deny: an exit with 2 anywhere, or the JSON key of a verdict.

/// The exit status that denies in most dialects, and how scripts of several languages write it.
constexpr int kRefusal = 2;
constexpr auto kRefusals = std::to_array<std::string_view>({"exit 2", "sys.exit(2)", "process.exit(2)", "exit(2)"});
constexpr auto kFailures = std::to_array<std::string_view>({"exit 1", "sys.exit(1)", "process.exit(1)", "exit(1)"});
/// Whether the text contains any of these words.
bool says_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// Whether the script contains the key of a verdict, as its dialect spells it. A hook that answers in JSON needs no
/// exit status to deny.
bool answers_in_json(std::string_view text, const Dialect& dialect) {
  for (const EventRow& event : dialect.events) {
    for (const OutputRow& output : event.answer.outputs) {
      if (output.effect != Effect::Verdict) continue;
      const std::string key(output.pointer.substr(output.pointer.rfind('/') + 1));
      const std::array<std::string, 3> spellings = {key + '"', key + "'", key + "\\\""};
      if (std::ranges::any_of(spellings, [&](const std::string& s) { return text.contains(s); })) return true;
    }
  }
  return false;
}

/// Whether the text at `at` is a word of its own, and not a part like `exit 1` in `exit 10`.
bool is_whole_word(std::string_view text, size_t at, size_t size) {
  const auto is_part = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' || c == '.'; };
  return (at == 0 || !is_part(text[at - 1])) && (at + size >= text.size() || !is_part(text[at + size]));
}

/// The place of the first `exit 1` that is not in a comment line of a shell or Python script.
std::optional<size_t> find_failure(std::string_view text) {
  for (const std::string_view word : kFailures) {
    for (size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
      const size_t line = text.rfind('\n', at) + 1;
      if (is_whole_word(text, at, word.size()) && !text::trim(text.substr(line)).starts_with('#')) return at;
    }
  }
  return std::nullopt;
}

/// Whether a hook's exit status denies the action in that dialect.
bool blocks(const Dialect& dialect, int code) {
  const auto row =
      std::ranges::find_if(dialect.exit.codes, [&](const ExitRow& r) { return code >= r.from && code <= r.to; });
  if (row == dialect.exit.codes.end()) return false;
  return row->meaning == ExitMeaning::Deny || row->meaning == ExitMeaning::DenyText;
}

/// Reports a guard that ends with 1 to deny, in a dialect in which only 2 denies. Such an agent takes the status for a
/// failed hook and goes on.
void check_exit_status(const HookSpec& hook, const DoctorContext& patient, Findings& findings) {
  if (blocks(*hook.dialect, 1) || !blocks(*hook.dialect, kRefusal)) return;
  const Start start = start_of(hook, patient);
  const auto content = start.script_path.empty() ? os::read_file("", 1) : os::read_file(start.script_path, kMaxScript);
  const std::string text = content ? *content : hook.command()->command;
  if (text.find('\0') != std::string::npos || says_any(text, kRefusals) || answers_in_json(text, *hook.dialect)) return;
  const auto failure = find_failure(text);
  if (!failure) return;
  findings.push_back({"guards", Severity::Warning, "exit status 1 does not block anything here",
                      content ? text::position_at(start.script_path, text, *failure) : hook.source,
                      "for " + std::string(hook.dialect->name) +
                          " it means that the hook failed, and the action goes on; only 2 denies",
                      "write `exit 2`, with the reason on standard error"});
}

/// Reports a command that hides the exit status of the guard. In `guard | tee log` the status of the last program
/// counts; `guard || true` always succeeds.
void check_masked_status(const HookSpec& hook, Findings& findings) {
  const std::string& command = hook.command()->command;
  if (hook.command()->args || command.find("pipefail") != std::string::npos) return;
  const std::string_view end = text::trim(command);
  const bool is_forgiven = end.ends_with("|| true") || end.ends_with("|| :") || end.ends_with("; true");
  const size_t pipe = command.find(" | ");
  const std::string_view last = pipe == std::string::npos ? "" : text::trim(std::string_view(command).substr(pipe + 3));
  const bool is_logged = last.starts_with("tee ") || last.starts_with("tail") || last.starts_with("head") ||
                         last.starts_with("cat") || last.starts_with("logger");
  if (!is_forgiven && !is_logged) return;
  findings.push_back(
      {"guards", Severity::Warning, "the exit status of the check is lost", hook.source,
       is_forgiven ? "the command always succeeds, so its exit status can never deny"
                   : "a pipeline ends with the status of its last program, and that one never denies",
       is_forgiven ? "remove what follows the check" : "put `set -o pipefail;` in front of it, and run it in bash"});
}

}  // namespace

// After a tool has run, a denial cannot stop it any more; such hooks are not meant as guards.
bool is_guard(const HookSpec& hook) {
  if (hook.async || hook.detach) return false;
  for (const EventKind kind : all_event_kinds()) {
    const EventRow* row = hook.listens_to(kind) ? hook.dialect->find_event(kind) : nullptr;
    if (row != nullptr && row->verdicts.can_deny && kind != EventKind::PostToolUse &&
        kind != EventKind::PostToolUseFailure) {
      return true;
    }
  }
  return false;
}

void check_guards(const DoctorContext& patient, Findings& findings) {
  for (const HookSpec& hook : patient.registry.hooks) {
    if (hook.command() == nullptr || !is_guard(hook)) continue;
    check_exit_status(hook, patient, findings);
    check_masked_status(hook, findings);
  }
}

// A shell that prints a greeting at startup makes the JSON of every hook invalid. Each distinct shell is started once
// with `:`, the command that does nothing. Shells come from the dialects and from commands that ask for a login shell
// or an interactive one.
void check_shells(const DoctorContext& patient, Findings& findings) {
  std::map<std::vector<std::string>, const HookSpec*> shells;
  for (const HookSpec& hook : patient.registry.hooks) {
    if (hook.command() == nullptr || hook.command()->args) continue;
    std::vector<std::string> argv(hook.dialect->process.shell.begin(), hook.dialect->process.shell.end());
    if (!argv.empty()) shells.emplace(std::move(argv), &hook);
    for (const char* login : {"bash -l", "bash -i", "zsh -l", "zsh -i"}) {
      if (!hook.command()->command.starts_with(login)) continue;
      const std::string program(std::string_view(login).substr(0, std::string_view(login).find(' ')));
      shells.emplace(std::vector<std::string>{program, std::string(login).substr(program.size() + 1), "-c"}, &hook);
    }
  }
  for (const auto& [shell, hook] : shells) {
    ChildSpec child;
    child.argv = shell;
    child.argv.emplace_back(":");
    child.path = os::find_executable(shell[0], patient.env.get("PATH"), patient.project).value_or("");
    if (child.path.empty() && os::stamp("/bin/" + shell[0])) child.path = "/bin/" + shell[0];  // as for an event
    if (child.path.empty()) {
      // What a command itself names may be on another machine; what its format starts it with is needed on each.
      if (!std::ranges::equal(shell, hook->dialect->process.shell)) continue;
      findings.push_back({"shells", Severity::Error, "this machine has no '" + shell[0] + "', which starts this hook",
                          hook->source, "the hook fails at each event, which then goes on as its failure policy says",
                          "install " + shell[0]});
      continue;
    }
    child.env = patient.env;
    child.cwd = patient.project;
    child.timeout = std::chrono::seconds(5);
    const auto outcome = run_children(std::span(&child, 1), 1, {}, {}).front();
    const std::string said(text::trim(text::to_valid_utf8(outcome.out.bytes)));
    if (said.empty()) continue;
    findings.push_back({"shells", Severity::Error,
                        "the shell prints something at startup: '" + text::cap(said, 60) + "'", hook->source,
                        "the text comes before every hook's answer, which is then no longer valid JSON",
                        "let your profile (BASH_ENV, .bashrc, .zshenv) print only if `[ -t 1 ]`"});
  }
}

}  // namespace grapnel::cli
