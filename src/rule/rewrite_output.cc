#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "match/replace.h"
#include "rule/rewrite.h"

/// The output of a tool is a string, or a list or object that contains strings. Each string is rewritten by itself, at
/// any depth, and the structure stays. Masks come first: they may match text of several lines, some of which are
/// dropped later.
namespace grapnel::rule {

namespace {

std::string join_lines(const std::vector<std::string_view>& lines) {
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) out += '\n';
    out += lines[i];
  }
  return out;
}

/// Removes the lines that one of the patterns matches.
void drop_lines(const std::vector<Matcher>& patterns, std::vector<std::string_view>& lines) {
  std::erase_if(lines, [&](std::string_view line) {
    return std::ranges::any_of(patterns, [&](const Matcher& pattern) { return pattern.matches(line); });
  });
}

/// Keeps the first and the last lines, with a mark between them that says how many are missing. The head gets one line
/// more if the number is odd.
std::string cut_middle(const std::vector<std::string_view>& lines, size_t max_lines) {
  if (lines.size() <= max_lines) return join_lines(lines);
  const size_t head = (max_lines + 1) / 2;
  const size_t tail = max_lines - head;
  const auto count = static_cast<ptrdiff_t>(tail);
  const std::string mark = "[… " + std::to_string(lines.size() - max_lines) + " lines left out …]";
  std::vector<std::string_view> kept(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(head));
  kept.emplace_back(mark);
  kept.insert(kept.end(), lines.end() - count, lines.end());
  return join_lines(kept);
}

/// Compiled once for one output, with the text to put in place of a match.
using Masks = std::vector<std::pair<match::Replacer, std::string>>;

/// Rewrites one string.
Result<std::string> rewrite_text(const RuleRewrite& rewrite, const Masks& masks, std::string text) {
  for (const auto& [regex, instead] : masks) {
    auto masked = regex.replace_all(text, instead);
    if (!masked) return fail(Errc::LimitExceeded, "a mask exceeds the limits for matching on this output");
    text = std::move(*masked);
  }
  if (rewrite.drop_lines.empty() && !rewrite.max_lines) return text;
  // The line break at the end does not start another, empty line.
  const bool has_end = text.ends_with('\n');
  if (has_end) text.pop_back();
  std::vector<std::string_view> lines = text::split(text, '\n');
  drop_lines(rewrite.drop_lines, lines);
  return cut_middle(lines, rewrite.max_lines.value_or(lines.size())) + (has_end && !lines.empty() ? "\n" : "");
}

/// Rewrites all strings in a value. Numbers, truth values and null stay.
Result<Json> rewrite_value(const RuleRewrite& rewrite, const Masks& masks, const Json& value) {
  if (auto text = value.as_string()) {
    auto changed = rewrite_text(rewrite, masks, std::move(*text));
    if (!changed) return std::unexpected(changed.error());
    return Json::string(*changed);
  }
  if (value.is_array()) {
    std::vector<Json> elements;
    for (const Json& element : value.elements()) {
      auto changed = rewrite_value(rewrite, masks, element);
      if (!changed) return changed;
      elements.push_back(std::move(*changed));
    }
    return Json::array(elements);
  }
  Json out = value;
  for (const JsonMember& member : value.members()) {
    auto changed = rewrite_value(rewrite, masks, member.value);
    if (!changed) return changed;
    out = out.with(member.key, *changed);
  }
  return out;
}

}  // namespace

Result<Json> rewrite_output(const RuleRewrite& rewrite, const Json& output) {
  Masks masks;
  for (const auto& [pattern, instead] : rewrite.mask) {
    auto regex = match::Replacer::compile(pattern);
    if (!regex) return std::unexpected(regex.error());
    masks.emplace_back(std::move(*regex), instead);
  }
  return rewrite_value(rewrite, masks, output);
}

}  // namespace grapnel::rule
