#pragma once

#include <array>

#include "base/joined.h"
#include "dialect/dialect.h"

namespace grapnel {

/// What a hook of several agents may say at any event.
inline constexpr auto kUniversalOut = std::to_array<OutputRow>({
    {"/continue", Effect::StopIfFalse},
    {"/stopReason", Effect::StopReason},
    {"/suppressOutput", Effect::SuppressOutput},
    {"/systemMessage", Effect::Message},
});

/// An event's own rows and these.
template <size_t N>
consteval auto with_universal(const std::array<OutputRow, N>& own) {
  return joined(own, kUniversalOut);
}

}  // namespace grapnel
