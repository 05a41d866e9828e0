#pragma once

#include <string_view>

namespace grapnel::agent {

/// Whether the model announced work and stopped before doing it. That is assumed when the text ends in a colon or an
/// ellipsis, or when its last sentence begins like a plan ("Let me …", "I will …"). A question is never one.
bool is_unfinished_intent(std::string_view text);

/// The message that the model gets in that case.
inline constexpr std::string_view kIntentNudge =
    "You said what you would do next but called no tool. Do it now, or say that you are done.";

}  // namespace grapnel::agent
