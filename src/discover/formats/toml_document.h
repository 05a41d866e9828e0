#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "discover/problems.h"

/// TOML as the JSON it says, so that one set of readers serves both. The only place that sees toml++.
///
///   [[hooks]]                    {"hooks": [{"event": "Stop",
///   event = "Stop"       ──▶                 "timeout": 5}]}       and for every key and value the line and
///   timeout = 5                                                   column it stands at in the TOML text
///
/// Members come in the order of the text. What JSON has no word for, a date or a number that is none, becomes an empty
/// list, which no field of ours takes.
namespace grapnel {

struct TomlDocument {
  Json root;                      ///< an object
  std::vector<TextPlace> places;  ///< of its keys and values, by offset into the document of `root`
};

/// Fails: BadInput or LimitExceeded, with the position (file is left empty). Limits: 16 parts of a key, 64 values
/// inside each other.
Result<TomlDocument> read_toml(std::string_view text);

}  // namespace grapnel
