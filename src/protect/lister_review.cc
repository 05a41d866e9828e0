#include "protect/lister_review.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "call/effects.h"
#include "protect/command_words.h"

namespace grapnel::protect {

namespace {

using call::Certainty;
using shell::SimpleCommand;
using shell::Word;

/// Programs that write something, but not the files that they are given, or nothing that matters in these.
constexpr auto kSparing =
    std::to_array<std::string_view>({"tar", "gtar", "bsdtar", "zip", "7z", "touch", "mkdir", "rmdir", "kill", "git",
                                     "docker", "npm", "make", "pip", "scp"});
constexpr auto kCopiers = std::to_array<std::string_view>({"cp", "install", "rsync"});

/// Nothing of the word is known.
bool is_gap(const Word& word) {
  return word.text.empty() && word.is_dynamic();
}

/// Whether files stay readable for their owner, and are not writable for others, with this mode of chmod.
bool is_sane_mode(std::string_view mode) {
  if (mode.size() >= 3 && mode.find_first_not_of("01234567") == std::string_view::npos) {
    const std::string_view last = mode.substr(mode.size() - 3);
    return last[0] >= '4' && (last[2] == '0' || last[2] == '4' || last[2] == '5' || last[2] == '1');
  }
  for (const std::string_view clause : text::split(mode, ',')) {
    const size_t op = clause.find_first_of("+-=");
    if (op == std::string_view::npos) return false;
    const std::string_view who = clause.substr(0, op);
    const std::string_view what = clause.substr(op + 1);
    const bool is_owner = who.empty() || who.contains('u') || who.contains('a');
    const bool is_others = who.empty() || who.contains('o') || who.contains('a');
    if (is_owner && clause[op] == '-' && what.contains('r')) return false;
    if (is_owner && clause[op] == '=' && !what.contains('r')) return false;
    if (is_others && clause[op] != '-' && what.contains('w')) return false;
  }
  return true;
}

Certainty changes_mode(const SimpleCommand& command) {
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    const bool is_flag = word.text.size() > 1 && word.text[0] == '-' && !std::string_view("rwx").contains(word.text[1]);
    if (is_flag) continue;
    if (word.is_dynamic()) return Certainty::Maybe;
    return is_sane_mode(word.text) ? Certainty::No : Certainty::Yes;
  }
  return Certainty::Maybe;
}

/// Listed files are copied to a place that is known, or something is copied onto them.
Certainty changes_by_copy(const SimpleCommand& command) {
  const bool is_onto = command.is_open || command.words.back().is_dynamic();
  if (!is_onto) return Certainty::No;
  const bool is_nothing =
      std::ranges::any_of(command.words, [](const Word& word) { return word.text.starts_with("/dev/"); });
  return is_nothing ? Certainty::Yes : Certainty::Maybe;
}

}  // namespace

Certainty changes_listed(const SimpleCommand& command) {
  for (const shell::Redirection& redirection : command.redirections) {
    if (redirection.op.contains('>') && redirection.target.is_dynamic())
      return is_gap(redirection.target) ? Certainty::Yes : Certainty::Maybe;
  }
  const bool gets_names =
      command.is_open || std::ranges::any_of(command.words, [](const Word& word) { return word.is_dynamic(); });
  const std::string_view program = program_of(command);
  if (!gets_names || program.empty() || lists(kSparing, program)) return Certainty::No;
  if (program == "chmod") return changes_mode(command);
  if (lists(kCopiers, program)) return changes_by_copy(command);
  SimpleCommand alone = command;
  alone.redirections.clear();
  const Certainty writes = call::effects_of(alone).writes;
  const bool gets_whole = command.is_open || std::ranges::any_of(command.words, is_gap);
  // Without `-i`, these interpreters print.
  const bool prints =
      (program == "perl" || program == "ruby") && std::ranges::none_of(command.words, [](const Word& word) {
        return word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('i');
      });
  const bool is_mild = prints || program == "ln" || program == "chown" || program == "chgrp";
  return !gets_whole || is_mild ? std::min(writes, Certainty::Maybe) : writes;
}

}  // namespace grapnel::protect
