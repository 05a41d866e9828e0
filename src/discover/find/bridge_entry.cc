#include "discover/find/bridge_entry.h"

namespace grapnel {

/// The program may be called by any path, so the text in front only has to contain its name. The agent's name ends at
/// the first character that cannot be part of one, such as a quote or a space.
std::string bridged_agent(std::string_view command) {
  const size_t at = command.find(kBridgeWords);
  if (at == std::string_view::npos || !command.substr(0, at).contains("grapnel")) return "";
  const std::string_view rest = command.substr(at + kBridgeWords.size());
  return std::string(rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz-")));
}

}  // namespace grapnel
