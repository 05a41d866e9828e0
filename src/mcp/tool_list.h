#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mcp/client.h"

namespace grapnel::mcp {

/// A tool as its server describes it, checked: name and schema can be used.
struct ServerTool {
  std::string name;
  std::string title;
  std::string description;  ///< for the model; long ones are cut
  Json input_schema;
  Json output_schema;  ///< missing if there is none
  /// Arguments that are also sent as headers over HTTP, in the stateless version: a JSON pointer, and the header.
  std::vector<std::pair<std::string, std::string>> headers;

  bool operator==(const ServerTool&) const = default;
};

/// The tools of a server, and remarks about those that cannot be used.
struct ToolList {
  std::vector<ServerTool> tools;
  std::vector<std::string> remarks;
};

/// Asks for all pages of the list. A server without tools has an empty list.
Answer<ToolList> list_tools(Client& client, const CallOptions& options);

/// The headers that a call with these arguments has over HTTP.
std::vector<Header> headers_of_call(const ServerTool& tool, const Json& arguments);

}  // namespace grapnel::mcp
