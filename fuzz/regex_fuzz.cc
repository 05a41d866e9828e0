#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "match/matcher.h"
#include "match/regex.h"

// Input: pattern, line break, subject. No input may crash or take long; a pattern that compiles for a search also
// compiles for the whole subject, and a subject that matches as a whole is also found by a search.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace grapnel;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t split = input.find('\n');
  if (split == std::string_view::npos) return 0;
  const std::string_view pattern = input.substr(0, split);
  const std::string_view subject = input.substr(split + 1);
  const auto search = match::Regex::compile(pattern, match::Regex::Anchor::Search);
  const auto whole = match::Regex::compile(pattern, match::Regex::Anchor::Whole);
  GRAPNEL_CHECK(search.has_value() == whole.has_value());
  if (search) {
    const MatchOutcome found = search->match(subject);
    GRAPNEL_CHECK(found != MatchOutcome::No || whole->match(subject) != MatchOutcome::Yes);
  }
  for (const auto syntax : {MatchSyntax::NamesOrRegex, MatchSyntax::NamesOrSearch, MatchSyntax::ListOrSearch,
                            MatchSyntax::SearchRegex, MatchSyntax::StrictRegex}) {
    const auto matcher = Matcher::compile(pattern, syntax);
    if (!matcher) continue;
    matcher->matches(subject);
    if (const auto names = matcher->exact_names())
      for (const std::string& name : *names) GRAPNEL_CHECK(matcher->matches(name));
  }
  return 0;
}
