#pragma once

#include <map>
#include <string>

#include "grapnel_agent/model.h"

namespace grapnel::llm {

/// The names that tools have in one request. Providers refuse a whole request if a name has other signs than letters,
/// digits, `_` and `-`, or more than 64 of them. Agents and MCP servers have such names (`MCP:find`, `notes.find`), so
/// they are replaced on the way out, and put back on the way in. Thread: any.
class WireNames {
 public:
  explicit WireNames(const std::vector<ToolDeclaration>& tools);

  /// The request as the provider may see it.
  ModelRequest outgoing(ModelRequest request) const;
  /// The call with the name that its tool has here.
  ToolCallPart incoming(ToolCallPart call) const;

 private:
  std::string wire(const std::string& name) const;

  /// Only names that change.
  std::map<std::string, std::string> wire_of_;
  std::map<std::string, std::string> name_of_;
};

}  // namespace grapnel::llm
