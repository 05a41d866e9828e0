#include "discover/find/bridge_entry.h"

namespace grapnel {

std::string bridged_agent(std::string_view command) {
  const size_t at = command.find(kBridgeWords);
  if (at == std::string_view::npos || !command.substr(0, at).contains("grapnel")) return "";
  const std::string_view rest = command.substr(at + kBridgeWords.size());
  return std::string(rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz-")));
}

}  // namespace grapnel
