#include "match/regex.h"

#include "base/text.h"
#include "match/regex_engine.h"

namespace grapnel::match {

namespace {

constexpr size_t kMaxPattern = size_t{16} << 10;

}  // namespace

std::expected<Regex, RegexError> Regex::compile(std::string_view pattern, Anchor anchor) {
  if (pattern.size() > kMaxPattern)
    return std::unexpected(RegexError{RegexError::Kind::TooLarge, kMaxPattern, "longer than 16384 bytes"});
  auto translation = translate_ecma(pattern);
  if (!translation) return std::unexpected(translation.error());
  auto engine = translation->needs_backtracking ? compile_pcre2(translation->pattern, anchor)
                                                : compile_re2(translation->pattern, anchor);
  if (!engine) return std::unexpected(engine.error());
  return Regex(std::move(*engine));
}

MatchOutcome Regex::match(std::string_view subject) const {
  if (text::is_valid_utf8(subject)) return engine_->match(subject);
  return engine_->match(text::to_valid_utf8(subject));
}

}  // namespace grapnel::match
