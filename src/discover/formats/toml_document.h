#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "discover/problems.h"

/// Converts TOML to JSON, so that the same readers work for both. This is the only place that uses toml++.
///
///   [[hooks]]                    {"hooks": [{"event": "Stop",
///   event = "Stop"       ──▶                 "timeout": 5}]}       and for every key and value its line and
///   timeout = 5                                                   column in the TOML text
///
/// Members keep the order of the text. Values that JSON does not have (dates, infinity, not-a-number) become an empty
/// list, which no field accepts.
namespace grapnel {

struct TomlDocument {
  Json root;                      ///< an object
  std::vector<TextPlace> places;  ///< of its keys and values, sorted by offset into the JSON text
};

/// Fails: BadInput or LimitExceeded, with the position (its file is empty). Limits: 16 parts of a key, 64 nested
/// values.
Result<TomlDocument> read_toml(std::string_view text);

}  // namespace grapnel
