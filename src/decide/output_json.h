#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

namespace grapnel {

/// The output of a hook, split into the JSON object in it, if there is one, and the text around it.
struct ParsedOutput {
  Json object;                ///< missing when there is none
  std::string text;           ///< everything else, trimmed
  bool is_broken = false;     ///< it starts like a JSON object but is not valid JSON
  std::vector<Json> earlier;  ///< objects on earlier lines: a hook may run other hooks that print answers, too
};

/// Reads what a hook printed: a JSON object alone, a JSON string that contains one, or an object after or before log
/// lines. Other JSON values (numbers, booleans, null, arrays) are neither an answer nor text, and are dropped.
///
/// Pure, and cheap for hostile output: the number of places at which an object is searched for is limited.
ParsedOutput parse_output(std::string_view bytes);

}  // namespace grapnel
