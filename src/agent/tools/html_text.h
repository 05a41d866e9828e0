#pragma once

#include <string>
#include <string_view>

namespace grapnel::agent {

/// What a web page says: its text without markup, scripts and styles, a line for each block, character references
/// decoded. A simple reading that is never wrong by much, for a model to read. Thread: any.
std::string html_to_text(std::string_view html);

}  // namespace grapnel::agent
