#pragma once

#include <string>
#include <string_view>

/// Entries in agents' settings that call Grapnel itself, as `grapnel install` writes them. They are not hooks: running
/// them would send the same event to Grapnel again.
namespace grapnel {

/// The words in front of the agent's name that identify such an entry.
inline constexpr std::string_view kBridgeWords = " fire --bridge --as ";

/// The agent whose event a command hands to Grapnel, or "" when it does not.
std::string bridged_agent(std::string_view command);

}  // namespace grapnel
