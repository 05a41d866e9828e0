#include "call/flags.h"

#include <algorithm>
#include <array>
#include <string>

#include "call/mention.h"
#include "call/words.h"

/// `has_flag` has to see through all the ways to spell an option: a letter alone (`-f`) or in a bundle (`-rf`), the
/// long form (`--force`), an abbreviation (`--forc`), a value (`--force=x`). Three tables help: other spellings of the
/// same option, letters that take a value and therefore end a bundle, and the complete long options of a few dangerous
/// programs. Where a program has no row, an answer that depends on it is `Maybe`.
namespace grapnel::call {

namespace {

/// Options of a program that mean the same.
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
    {"git", {"-f", "--force", ""}},        {"git", {"-n", "--dry-run", ""}},
    {"curl", {"-o", "--output", ""}},      {"curl", {"-O", "--remote-name", ""}},
    {"curl", {"-d", "--data", ""}},        {"curl", {"-X", "--request", ""}},
    {"curl", {"-T", "--upload-file", ""}}, {"wget", {"-O", "--output-document", ""}},
    {"sed", {"-i", "--in-place", ""}},     {"docker", {"-f", "--force", ""}},
    {"npm", {"-g", "--global", ""}},       {"npm", {"-f", "--force", ""}},
});

constexpr auto kLongSingleDash = std::to_array<std::string_view>({"find",
                                                                  "gfind",
                                                                  "java",
                                                                  "javac",
                                                                  "go",
                                                                  "terraform",
                                                                  "gcc",
                                                                  "g++",
                                                                  "clang",
                                                                  "clang++",
                                                                  "cc",
                                                                  "openssl",
                                                                  "ffmpeg",
                                                                  "convert",
                                                                  "magick",
                                                                  "xcodebuild",
                                                                  "qemu-system-x86_64",
                                                                  "pwsh",
                                                                  "powershell",
                                                                  "mvn",
                                                                  "X",
                                                                  "packer",
                                                                  "vault",
                                                                  "consul",
                                                                  "nomad"});

struct LetterRow {
  std::string_view program;
  std::string_view letters;
};
constexpr auto kValuedLetters = std::to_array<LetterRow>({
    {"git", "CcmFSLG"},
    {"curl", "AbcCdDeEFhHKmoPQrtTuUwxXyYzZ"},
    {"tar", "bCfFgHIKLNTVX"},
    {"grep", "ABCDdefm"},
    {"wget", "aAbBDeFiIlOPQRtTUwX"},
    {"ssh", "BbcDEeFIiJLlmOopQRSWw"},
    {"make", "CfIjloW"},
    {"docker", "eHlpuvw"},
    {"kubectl", "cflno"},
    {"sort", "kotST"},
    {"head", "cn"},
    {"tail", "cns"},
    {"cut", "bcdf"},
    {"sed", "efl"},
    {"awk", "Ffv"},
    {"python", "cmWX"},
    {"python3", "cmWX"},
    {"node", "ceprC"},
    {"rsync", "BefMT"},
    {"npm", "Cw"},
    {"pip", "cefirt"},
    {"pip3", "cefirt"},
    {"perl", "CDeEFiIlmMx"},
    {"ruby", "CEeFIKrTWx"},
    {"rg", "ABCEefgjMmrtT"},
    {"psql", "cdfFhLopPRTUv"},
    {"mysql", "DehPSu"},
    {"xargs", "adEILnPs"},
});

struct OptionsRow {
  std::string_view program;
  std::string_view options;  ///< a space around each
};
constexpr auto kLongOptions = std::to_array<OptionsRow>({
    {"rm",
     " --force --interactive --one-file-system --no-preserve-root --preserve-root --recursive --dir --verbose "
     "--help --version "},
    {"chmod",
     " --changes --silent --quiet --verbose --no-preserve-root --preserve-root --reference --recursive --help "
     "--version "},
    {"chown",
     " --changes --silent --quiet --verbose --dereference --no-dereference --from --no-preserve-root "
     "--preserve-root --reference --recursive --help --version "},
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
Certainty find_long(std::string_view program, std::string_view text, std::string_view flag) {
  const std::string_view name = text.substr(0, text.find('='));
  if (name == flag) return Certainty::Yes;
  if (name.size() < 3 || !flag.starts_with(name)) return Certainty::No;
  std::string_view full;
  if (complete_option(program, name, full)) return full == flag ? Certainty::Yes : Certainty::No;
  // `--force` is not short for `--force-with-lease`: most programs that know the latter have the former as well.
  return flag.substr(name.size()).starts_with('-') ? Certainty::No : Certainty::Maybe;
}

/// Whether `text` is a bundle of options that contains `letter`. In a long word of a program without a row for valued
/// letters, the letter may just as well belong to an attached value.
Certainty find_letter(std::string_view program, std::string_view text, char letter) {
  if (text.size() < 2 || text[0] != '-' || text[1] == '-') return Certainty::No;
  const std::string_view valued = valued_letters(program);
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == letter) return i > 1 && valued.empty() && text.size() > 6 ? Certainty::Maybe : Certainty::Yes;
    if (valued.contains(text[i])) return Certainty::No;
    if (!is_flag_text(text.substr(i, 1)) || text[i] == '=' || text[i] == '-') return Certainty::No;
  }
  return Certainty::No;
}

/// Whether one spelling of the option is among the words. Nothing behind `--` is an option.
Certainty find_spelling(const SimpleCommand& command, std::string_view program, std::string_view flag) {
  Certainty best = Certainty::No;
  for (size_t i = 1; i < command.words.size() && best != Certainty::Yes; ++i) {
    const Word& word = command.words[i];
    if (word.text == "--" && word.gaps.empty()) return best;
    if (may_be_flag(word)) best = std::max(best, Certainty::Maybe);
    if (flag.starts_with("--")) {
      best = std::max(best, find_long(program, word.text, flag));
    } else if (flag.size() > 2) {
      if (word.text == flag || word.text.starts_with(std::string(flag) + "=")) best = Certainty::Yes;
    } else if (!has_long_single_dash(program) || word.text == flag) {
      best = std::max(best, find_letter(program, word.text, flag[1]));
    }
  }
  return command.is_open ? std::max(best, Certainty::Maybe) : best;
}

}  // namespace

std::vector<std::string_view> spellings_of(std::string_view program, std::string_view flag) {
  std::vector<std::string_view> out = {flag};
  for (const SpellingRow& row : kSpellings) {
    if (row.program != program || std::ranges::find(row.flags, flag) == row.flags.end()) continue;
    for (const std::string_view other : row.flags) {
      if (!other.empty() && other != flag) out.push_back(other);
    }
  }
  return out;
}

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

bool has_long_single_dash(std::string_view program) {
  return std::ranges::find(kLongSingleDash, program) != kLongSingleDash.end();
}

std::string_view valued_letters(std::string_view program) {
  const auto* const found = std::ranges::find(kValuedLetters, program, &LetterRow::program);
  return found == kValuedLetters.end() ? "" : found->letters;
}

bool complete_option(std::string_view program, std::string_view given, std::string_view& full) {
  const auto* const row = std::ranges::find(kLongOptions, program, &OptionsRow::program);
  if (row == kLongOptions.end()) return false;
  full = "";
  for (size_t at = row->options.find("--"); at != std::string_view::npos; at = row->options.find("--", at + 2)) {
    const std::string_view option = row->options.substr(at, row->options.find(' ', at) - at);
    if (option == given) {
      full = option;
      return true;
    }
    if (!option.starts_with(given)) continue;
    if (!full.empty()) {
      full = "";
      return true;
    }
    full = option;
  }
  return true;
}

Certainty has_flag(const SimpleCommand& command, std::string_view flag) {
  if (command.code) return Mentions::of_code(*command.code).flag(flag) ? Certainty::Maybe : Certainty::No;
  if (command.words.empty() || flag.size() < 2) return Certainty::No;
  if (!command.words[0].gaps.empty() && command.words[0].splits) return Certainty::Maybe;
  const std::string_view program = base_name(command.words[0].text);
  // `-rf` asks for several letters: all of them have to be given, together or apart.
  if (!flag.starts_with("--") && flag.size() > 2 && !has_long_single_dash(program)) {
    Certainty all = Certainty::Yes;
    for (const char letter : flag.substr(1)) all = std::min(all, has_flag(command, std::string{'-', letter}));
    return all;
  }
  Certainty best = Certainty::No;
  for (const std::string_view spelling : spellings_of(program, flag)) {
    best = std::max(best, find_spelling(command, program, spelling));
  }
  return best;
}

}  // namespace grapnel::call
