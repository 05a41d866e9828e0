#pragma once

#include <string>

#include "mcp/client.h"
#include "mcp/tool_list.h"

namespace grapnel::mcp {

/// The answer to a tool call, or a resource, for the model.
struct CallResult {
  bool is_error = false;
  std::string text;
  Json structured;  ///< missing if there is none
};

/// Text as it is; images, sounds and bytes only by their kind and size; links with their address.
CallResult read_call_result(const Json& result);

/// The contents of a resource.
CallResult read_resource(const Json& result);

}  // namespace grapnel::mcp
