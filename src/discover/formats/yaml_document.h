#pragma once

#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "discover/problems.h"

/// YAML as the JSON it says, so that one set of readers serves both.
///
///   - name: guard                [{"name": "guard",
///     mode: 0755         ──▶       "mode": "0755",         and for every key and value the line and column it
///     times: 3                     "times": 3}]            stands at in the YAML text
///
/// One document of maps, lists and scalars. Of plain scalars `true`, `false`, `null` and what JSON has for a number
/// are that; everything else is text. Anchors, aliases, tags and keys that are there twice are refused: what a file
/// says must be what one sees.
namespace grapnel {

struct YamlDocument {
  Json root;
  std::vector<TextPlace> places;  ///< of its keys and values, by offset into the document of `root`
};

/// Fails: BadInput or LimitExceeded, with the position (file is left empty).
Result<YamlDocument> read_yaml(std::string_view text);

}  // namespace grapnel
