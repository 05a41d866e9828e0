#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

/// Writes the little YAML that conversions need: rule files and the heads of HOOK.md.
namespace grapnel {

/// A YAML scalar that can only be read as this text.
std::string yaml_text(std::string_view text);

/// An object as lines of YAML. Objects inside it are indented, lists are on one line.
std::string yaml_lines(const Json& object, const std::string& indent);

}  // namespace grapnel
