#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "cli/hooktest/run_case.h"

/// Writes into a fixture what really happened. Only the values that were wrong change; comments, order and layout stay.
namespace grapnel::cli {

/// The text of a fixture with what these cases of it did in place of what was expected. Fails: BadInput when the file
/// is written in a way that this cannot edit; then a person has to.
Result<std::string> updated_fixture(const Fixture& fixture, const std::vector<CaseResult>& results);

/// The text with another value behind the key that stands at that place.
std::string with_value(std::string_view text, const SourcePos& key, const Json& value);

}  // namespace grapnel::cli
