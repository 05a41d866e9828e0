#include "agent/unfinished_intent.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace grapnel::agent {

namespace {

/// Endings and openings in English and Chinese; openings are compared in lower case. Add one when a model is seen to
/// stop after it. A false match costs one extra model call, so an opening should be a clear announcement.
constexpr auto kOpenEndings = std::to_array<std::string_view>({":", "：", "...", "…"});
constexpr auto kOpenings = std::to_array<std::string_view>({
    "let me ",
    "let's ",
    "i will ",
    "i'll ",
    "i am going to ",
    "i'm going to ",
    "next, i",
    "now i",
    "让我",
    "我将",
    "我来",
    "接下来",
});

/// The last sentence, without its own full stop.
std::string_view last_sentence(std::string_view text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '!')) text.remove_suffix(1);
  const size_t at = text.find_last_of(".!?\n");
  return text::trim(at == std::string_view::npos ? text : text.substr(at + 1));
}

}  // namespace

/// Only the last sentence matters: earlier ones often describe a plan that has been carried out since.
bool is_unfinished_intent(std::string_view said) {
  const std::string_view text = text::trim(said);
  if (text.empty() || text.back() == '?') return false;
  if (std::ranges::any_of(kOpenEndings, [&](std::string_view ending) { return text.ends_with(ending); })) return true;
  const std::string sentence = text::to_lower(last_sentence(text));
  return std::ranges::any_of(kOpenings, [&](std::string_view opening) { return sentence.starts_with(opening); });
}

}  // namespace grapnel::agent
