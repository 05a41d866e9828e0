#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

namespace grapnel::fleet {

/// Messages come from other machines: a member that is missing or no text counts as empty.
inline std::string member_text(const Json& json, std::string_view key) {
  return json[key].as_string().value_or("");
}

}  // namespace grapnel::fleet
