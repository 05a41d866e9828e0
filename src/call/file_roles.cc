#include "call/file_roles.h"

#include <algorithm>
#include <string>

#include "call/effects.h"
#include "call/file_reader.h"
#include "call/file_table.h"
#include "call/links.h"
#include "call/words.h"
#include "shell/shell_words.h"
#include "shell/word_scan.h"

/// It errs on the side of too many files: a word that is no file matches no pattern about files, so it does little
/// harm.
namespace grapnel::call {

namespace {

using shell::literal_word;

/// Whether `command` is a wrapper that runs `next`. Then the words of `next` are its last words, and `next` reports
/// them itself.
bool runs(const SimpleCommand& command, const SimpleCommand& next) {
  if (command.words.empty() || next.wrappers.size() <= command.wrappers.size()) return false;
  if (next.words.empty() || !next.words[0].gaps.empty()) return false;
  const std::string program(base_name(command.words[0].text));
  return next.wrappers.back() == program || next.wrappers.back() == program + " -c";
}

/// The wrapper with its own words alone.
SimpleCommand without_inner(const SimpleCommand& command, const SimpleCommand& next) {
  SimpleCommand own = command;
  const size_t inner = next.words.size();
  const auto is_same = [](const Word& a, const Word& b) { return a.text == b.text; };
  const bool is_suffix =
      inner < own.words.size() &&
      std::equal(next.words.begin(), next.words.end(), own.words.end() - static_cast<ptrdiff_t>(inner), is_same);
  if (is_suffix) {
    own.words.resize(own.words.size() - inner);
  } else if (next.wrappers.back().ends_with(" -c") && shell::is_shell(base_name(own.words[0].text))) {
    own.words.resize(1);
  } else if (next.wrappers.back() == "eval" || next.wrappers.back() == "trap" || next.wrappers.back() == "ssh") {
    own.words.resize(1);
  }
  return own;
}

/// The files that sed's own commands write or read: `w file`, `r file`.
void add_sed_files(const SimpleCommand& command, std::vector<PathUse>& out) {
  for (size_t i = 1; i < command.words.size(); ++i) {
    const std::string& text = command.words[i].text;
    for (size_t at = text.find_first_of("wWrR"); at != std::string::npos; at = text.find_first_of("wWrR", at + 1)) {
      if (at + 2 >= text.size()) continue;
      const bool is_apart = text[at + 1] == ' ';
      const std::string_view before = is_apart ? "0123456789$/;{} \n,!gpiImMe" : "0123456789$;{}\n!";
      const bool is_command = is_apart || text[at + 1] == '.' || text[at + 1] == '/';
      const bool starts = at == 0 || before.contains(text[at - 1]);
      if (!is_command || !starts) continue;
      const size_t from = at + (is_apart ? 2 : 1);
      const size_t end = std::min(text.find_first_of("\n;}", from), text.size());
      out.push_back({literal_word(text.substr(from, end - from)), text[at] == 'w' || text[at] == 'W', false});
    }
  }
}

/// Files that variables name: those that a shell reads first, and places where the program shall write.
void add_variable_files(const SimpleCommand& command, std::vector<PathUse>& out) {
  if (command.assignments.empty()) return;
  const bool is_alone = command.words.empty();
  SimpleCommand alone = command;
  alone.redirections.clear();
  const bool may_write = !is_alone && effects_by_table(alone).writes != Certainty::No;
  for (const Assignment& assignment : command.assignments) {
    const std::string& name = assignment.name;
    const bool is_read = name == "ENV" || name == "BASH_ENV";
    const bool is_written = name == "HISTFILE" || name == "LESSHISTFILE" || name.starts_with("GIT_TRACE") ||
                            name.starts_with("GIT_CONFIG_GLOBAL") || name.starts_with("GIT_CONFIG_SYSTEM") ||
                            name == "GIT_INDEX_FILE";
    const bool is_place = name.ends_with("HOME") || name.ends_with("DIR") || name.ends_with("BIN");
    const bool is_target = may_write && (names_target(name) || is_place);
    const bool is_path = !is_alone && assignment.value.text.find_first_of("/.") != std::string::npos;
    if (is_read || is_written || is_path) {
      out.push_back({assignment.value, is_written || is_target, is_target && !is_written});
    }
  }
}

void add_system_files(const SimpleCommand& command, std::vector<PathUse>& out) {
  const std::string_view program = base_name(command.words[0].text);
  const auto has = [&](std::string_view wanted) {
    return std::ranges::any_of(command.words, [&](const Word& word) { return word.text.starts_with(wanted); });
  };
  for (const SystemFileRow& row : system_files()) {
    if (row.program == program && has(row.word)) out.push_back({literal_word(row.file), true, false});
  }
  const bool asks = has("--get") || has("get") || has("-l") || has("--list") || has("list");
  if (program == "git" && has("config") && has("--system") && !asks) {
    out.push_back({literal_word("/etc/gitconfig"), true, false});
  }
  for (const Assignment& one : command.assignments) {
    if (program == "mktemp" && one.name == "TMPDIR") out.push_back({one.value, true, false});
  }
}

}  // namespace

std::vector<PathUse> paths_of(const ParsedCommand& parsed) {
  std::vector<PathUse> out;
  Links links;
  for (size_t i = 0; i < parsed.commands.size(); ++i) {
    const SimpleCommand& command = parsed.commands[i];
    if (command.is_remote) continue;
    const size_t made = out.size();
    for (const Redirection& redirection : command.redirections) {
      if (redirection.op.starts_with("<<") || is_duplicate(redirection)) continue;
      out.push_back({redirection.target, writes_file(redirection), false});
    }
    add_variable_files(command, out);
    if (command.words.empty()) {
      links.follow(made, out);
      continue;
    }
    const bool is_listed = i + 1 < parsed.commands.size() && runs(command, parsed.commands[i + 1]);
    const SimpleCommand own = is_listed ? without_inner(command, parsed.commands[i + 1]) : command;
    read_files(own, out);
    add_system_files(command, out);
    const std::string_view program = base_name(command.words[0].text);
    if (program == "sed" || program == "gsed") add_sed_files(command, out);
    links.follow(made, out);
    links.note(command);
  }
  return out;
}

}  // namespace grapnel::call
