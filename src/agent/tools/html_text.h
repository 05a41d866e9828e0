#pragma once

#include <string>
#include <string_view>

namespace grapnel::agent {

/// The text of a web page, without markup, scripts and styles, with one line per block and character references
/// decoded. This is not a full HTML parser: it never fails, and the text is good enough for a model to read. Thread:
/// any.
std::string html_to_text(std::string_view html);

}  // namespace grapnel::agent
