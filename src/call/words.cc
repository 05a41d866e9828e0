#include "call/words.h"

#include <algorithm>

#include "base/text.h"
#include "call/guess.h"
#include "call/mention.h"
#include "call/options.h"

/// How words are matched.
///
/// A pattern is a short list of words; a command is a list of words with gaps, options and perhaps more words to come.
/// The matcher walks both with backtracking: at each word of the command it either accepts the word for the next
/// pattern word, skips it because it is an option (with or without a value), or lets a `*` take it. The best answer of
/// all ways counts. A budget of steps keeps patterns with many stars from taking exponential time; a command that
/// exhausts it gets `Maybe`.
namespace grapnel::call {

namespace {

/// The word as a wildcard pattern, in which unknown text and globs are `*`. Brackets end the known part: what they
/// match is not worth working out for an answer that is `Maybe` at best.
std::string as_pattern(const Word& word) {
  std::string out;
  size_t from = 0;
  for (const size_t gap : word.gaps) {
    out += word.text.substr(from, gap - from) + "*";
    from = gap;
  }
  out += word.text.substr(from);
  if (word.has_glob) {
    std::ranges::replace(out, '?', '*');
    if (out.contains('[')) out = out.substr(0, out.find('[')) + "*";
  }
  return out;
}

/// For a word whose gaps may contain word breaks. After expansion the known text in front of the first gap may be a
/// whole word, so the wanted word has to start with it.
bool may_start(const Word& word, std::string_view wanted) {
  return wanted.starts_with(word.text.substr(0, word.gaps.front()));
}

/// One word of a command against one word of a pattern. Where both sides have wildcards the answer is `Maybe`.
Certainty compare_word(const Word& word, std::string_view wanted) {
  if (word.is_odd) return Certainty::Maybe;
  const bool is_pattern = wanted.contains('*');
  if (word.gaps.empty() && !word.has_glob) return text::fits_wild(word.text, wanted) ? Certainty::Yes : Certainty::No;
  if (is_pattern) return Certainty::Maybe;
  return text::fits_wild(wanted, as_pattern(word)) ? Certainty::Maybe : Certainty::No;
}

/// The same for the program: compared by base name unless the pattern spells out a path.
Certainty compare_program(const Word& word, std::string_view wanted) {
  if (wanted.contains('/')) return compare_word(word, wanted);
  Word last = word;
  const size_t slash = word.text.rfind('/');
  if (slash != std::string::npos) {
    last.text = word.text.substr(slash + 1);
    std::erase_if(last.gaps, [&](size_t gap) { return gap <= slash; });
    for (size_t& gap : last.gaps) gap -= slash + 1;
  }
  return compare_word(last, wanted);
}

/// Matches the words from `at` on with the pattern words from `next` on. `trail_` is the path taken so far: which words
/// each pattern word stands for.
class Matching {
 public:
  Matching(const SimpleCommand& command, const std::vector<std::string>& pattern)
      : command_(command), pattern_(pattern), options_(find_options(program_of(command))) {}

  Certainty match(size_t at, size_t next) {
    if (next == pattern_.size()) {
      reached_ = trail_;
      return Certainty::Yes;
    }
    if (++steps_ > kMaxSteps) return Certainty::Maybe;
    const std::string& wanted = pattern_[next];
    if (wanted == "*") return match_any(at, next);
    if (wanted.size() > 1 && wanted[0] == '-') return std::min(has_flag(command_, wanted), go_on({at, at}, next));
    if (at >= command_.words.size()) return command_.is_open ? Certainty::Maybe : Certainty::No;
    const Word& word = command_.words[at];
    if (!word.gaps.empty() && word.splits && may_break(word, wanted, at)) return Certainty::Maybe;
    const Certainty here = at == 0 ? compare_program(word, wanted) : compare_word(word, wanted);
    Certainty best = here == Certainty::No ? Certainty::No : std::min(here, go_on({at, at + 1}, next));
    if (best != Certainty::Yes && at > 0) best = std::max(best, match_behind_option(at, next));
    return best;
  }

  /// The trail of the last complete match.
  const std::vector<WordRange>& reached() const { return reached_; }

 private:
  static constexpr int kMaxSteps = 20'000;

  static std::string_view program_of(const SimpleCommand& command) {
    return command.words.empty() ? "" : base_name(command.words[0].text);
  }

  /// For an unquoted gap: the known text in front of it may already be the whole word, and anything may follow.
  static bool may_break(const Word& word, std::string_view wanted, size_t at) {
    if (word.gaps.front() == 0) return true;
    if (at > 0) return may_start(word, wanted);
    const std::string_view known = base_name(std::string_view(word.text).substr(0, word.gaps.front()));
    return wanted.starts_with(known);
  }

  Certainty match_any(size_t at, size_t next) {
    // A star may take none, one or many words. One is tried first, because `align_words` reports what the star took and
    // one word is what people expect.
    const bool has_word = at < command_.words.size();
    Certainty best = has_word ? go_on({at, at + 1}, next) : Certainty::No;
    if (best != Certainty::Yes) best = std::max(best, go_on({at, at}, next));
    for (size_t k = at + 2; k <= command_.words.size() && best != Certainty::Yes; ++k) {
      best = std::max(best, go_on({at, k}, next));
    }
    return best;
  }

  /// Lets the pattern word `next` stand for `range` and matches the rest of the pattern behind that range.
  Certainty go_on(WordRange range, size_t next) {
    trail_.push_back(range);
    const Certainty rest = match(range.to, next + 1);
    trail_.pop_back();
    return rest;
  }

  /// Skips the option at `at`, and its value if it takes one, and goes on. `No` when the word is not an option. cargo's
  /// `+nightly` counts as an option.
  Certainty match_behind_option(size_t at, size_t next) {
    const std::string& text = command_.words[at].text;
    const bool is_toolchain = text.starts_with('+') && program_of(command_) == "cargo";
    if (!is_toolchain && (text.size() < 2 || text[0] != '-')) return Certainty::No;
    if (read_option(options_, text).takes_next) return match(at + 2, next);
    const Certainty behind = match(at + 1, next);
    if (options_ != nullptr || text.contains('=') || is_toolchain || behind == Certainty::Yes) return behind;
    // This program is not in the table, so the next word may be the option's value or not.
    return std::max(behind, std::min(Certainty::Maybe, match(at + 2, next)));
  }

  const SimpleCommand& command_;
  const std::vector<std::string>& pattern_;
  const OptionRow* options_;
  int steps_ = 0;
  std::vector<WordRange> trail_;
  std::vector<WordRange> reached_;
};

/// A quick check of the first two words, which settles most comparisons. True means that the command certainly does not
/// match; false means nothing.
bool is_plainly_another(const SimpleCommand& command, const std::vector<std::string>& pattern) {
  for (size_t i = 0; i < std::min({size_t{2}, pattern.size(), command.words.size()}); ++i) {
    const Word& word = command.words[i];
    const std::string_view wanted = pattern[i];
    const bool is_plain = word.gaps.empty() && !word.has_glob && !word.is_odd;
    const bool is_option = i > 0 && (word.text.starts_with('-') || word.text.starts_with('+'));
    if (!is_plain || is_option || wanted.starts_with('-') || wanted.contains('*')) return false;
    const bool is_name = i == 0 && !wanted.contains('/');
    if ((is_name ? base_name(word.text) : std::string_view(word.text)) != wanted) return true;
  }
  return false;
}

}  // namespace

Certainty matches_command(const SimpleCommand& command, const std::vector<std::string>& pattern) {
  if (command.code) return Mentions::of_code(*command.code).command(pattern) ? Certainty::Maybe : Certainty::No;
  if (command.words.empty() || pattern.empty() || is_plainly_another(command, pattern)) return Certainty::No;
  return Matching(command, pattern).match(0, 0);
}

std::optional<std::vector<WordRange>> align_words(const SimpleCommand& command,
                                                  const std::vector<std::string>& pattern) {
  if (command.words.empty() || pattern.empty()) return std::nullopt;
  Matching matching(command, pattern);
  if (matching.match(0, 0) != Certainty::Yes) return std::nullopt;
  std::vector<WordRange> ranges = matching.reached();
  if (pattern.back() == "*") ranges.back().to = command.words.size();
  return ranges;
}

size_t find_subcommand(const SimpleCommand& command) {
  const OptionRow* const options = command.words.empty() ? nullptr : find_options(base_name(command.words[0].text));
  size_t at = 1;
  while (options != nullptr && at < command.words.size() && is_option(command.words[at].text)) {
    at += read_option(options, command.words[at].text).takes_next ? 2 : 1;
  }
  return at;
}

Certainty any_matches(const ParsedCommand& parsed, const std::vector<std::string>& pattern) {
  Certainty best = parsed.is_unclear ? Certainty::Maybe : Certainty::No;
  for (const SimpleCommand& command : parsed.commands) {
    best = std::max(best, matches_command(command, pattern));
    for (const SimpleCommand& guess :
         best == Certainty::No ? guesses_of(command, {pattern}) : std::vector<SimpleCommand>{}) {
      best = std::max(best, std::min(Certainty::Maybe, matches_command(guess, pattern)));
    }
  }
  return best;
}

Certainty all_match(const ParsedCommand& parsed, const std::vector<std::vector<std::string>>& patterns) {
  if (parsed.commands.empty()) return Certainty::No;
  Certainty all = parsed.is_unclear ? Certainty::Maybe : Certainty::Yes;
  for (const SimpleCommand& command : parsed.commands) {
    Certainty best = Certainty::No;
    for (const auto& pattern : patterns) best = std::max(best, matches_command(command, pattern));
    all = std::min(all, best);
  }
  return all;
}

}  // namespace grapnel::call
