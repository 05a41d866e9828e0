#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "grapnel/json.h"

#include "cli/command.h"

/// `grapnel mcp`: Grapnel as an MCP server over standard input and output, for agents that have no hooks.
///
///   mcp_server.h  the protocol: messages in, messages out
///   mcp_tools.h   the tools, as a table: check_command, explain, why. All of them only read
namespace grapnel::cli {

/// What a tool answers: a text for the model, and the same as data.
struct McpToolAnswer {
  std::string text;
  Json data;
  bool is_error = false;
};

/// One tool. `schema` is the JSON Schema of its input.
struct McpToolRow {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view schema;
  McpToolAnswer (*run)(const Json& input, Invocation& in);
};

/// The tools, in the order in which they are listed.
std::span<const McpToolRow> mcp_tools();

/// Answers one message; nothing for messages that need no answer. Both kinds of clients are understood: those that
/// begin with a handshake, and those whose requests say the version.
std::optional<Json> answer_mcp(const Json& message, Invocation& in);

}  // namespace grapnel::cli
