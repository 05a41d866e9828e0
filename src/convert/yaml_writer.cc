#include "convert/yaml_writer.h"

#include <algorithm>

namespace grapnel {

/// Always quoted: a bare `yes`, `1e3` or `~` would be read as something other than text.
std::string yaml_text(std::string_view text) {
  // Single quotes need no escapes but cannot contain control characters. A JSON string is valid YAML and can.
  const bool is_one_line = std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' && c != 0x7f; });
  if (!is_one_line) return Json::string(text).dump();
  std::string out;
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return "'" + out + "'";
}

std::string yaml_lines(const Json& object, const std::string& indent) {
  std::string out;
  for (const JsonMember& member : object.members()) {
    out += indent + member.key + ":";
    if (member.value.is_object()) {
      out += "\n" + yaml_lines(member.value, indent + "  ");
    } else {
      const auto text = member.value.as_string();
      out += " " + (text ? yaml_text(*text) : member.value.dump()) + "\n";
    }
  }
  return out;
}

}  // namespace grapnel
