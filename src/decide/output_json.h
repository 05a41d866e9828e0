#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

namespace grapnel {

/// A hook's output, sorted out: the JSON object in it, if any, and the text that is not part of it.
struct ParsedOutput {
  Json object;                ///< missing when there is none
  std::string text;           ///< everything else, trimmed
  bool is_broken = false;     ///< it starts like a JSON object and is none
  std::vector<Json> earlier;  ///< objects on lines before it: a hook may run others that answer too
};

/// Reads what a hook printed: a JSON object alone, one inside a JSON string, or one after log lines. Other JSON
/// (numbers, bools, null, arrays) says nothing and is no text either.
ParsedOutput parse_output(std::string_view bytes);

}  // namespace grapnel
