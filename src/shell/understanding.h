#pragma once

#include <string_view>

namespace grapnel::shell {

/// Why a text with odd words (`Word::is_odd`) is not understood, for people.
inline constexpr std::string_view kWhyOdd = "it contains characters that look like others, or that cannot be seen";

/// Why a text that is unclear (`ParsedCommand::is_unclear`) is so, for people: `it is longer than 256 KiB`. It only
/// names the cause and decides nothing.
std::string_view why_unclear(std::string_view text);

}  // namespace grapnel::shell
