#pragma once

#include <string>
#include <string_view>

/// Entries in agents' settings that call Grapnel itself: what `grapnel install` writes. They are no hooks of anybody's:
/// to run them would ask the same question again, and another agent's settings hold none of ours.
namespace grapnel {

/// The words by which such an entry is told from everything else, in front of the agent's name.
inline constexpr std::string_view kBridgeWords = " fire --bridge --as ";

/// The agent whose event a command hands to Grapnel, or "" when it does not.
std::string bridged_agent(std::string_view command);

}  // namespace grapnel
