#pragma once

#include "discover/formats/rule_fields.h"
#include "model/sandbox.h"

namespace grapnel {

/// The value of `sandbox`: a word or a map. Nothing, with the mistake noted in `fields`, if it cannot be used.
std::optional<Sandbox> read_sandbox(const YamlNode& node, RuleFields& fields);

/// The same from a text, such as `guard` or `{ network: false }`. Fails: BadInput.
Result<Sandbox> parse_sandbox(std::string_view text);

/// What to write for it. Missing if two people have limited its files, which one value cannot say.
Json sandbox_value(const Sandbox& sandbox);

/// The words that it may be instead of a map.
KeyList sandbox_words();
/// The keys of the map.
KeyList sandbox_keys();

}  // namespace grapnel
