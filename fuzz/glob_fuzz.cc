#include <fnmatch.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "match/glob.h"
#include "match/matcher.h"

// Input: pattern, line break, subject. No input may crash or take long. Where the shell's globs have the same meaning
// as ours, both must give the same result.

namespace {

using namespace grapnel;

/// Only literals, `?` and `*` over letters and dots: fnmatch(3) and minimatch without `matchBase` mean the same.
bool is_common_ground(std::string_view pattern, std::string_view subject) {
  return !pattern.empty() && !subject.empty() &&
         pattern.find_first_not_of("abcdefghijklmnopqrstuvwxyz.?*/") == std::string_view::npos &&
         subject.find_first_not_of("abcdefghijklmnopqrstuvwxyz./") == std::string_view::npos &&
         !pattern.contains("**") && !pattern.contains("..") && !subject.contains("..") && !pattern.contains("//") &&
         !subject.contains("//") && !pattern.ends_with('/') && !subject.ends_with('/') && !pattern.contains("./") &&
         !subject.contains("./") && !subject.ends_with('.') && !pattern.contains("*/") && !pattern.contains("/*") &&
         pattern != "*" && !pattern.contains(".*") && !pattern.contains(".?");
}

bool shell_matches(const std::string& pattern, const std::string& subject) {
  return fnmatch(pattern.c_str(), subject.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t split = input.find('\n');
  if (split == std::string_view::npos) return 0;
  const std::string pattern(input.substr(0, split));
  const std::string subject(input.substr(split + 1));
  for (const auto syntax : {MatchSyntax::Glob, MatchSyntax::GlobBash, MatchSyntax::GlobMatchBase}) {
    const auto matcher = Matcher::compile(pattern, syntax);
    if (matcher) matcher->matches(subject);
  }
  if (!is_common_ground(pattern, subject)) return 0;
  match::GlobStyle style = match::kMinimatchBase;
  style.match_base = false;
  const auto glob = match::Glob::compile(pattern, style);
  GRAPNEL_CHECK(glob && glob->matches(subject) == shell_matches(pattern, subject));
  return 0;
}
