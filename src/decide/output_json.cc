#include "decide/output_json.h"

#include "base/text.h"

namespace grapnel {

namespace {

constexpr int kMaxEmbeddedTries = 64;

/// The document inside a string that holds JSON itself, or the value as it is.
Json unwrap(Json value) {
  const auto inner = value.as_string();
  if (!inner) return value;
  auto parsed = Json::parse(*inner);
  return parsed && parsed->is_object() ? *parsed : value;
}

/// An object that starts at the beginning of some line and runs to the end of the text; the last such one.
ParsedOutput find_embedded(const std::string& text) {
  size_t at = text.size();
  for (int tries = 0; tries < kMaxEmbeddedTries && at > 0; ++tries) {
    const size_t newline = text.rfind("\n{", at - 1);
    if (newline == std::string::npos) break;
    at = newline;
    if (auto parsed = Json::parse(text.substr(at + 1)); parsed && parsed->is_object()) {
      return {*parsed, std::string(text::trim(text.substr(0, at))), false};
    }
  }
  return {Json(), text, text.starts_with('{')};
}

}  // namespace

ParsedOutput parse_output(std::string_view bytes) {
  const std::string text(text::trim(text::to_valid_utf8(bytes)));
  if (text.empty()) return {};
  auto parsed = Json::parse(text);
  if (!parsed) return find_embedded(text);
  const Json value = unwrap(*parsed);
  if (value.is_object()) return {value, "", false};
  if (value.is_string()) return {Json(), text, false};
  return {};
}

}  // namespace grapnel
