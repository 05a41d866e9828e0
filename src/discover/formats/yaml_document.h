#pragma once

#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "discover/problems.h"

/// Converts YAML to JSON, so that the same readers work for both.
///
///   - name: guard                [{"name": "guard",
///     mode: 0755         ──▶       "mode": "0755",         and for every key and value its line and
///     times: 3                     "times": 3}]            column in the YAML text
///
/// The text is one document of maps, lists and scalars. Among scalars without quotes, `true`, `false`, `null` and JSON
/// numbers have their JSON meaning; everything else is text. Anchors, aliases, tags and duplicate keys are refused: a
/// file must mean what people see in it.
namespace grapnel {

struct YamlDocument {
  Json root;
  std::vector<TextPlace> places;  ///< of its keys and values, sorted by offset into the JSON text
};

/// Fails: BadInput or LimitExceeded, with the position (its file is empty).
Result<YamlDocument> read_yaml(std::string_view text);

}  // namespace grapnel
