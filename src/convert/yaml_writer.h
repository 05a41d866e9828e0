#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

namespace grapnel {

/// A scalar of YAML that can be read as nothing but this text.
std::string yaml_text(std::string_view text);

/// An object as lines of YAML, objects inside it further in and lists on one line.
std::string yaml_lines(const Json& object, const std::string& indent);

}  // namespace grapnel
