#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

namespace grapnel {

/// The output of a hook, split into the JSON object in it, if there is one, and the text around it.
struct ParsedOutput {
  Json object = {};                ///< missing when there is none
  std::string text = {};           ///< everything else, trimmed
  bool is_broken = false;          ///< it starts like a JSON object but is not valid JSON
  std::vector<Json> earlier = {};  ///< objects on earlier lines: a hook may run other hooks that print answers, too
  bool is_false = false;           ///< it is the word `false` and nothing else
  std::vector<Json> inside = {};   ///< objects anywhere in `text`: behind a log prefix, in a code fence, between lines
};

/// Reads what a hook printed: a JSON object alone, a JSON string or list that contains some, or an object after or
/// before log lines. UTF-16 and UTF-32 are converted, colours of terminals are removed, and comments in JSON are fine.
/// Other JSON values (numbers, booleans, null, lists of them) are neither an answer nor text, and are dropped; `false`
/// alone is noted, because a guard may mean no.
///
/// Pure, and cheap for hostile output: the number of places at which an object is searched for is limited.
ParsedOutput parse_output(std::string_view bytes);

/// Every JSON object in the text, except for those inside another object.
std::vector<Json> objects_in(std::string_view text);

}  // namespace grapnel
