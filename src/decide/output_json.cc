#include "decide/output_json.h"

#include "base/text.h"

namespace grapnel {

namespace {

/// How many line starts are tried as the beginning of an object, and how many objects are read. Both keep the time for
/// a long output bounded, since every attempt parses the rest of the text.
constexpr int kMaxEmbeddedTries = 64;
constexpr int kMaxObjects = 16;

/// Some hooks print their answer as a JSON string. Returns the object inside it, or the value itself if there is none.
Json unwrap(Json value) {
  const auto inner = value.as_string();
  if (!inner) return value;
  auto parsed = Json::parse(*inner);
  return parsed && parsed->is_object() ? *parsed : value;
}

/// Removes the last object from the text and returns it; missing if there is none. The object must start at the
/// beginning of a line and reach to the end of the text. Line starts are tried from the end backwards, because a hook
/// prints its answer after its log lines.
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

/// Removes an object from the beginning of the text and returns it; missing if there is none. The object must end at
/// the end of a line. This finds the answer of a hook that goes on to print: a command after it must not lose a deny.
Json take_first_object(std::string& text) {
  if (!text.starts_with('{')) return {};
  size_t end = 0;
  for (int tries = 0; tries < kMaxEmbeddedTries; ++tries) {
    end = text.find("}\n", end);
    if (end == std::string::npos) return {};
    auto parsed = Json::parse(text.substr(0, ++end));
    if (!parsed || !parsed->is_object()) continue;
    text = text::trim(text.substr(end));
    return *parsed;
  }
  return {};
}

/// Takes objects off the end of the text until something else comes. The last one is the answer; the earlier ones may
/// be answers of hooks that this hook ran.
ParsedOutput find_embedded(std::string text) {
  ParsedOutput out;
  out.object = take_last_object(text);
  if (!out.object) out.object = take_first_object(text);
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
  // A plain JSON string stays text, with its quotes; numbers, booleans, null and arrays say nothing at all.
  if (value.is_object()) return {value, "", false, {}};
  if (value.is_string()) return {Json(), text, false, {}};
  return {};
}

}  // namespace grapnel
