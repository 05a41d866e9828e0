#include "shell/parameter.h"

#include <algorithm>
#include <charconv>

namespace grapnel::shell {

namespace {

char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether a shell takes the text as it is: no wildcards, quotes or expansions.
bool is_plain_text(std::string_view text) {
  return text.find_first_of("*?[]\\'\"$`(){}~") == std::string_view::npos;
}

/// `,,` `^^` `,` `^` and `@L` `@U` `@u`.
std::optional<std::string> change_case(std::string value, std::string_view operation) {
  const bool is_all = operation == ",," || operation == "^^" || operation == "@L" || operation == "@U";
  const bool is_first = operation == "," || operation == "^" || operation == "@u";
  if (!is_all && !is_first) return std::nullopt;
  const bool lowers = operation[0] == ',' || operation == "@L";
  const size_t count = is_all ? value.size() : std::min<size_t>(value.size(), 1);
  for (size_t i = 0; i < count; ++i) value[i] = lowers ? to_lower(value[i]) : to_upper(value[i]);
  return value;
}

/// `:offset` and `:offset:length`; a negative number counts from the end.
std::optional<std::string> cut_part(const std::string& value, std::string_view operation) {
  const auto size = static_cast<long>(value.size());
  const auto read = [](std::string_view text, long& out) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    // `${x::1}` starts at the front.
    if (text.empty()) {
      out = 0;
      return true;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
  };
  const size_t colon = operation.find(':', 1);
  long from = 0;
  long length = size;
  if (!read(operation.substr(1, colon == std::string_view::npos ? colon : colon - 1), from)) return std::nullopt;
  if (colon != std::string_view::npos && !read(operation.substr(colon + 1), length)) return std::nullopt;
  if (from < 0) from += size;
  if (from < 0 || from > size) return "";
  const long end = length < 0 ? size + length : std::min(size, from + std::min(length, size));
  return end < from ? "" : value.substr(static_cast<size_t>(from), static_cast<size_t>(end - from));
}

/// `/text/other` and `//text/other`.
std::optional<std::string> replace(std::string value, std::string_view operation) {
  const bool is_all = operation.starts_with("//");
  operation.remove_prefix(is_all ? 2 : 1);
  // A slash that is replaced is written as the first character: `${p//_//}` replaces `_` with `/`.
  const size_t slash = operation.find('/', 1);
  const std::string_view from = operation.substr(0, slash);
  const std::string_view to = slash == std::string_view::npos ? "" : operation.substr(slash + 1);
  if (from.empty() || !is_plain_text(from) || !is_plain_text(to)) return std::nullopt;
  for (size_t at = value.find(from); at != std::string::npos; at = value.find(from, at + to.size())) {
    value.replace(at, from.size(), to);
    if (!is_all || value.size() > 4096) break;
  }
  return value;
}

}  // namespace

std::optional<std::string> expand_parameter(const std::string& value, std::string_view operation) {
  if (operation.empty()) return value;
  const bool is_part = operation[0] == ':' && operation.size() > 1 && !std::string_view("-=+?").contains(operation[1]);
  if (is_part) return cut_part(value, operation);
  // The variable is set, so a default does not count.
  if (operation[0] == ':' || operation[0] == '-' || operation[0] == '=') {
    const bool is_default = operation.starts_with(":-") || operation.starts_with(":=") || operation[0] != ':';
    return is_default && !value.empty() ? std::optional(value) : std::nullopt;
  }
  if (operation[0] == '/') return replace(value, operation);
  if (operation[0] == '#' || operation[0] == '%') {
    const bool is_front = operation[0] == '#';
    operation.remove_prefix(operation.size() > 1 && operation[1] == operation[0] ? 2 : 1);
    if (!is_plain_text(operation)) return std::nullopt;
    const bool fits = is_front ? value.starts_with(operation) : value.ends_with(operation);
    if (!fits) return value;
    return is_front ? value.substr(operation.size()) : value.substr(0, value.size() - operation.size());
  }
  return change_case(value, operation);
}

}  // namespace grapnel::shell
