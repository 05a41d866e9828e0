#include "match/replace.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "match/ecma_regex.h"
#include "match/regex_engine.h"

namespace grapnel::match {

/// The same two engines as `Regex`, but without its shortcuts: a replacement needs to know where the match is.
Result<Replacer> Replacer::compile(std::string_view pattern) {
  const auto refuse = [&] { return fail(Errc::InvalidPattern, "/" + std::string(pattern) + "/ cannot be used"); };
  const auto translation = translate_ecma(pattern);
  if (!translation) return refuse();
  auto engine = translation->needs_backtracking ? compile_pcre2(translation->pattern, Regex::Anchor::Search)
                                                : compile_re2(translation->pattern, Regex::Anchor::Search);
  if (!engine) return refuse();
  return Replacer(std::move(*engine));
}

/// Goes from match to match. After an empty match the search continues one character later, because it would find the
/// same place again; such a match replaces nothing.
std::optional<std::string> Replacer::replace_all(std::string_view subject, std::string_view text) const {
  const std::string valid = text::to_valid_utf8(subject);
  const std::string_view whole = valid;
  std::string out;
  size_t copied = 0;
  size_t at = 0;
  while (at <= whole.size()) {
    const RegexEngine::Found found = engine_->find(whole, at);
    if (found.outcome == MatchOutcome::Limit) return std::nullopt;
    if (found.outcome == MatchOutcome::No) break;
    if (found.end == found.begin) {
      at = found.end + std::max<size_t>(text::find_character(whole.substr(found.end), 1), 1);
      continue;
    }
    out += whole.substr(copied, found.begin - copied);
    out += text;
    copied = at = found.end;
  }
  return out + std::string(whole.substr(copied));
}

}  // namespace grapnel::match
