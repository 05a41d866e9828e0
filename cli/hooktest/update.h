#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "cli/hooktest/run_case.h"

/// Writes what really happened into a fixture. Only the wrong values change; comments, order and layout stay.
namespace grapnel::cli {

/// The text of a fixture with the results of its cases in place of the wrong expectations. Fails: BadInput when the
/// file is written in a way that cannot be edited; then a person has to do it.
Result<std::string> updated_fixture(const Fixture& fixture, const std::vector<CaseResult>& results);

/// The text with a new value for the key at this place.
std::string with_value(std::string_view text, const SourcePos& key, const Json& value);

}  // namespace grapnel::cli
