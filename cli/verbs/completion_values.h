#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

/// Values that only the running program knows: names of hooks, ids, test files. The completion scripts ask for them
/// while a person types, with `grapnel completion --values`.
namespace grapnel::cli {

/// The word with which the scripts ask for values of that kind; "" for kinds that shells complete by themselves.
std::string_view values_word(ValueKind kind);

/// The choices of `--values`, as an option row has them.
inline constexpr std::string_view kValuesChoices = "hooks|sessions|agent-sessions|events|fixtures|packs";

/// The values that the word asks for. Values that could not be typed on one line are left out. Nothing can fail: who
/// completes a word wants no error message.
std::vector<std::string> values_of(const Invocation& in, std::string_view word);

}  // namespace grapnel::cli
