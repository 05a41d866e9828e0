#include "dialect/agent_facts.h"

#include <algorithm>
#include <charconv>

#include "dialect/dialect.h"
#include "dialect/payload.h"

namespace grapnel {

namespace {

/// Versions are short. Anything longer is not a version, and records keep these texts.
constexpr size_t kMaxVersion = 64;

/// The number in the line that begins as the place says.
std::optional<int> number_in_line(std::string_view text, const ExitPlace& place) {
  std::optional<int> found;
  for (size_t at = text.find(place.line); at != std::string_view::npos; at = text.find(place.line, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    int number = 0;
    const char* from = text.data() + at + place.line.size();
    if (std::from_chars(from, text.data() + text.size(), number).ec == std::errc()) found = number;
    if (found && !place.is_last) break;
  }
  return found;
}

std::optional<int> code_at(const Json& value, const ExitPlace& place) {
  const Json told = place.pointer.empty() ? value : value.at_pointer(place.pointer);
  if (!place.line.empty()) return number_in_line(told.as_string().value_or(""), place);
  const auto number = told.as_integer();
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

std::string agent_version(const Event& event, const Environment& env) {
  const VersionPlace& place = event.dialect().version;
  if (!place.pointer.empty()) {
    return event.payload().at_pointer(place.pointer).as_string().value_or("").substr(0, kMaxVersion);
  }
  if (place.variable.empty()) return "";
  std::string_view value = env.get(place.variable);
  if (!value.starts_with(place.prefix)) return "";
  value.remove_prefix(place.prefix.size());
  std::string version(value.substr(0, std::min(value.find('_'), kMaxVersion)));
  std::ranges::replace(version, place.dot, '.');
  return version;
}

std::optional<int> told_exit_code(const Event& event) {
  for (const ExitPlace& place : event.dialect().tools.exit_code) {
    const Json value = field_as(event, event.dialect(), place.in_error ? Field::Error : Field::ToolOutput);
    if (const auto code = value ? code_at(value, place) : std::nullopt) return code;
  }
  return std::nullopt;
}

}  // namespace grapnel
