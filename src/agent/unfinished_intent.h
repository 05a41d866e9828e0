#pragma once

#include <string_view>

namespace grapnel::agent {

/// Whether a model announced work and stopped before doing it: its text ends in a colon or an ellipsis, or its last
/// sentence begins like a plan ("Let me …", "I will …").
bool is_unfinished_intent(std::string_view text);

/// What the model is told then.
inline constexpr std::string_view kIntentNudge =
    "You said what you would do next but called no tool. Do it now, or say that you are done.";

}  // namespace grapnel::agent
