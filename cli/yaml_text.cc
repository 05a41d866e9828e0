#include "cli/yaml_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace grapnel::cli {

namespace {

/// Longer texts are always quoted.
constexpr size_t kMaxPlain = 100;

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Whether YAML reads the unquoted text as exactly this string, even inside brackets. The check is strict on purpose: a
/// text that it rejects without need is merely quoted.
bool is_plain(std::string_view text) {
  // Words that YAML (1.1 or 1.2) reads as a boolean or as null.
  constexpr auto kMeaningful =
      std::to_array<std::string_view>({"true", "false", "null", "yes", "no", "on", "off", "True", "False", "Null"});
  constexpr std::string_view kHarmless = " _-./()=+;";
  const bool starts_well = !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
  if (!starts_well || text.ends_with(' ') || text.size() > kMaxPlain) return false;
  if (std::ranges::find(kMeaningful, text) != kMeaningful.end()) return false;
  return std::ranges::all_of(
      text, [&](char c) { return is_word_character(c) || kHarmless.find(c) != std::string_view::npos; });
}

}  // namespace

std::string yaml_text(const Json& value) {
  const auto text = value.as_string();
  // Every JSON value is valid YAML.
  return text && is_plain(*text) ? *text : value.dump();
}

}  // namespace grapnel::cli
