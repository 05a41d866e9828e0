#include "call/flags.h"

#include <algorithm>
#include <array>
#include <string>

#include "call/mention.h"
#include "call/options.h"
#include "call/words.h"

/// `has_flag` has to see through all the ways to spell an option: a letter alone (`-f`) or in a bundle (`-rf`), the
/// long form (`--force`), an abbreviation (`--forc`), a value (`--force=x`). The table below has other spellings of the
/// same option; `options.h` knows which options take a value. Where it has no row, an answer that depends on it is
/// `Maybe`.
namespace grapnel::call {

namespace {

/// Options of a program, or of its subcommand, that mean the same.
struct SpellingRow {
  std::string_view program;
  std::array<std::string_view, 3> flags;
};
constexpr auto kSpellings = std::to_array<SpellingRow>({
    {"rm", {"-r", "-R", "--recursive"}},   {"rm", {"-f", "--force", ""}},
    {"rm", {"-i", "--interactive", ""}},   {"cp", {"-r", "-R", "--recursive"}},
    {"cp", {"-f", "--force", ""}},         {"mv", {"-f", "--force", ""}},
    {"ln", {"-f", "--force", ""}},         {"chmod", {"-R", "--recursive", ""}},
    {"chown", {"-R", "--recursive", ""}},  {"chgrp", {"-R", "--recursive", ""}},
    {"git", {"-f", "--force", ""}},        {"git commit", {"-n", "--no-verify", ""}},
    {"git push", {"-n", "--dry-run", ""}}, {"git clean", {"-n", "--dry-run", ""}},
    {"git add", {"-n", "--dry-run", ""}},  {"git rm", {"-n", "--dry-run", ""}},
    {"curl", {"-o", "--output", ""}},      {"curl", {"-O", "--remote-name", ""}},
    {"curl", {"-d", "--data", ""}},        {"curl", {"-X", "--request", ""}},
    {"curl", {"-T", "--upload-file", ""}}, {"wget", {"-O", "--output-document", ""}},
    {"sed", {"-i", "--in-place", ""}},     {"docker", {"-f", "--force", ""}},
    {"npm", {"-g", "--global", ""}},       {"npm", {"-f", "--force", ""}},
});

/// Whether the text consists of characters that options are made of.
bool is_flag_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '=';
  });
}

/// Whether a word that is partly unknown may turn out to be an option: all that is known of it could be part of one.
bool may_be_flag(const Word& word) {
  if (word.is_odd) return word.text.starts_with('-') || static_cast<unsigned char>(word.text[0]) >= 0x80;
  if (word.gaps.empty()) return false;
  if (word.splits) return true;
  if (word.gaps.front() > 0 && word.text[0] != '-') return false;
  return is_flag_text(word.text);
}

/// Whether `text` is the long option `flag`, in full or abbreviated.
Certainty find_long(const OptionRow* row, std::string_view text, std::string_view flag) {
  const std::string_view name = text.substr(0, text.find('='));
  if (name == flag) return Certainty::Yes;
  if (name.size() < 3 || !flag.starts_with(name)) return Certainty::No;
  const bool is_complete = row != nullptr && !row->flags.empty();
  if (is_complete) {
    const std::string_view full = complete_long(*row, name.substr(2));
    return full.empty() ? Certainty::Maybe : full == flag.substr(2) ? Certainty::Yes : Certainty::No;
  }
  // `--force` is not short for `--force-with-lease`: most programs that know the latter have the former as well.
  return flag.substr(name.size()).starts_with('-') ? Certainty::No : Certainty::Maybe;
}

/// Whether `text` is a bundle of options that contains `letter`. In a long word of a program without a row, the letter
/// may just as well belong to an attached value.
Certainty find_letter(const OptionRow* row, std::string_view text, char letter) {
  if (text.size() < 2 || text[0] != '-' || text[1] == '-') return Certainty::No;
  const std::string_view valued = row == nullptr ? "" : row->letters;
  const std::string_view attached = row == nullptr ? "" : row->attached;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == letter) return i > 1 && row == nullptr && text.size() > 6 ? Certainty::Maybe : Certainty::Yes;
    if (valued.contains(text[i]) || attached.contains(text[i])) return Certainty::No;
    if (!is_flag_text(text.substr(i, 1)) || text[i] == '=' || text[i] == '-') return Certainty::No;
  }
  return Certainty::No;
}

/// Whether one spelling of the option is among the words. Nothing behind `--` is an option, nor is the value of one.
Certainty find_spelling(const SimpleCommand& command, const OptionRow* row, std::string_view flag) {
  Certainty best = Certainty::No;
  const bool has_bundles = row == nullptr || !row->has_long_letters;
  for (size_t i = 1; i < command.words.size() && best != Certainty::Yes; ++i) {
    const Word& word = command.words[i];
    if (word.text == "--" && word.gaps.empty()) return best;
    if (may_be_flag(word)) best = std::max(best, Certainty::Maybe);
    if (flag.starts_with("--")) {
      best = std::max(best, find_long(row, word.text, flag));
    } else if (flag.size() > 2) {
      if (word.text == flag || word.text.starts_with(std::string(flag) + "=")) best = Certainty::Yes;
    } else if (has_bundles || word.text == flag) {
      best = std::max(best, find_letter(row, word.text, flag[1]));
    }
    if (word.gaps.empty() && read_option(row, word.text).takes_next) ++i;
  }
  return command.is_open ? std::max(best, Certainty::Maybe) : best;
}

/// All spellings of an option, including `flag` itself: `-r`, `-R`, `--recursive` for rm.
std::vector<std::string_view> spellings_of(std::string_view program, std::string_view subcommand,
                                           std::string_view flag) {
  std::vector<std::string_view> out = {flag};
  for (const SpellingRow& row : kSpellings) {
    const size_t space = row.program.find(' ');
    const bool is_its = row.program.substr(0, space) == program &&
                        (space == std::string_view::npos || row.program.substr(space + 1) == subcommand);
    if (!is_its || std::ranges::find(row.flags, flag) == row.flags.end()) continue;
    for (const std::string_view other : row.flags) {
      if (!other.empty() && other != flag) out.push_back(other);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string_view> spellings_of(std::string_view flag) {
  std::vector<std::string_view> out = {flag};
  for (const SpellingRow& row : kSpellings) {
    if (std::ranges::find(row.flags, flag) == row.flags.end()) continue;
    for (const std::string_view other : row.flags) {
      if (!other.empty() && std::ranges::find(out, other) == out.end()) out.push_back(other);
    }
  }
  return out;
}

Certainty has_flag(const SimpleCommand& command, std::string_view flag) {
  if (command.code) return Mentions::of_code(*command.code).flag(flag) ? Certainty::Maybe : Certainty::No;
  if (command.words.empty() || flag.size() < 2) return Certainty::No;
  if (!command.words[0].gaps.empty() && command.words[0].splits) return Certainty::Maybe;
  const std::string_view program = base_name(command.words[0].text);
  const size_t at = find_subcommand(command);
  const std::string_view subcommand = at < command.words.size() ? std::string_view(command.words[at].text) : "";
  const OptionRow* const row = find_options(program, subcommand);
  // `-rf` asks for several letters: all of them have to be given, together or apart.
  if (!flag.starts_with("--") && flag.size() > 2 && (row == nullptr || !row->has_long_letters)) {
    Certainty all = Certainty::Yes;
    for (const char letter : flag.substr(1)) all = std::min(all, has_flag(command, std::string{'-', letter}));
    return all;
  }
  Certainty best = Certainty::No;
  for (const std::string_view spelling : spellings_of(program, subcommand, flag)) {
    best = std::max(best, find_spelling(command, row, spelling));
  }
  return best;
}

}  // namespace grapnel::call
