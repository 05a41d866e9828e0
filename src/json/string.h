#pragma once

#include <string>
#include <string_view>

/// The escapes of JSON strings, in both directions.
namespace grapnel::json {

/// The text that a valid string body (without its quotes) stands for. Lone surrogates become U+FFFD.
std::string unescape(std::string_view body);

/// Whether `unescape(body) == text`, without making a copy.
bool unescapes_to(std::string_view body, std::string_view text);

/// Appends `text` as a JSON string. Each sequence that is not valid UTF-8 becomes U+FFFD.
void append_quoted(std::string& out, std::string_view text);

}  // namespace grapnel::json
