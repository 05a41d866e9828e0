#include "call/command_pattern.h"

#include <algorithm>

#include "base/text.h"
#include "call/guess.h"
#include "call/words.h"
#include "shell/word_scan.h"

namespace grapnel::call {

namespace {

// Commands and patterns are compared as one text each. These characters stand for what is no text; where a command has
// one of them in a word, it is replaced, and the word counts as one that nobody can allow.
constexpr char kBreak = '\x1f';     // between words
constexpr char kAnything = '\x1e';  // a `*` of a pattern, unknown text in a command
constexpr char kReplaced = '\x1d';
constexpr std::string_view kMarks("\x1f\x1e\x1d\0", 4);

/// More steps than this are not worth an exact answer about a command that is dynamic anyway.
constexpr size_t kMaxProduct = 4'000'000;

void append_text(std::string& out, std::string_view text) {
  for (const char c : text) out += kMarks.contains(c) ? kReplaced : c;
}

void append_word(std::string& out, const Word& word, size_t from = 0) {
  const std::string_view text = word.text;
  for (const size_t gap : word.gaps) {
    if (gap < from) continue;
    append_text(out, text.substr(from, gap - from));
    out += kAnything;
    from = gap;
  }
  append_text(out, text.substr(from));
  if (word.is_odd) out += kAnything;  // it looks like something else, and may be meant to
}

void append_redirection(std::string& out, const Redirection& redirection) {
  out += kBreak;
  append_text(out, redirection.op);
  out += kBreak;
  append_word(out, redirection.target);
}

/// The command's text: its words from `rest` on behind the program.
std::string text_of_words(const SimpleCommand& command, bool has_path, size_t rest = 1) {
  std::string out;
  for (const Assignment& assignment : command.assignments) {
    if (!command.words.empty()) break;
    if (!out.empty()) out += kBreak;
    out += assignment.name + "=";
    append_word(out, assignment.value);
  }
  if (command.words.empty()) return out;
  const std::string& program = command.words[0].text;
  const size_t slash = has_path ? std::string::npos : program.rfind('/');
  append_word(out, command.words[0], slash == std::string::npos ? 0 : slash + 1);
  for (size_t i = rest; i < command.words.size(); ++i) {
    out += kBreak;
    append_word(out, command.words[i]);
  }
  if (command.is_open) (out += kBreak) += kAnything;
  return out;
}

/// Whether a text without gaps fits a pattern.
bool fits_known(std::string_view pattern, std::string_view text) {
  size_t star = pattern.find(kAnything);
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  for (;;) {
    pattern.remove_prefix(star + 1);
    star = pattern.find(kAnything);
    if (star == std::string_view::npos) return text.ends_with(pattern);
    const size_t at = text.find(pattern.substr(0, star));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + star);
  }
}

/// Whether some text fits both. `reached[j]` says that the pattern so far and the first `j` bytes of the text agree.
bool may_both_fit(std::string_view pattern, std::string_view text) {
  if (pattern.size() * text.size() > kMaxProduct) return true;
  std::vector<bool> reached(text.size() + 1);
  reached[0] = true;
  const auto skip_gaps = [&] {
    for (size_t j = 0; j < text.size(); ++j) {
      if (reached[j] && text[j] == kAnything) reached[j + 1] = true;
    }
  };
  skip_gaps();
  for (const char c : pattern) {
    std::vector<bool> next(text.size() + 1);
    for (size_t j = 0; j <= text.size(); ++j) {
      const bool is_gap = j < text.size() && text[j] == kAnything;
      if (c == kAnything) {
        next[j] = reached[j] || (j > 0 && next[j - 1]);
      } else {
        if (reached[j] && is_gap) next[j] = true;  // the gap holds this character, and maybe more
        if (j > 0 && reached[j - 1] && text[j - 1] == c) next[j] = true;
      }
    }
    reached = std::move(next);
    skip_gaps();
  }
  return reached[text.size()];
}

bool is_fixed(const Word& word) {
  return !word.is_dynamic() && word.text.find_first_of(kMarks) == std::string::npos;
}

/// `time` as the shell's own word: it runs the rest of the line and does nothing else.
bool only_times(const SimpleCommand& command) {
  return command.words.size() > 1 && command.words[0].text == "time" && !command.words[1].text.starts_with('-') &&
         command.redirections.empty() && command.assignments.empty();
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The words and redirections of a pattern.
struct PatternParts {
  std::vector<shell::Token> words;
  std::vector<std::pair<std::string, shell::Token>> redirections;  ///< operator and target
  bool has_operators = false;  ///< others than those of redirections: no single command has them
};

PatternParts read_pattern(std::string_view pattern) {
  PatternParts out;
  const std::vector<shell::Token> tokens = shell::tokenize(pattern);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is_operator) {
      out.words.push_back(tokens[i]);
      continue;
    }
    const size_t begin = tokens[i].begin;
    std::string op = tokens[i].text;
    while (i + 1 < tokens.size() && tokens[i + 1].is_operator && tokens[i + 1].begin == tokens[i].end) {
      op += tokens[++i].text;
    }
    if (op.find_first_of("<>") == std::string::npos || i + 1 == tokens.size() || tokens[i + 1].is_operator) {
      out.has_operators = true;
      continue;
    }
    // `2>` is the number of a descriptor.
    const bool has_number = !out.words.empty() && out.words.back().end == begin && is_number(out.words.back().text);
    if (has_number) out.words.pop_back();
    out.redirections.emplace_back(std::move(op), tokens[++i]);
  }
  return out;
}

void append_token(std::string& out, const shell::Token& token) {
  for (const char c : token.text) out += c == '*' && token.has_glob ? kAnything : kMarks.contains(c) ? kReplaced : c;
}

/// `matches_command` has an answer of its own for the word: options are found however they are spelled.
bool is_comparable_word(const shell::Token& token) {
  const bool is_option = token.text.size() > 1 && token.text.starts_with('-');
  return !token.text.empty() && !(is_option && (token.has_glob || token.text == "--"));
}

}  // namespace

CommandPattern::CommandPattern(std::string_view pattern) {
  pattern = text::trim(pattern);
  ends_at_word_ = pattern.ends_with(" *") || pattern.ends_with(":*");
  if (ends_at_word_) pattern.remove_suffix(2);
  const PatternParts parts = read_pattern(pattern);
  for (const shell::Token& word : parts.words) {
    if (!text_.empty()) text_ += kBreak;
    append_token(text_, word);
  }
  for (const auto& [op, target] : parts.redirections) {
    ((text_ += kBreak) += op) += kBreak;
    append_token(text_, target);
  }
  redirections_ = parts.redirections.size();
  has_path_ = !parts.words.empty() && parts.words[0].text.contains('/');
  // Nothing runs several commands as one: such a pattern fits no command.
  if (parts.has_operators) text_ = kReplaced;
  const bool is_prefix = ends_at_word_ && redirections_ == 0 && !parts.has_operators;
  if (is_prefix && std::ranges::all_of(parts.words, is_comparable_word)) {
    for (const shell::Token& word : parts.words) words_.push_back(word.text);
  }
}

Certainty CommandPattern::fits(std::string_view command) const {
  const auto fit = [&](std::string_view pattern) {
    if (!command.contains(kAnything)) return fits_known(pattern, command) ? Certainty::Yes : Certainty::No;
    return may_both_fit(pattern, command) ? Certainty::Maybe : Certainty::No;
  };
  const Certainty whole = fit(text_);
  if (whole != Certainty::No || !ends_at_word_) return whole;
  return fit(text_ + kBreak + kAnything);
}

Certainty CommandPattern::matches_one(const SimpleCommand& command) const {
  Certainty best = words_.empty() ? Certainty::No : matches_command(command, words_);
  // What code mentions is compared with words; a pattern that is more than words may be about anything.
  if (command.code) return words_.empty() ? Certainty::Maybe : best;
  if (best == Certainty::Yes) return best;
  const auto compare = [&](const std::string& words) {
    best = std::max(best, fits(words));
    std::string all = words;
    for (const Redirection& redirection : command.redirections) {
      std::string one = words;
      append_redirection(one, redirection);
      append_redirection(all, redirection);
      best = std::max(best, fits(one));
    }
    if (command.redirections.size() > 1) best = std::max(best, fits(all));
  };
  compare(text_of_words(command, has_path_));
  const size_t subcommand = find_subcommand(command);
  if (subcommand > 1) compare(text_of_words(command, has_path_, subcommand));
  return best;
}

Certainty CommandPattern::matches(const ParsedCommand& parsed) const {
  Certainty best = parsed.is_unclear ? Certainty::Maybe : Certainty::No;
  for (const SimpleCommand& command : parsed.commands) {
    best = std::max(best, matches_one(command));
    if (best == Certainty::Yes) break;
    if (best == Certainty::Maybe || words_.empty()) continue;
    for (const SimpleCommand& guess : guesses_of(command, {words_})) {
      best = std::max(best, std::min(Certainty::Maybe, matches_command(guess, words_)));
    }
  }
  return best;
}

bool CommandPattern::covers_one(const SimpleCommand& command) const {
  const auto stands_as_it_is = [](const Word& word) { return is_fixed(word) && word.end != 0; };
  const auto is_plain_target = [](const Redirection& redirection) {
    return is_fixed(redirection.target) && !redirection.target.has_glob && !redirection.op.starts_with("<<");
  };
  const bool is_plain = !command.words.empty() && command.assignments.empty() && !command.is_open &&
                        command.redirections.size() == redirections_ &&
                        std::ranges::all_of(command.words, stands_as_it_is) &&
                        std::ranges::all_of(command.redirections, is_plain_target);
  if (!is_plain) return false;
  std::string text = text_of_words(command, true);
  for (const Redirection& redirection : command.redirections) append_redirection(text, redirection);
  return fits(text) == Certainty::Yes;
}

bool CommandPattern::covers(const ParsedCommand& parsed) const {
  if (parsed.is_unclear || parsed.has_blocks) return false;
  bool has_any = false;
  for (const SimpleCommand& command : parsed.commands) {
    const bool is_written = std::ranges::all_of(command.wrappers, [](const auto& name) { return name == "time"; });
    if (!is_written || only_times(command)) continue;
    if (!covers_one(command)) return false;
    has_any = true;
  }
  return has_any;
}

}  // namespace grapnel::call
