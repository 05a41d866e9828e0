#include "decide/output_json.h"

#include "base/text.h"

namespace grapnel {

namespace {

constexpr int kMaxEmbeddedTries = 64;
constexpr int kMaxObjects = 16;

/// The document inside a string that holds JSON itself, or the value as it is.
Json unwrap(Json value) {
  const auto inner = value.as_string();
  if (!inner) return value;
  auto parsed = Json::parse(*inner);
  return parsed && parsed->is_object() ? *parsed : value;
}

/// Takes an object that starts at the beginning of some line and runs to the end off the text; missing without one.
Json take_last_object(std::string& text) {
  size_t at = text.size();
  for (int tries = 0; tries < kMaxEmbeddedTries && at > 0; ++tries) {
    const size_t newline = text.rfind("\n{", at - 1);
    const size_t start = newline == std::string::npos ? 0 : newline + 1;
    auto parsed = Json::parse(text.substr(start));
    if (parsed && parsed->is_object()) {
      text = text::trim(text.substr(0, start));
      return *parsed;
    }
    at = newline == std::string::npos ? 0 : newline;
  }
  return {};
}

ParsedOutput find_embedded(std::string text) {
  ParsedOutput out;
  out.object = take_last_object(text);
  for (int count = 1; out.object && count < kMaxObjects; ++count) {
    const Json before = take_last_object(text);
    if (!before) break;
    out.earlier.insert(out.earlier.begin(), before);
  }
  out.is_broken = !out.object && text.starts_with('{');
  out.text = std::move(text);
  return out;
}

}  // namespace

ParsedOutput parse_output(std::string_view bytes) {
  const std::string text(text::trim(text::to_valid_utf8(bytes)));
  if (text.empty()) return {};
  auto parsed = Json::parse(text);
  if (!parsed) return find_embedded(text);
  const Json value = unwrap(*parsed);
  if (value.is_object()) return {value, "", false, {}};
  if (value.is_string()) return {Json(), text, false, {}};
  return {};
}

}  // namespace grapnel
