#include "mask/secrets.h"

#include <algorithm>
#include <set>

#include "mask/names.h"
#include "mask/values.h"

namespace grapnel::mask {

namespace {

/// Wherever a secret was found, the same word elsewhere in the text is the same secret: "echo hunter2 | login" and then
/// "hunter2 was refused".
void find_again(std::string_view text, Spans& spans) {
  std::set<std::string_view> found;
  for (const Span& span : spans) {
    const std::string_view secret = text.substr(span.begin, span.end - span.begin);
    if (has_odd_part(secret)) found.insert(secret);
  }
  for (const std::string_view secret : found) {
    for (size_t at = text.find(secret); at != std::string_view::npos; at = text.find(secret, at + secret.size())) {
      spans.push_back({at, at + secret.size()});
    }
  }
}

}  // namespace

Spans find_secrets(std::string_view text, Search search) {
  Spans spans;
  find_shapes(text, spans);
  if (search == Search::All) find_random_words(text, spans);
  if (may_tell(text) || text.contains("ароль")) {  // Russian for password, whose first letter may be a capital
    find_named_values(text, spans);
    find_in_prose(text, spans);
  }
  find_in_commands(text, spans);
  if (spans.empty()) return spans;
  find_again(text, spans);
  std::ranges::sort(spans, {}, &Span::begin);
  Spans merged;
  for (const Span& span : spans) {
    if (!merged.empty() && span.begin < merged.back().end) {
      merged.back().end = std::max(merged.back().end, span.end);
    } else if (span.end > span.begin) {
      merged.push_back(span);
    }
  }
  return merged;
}

}  // namespace grapnel::mask
