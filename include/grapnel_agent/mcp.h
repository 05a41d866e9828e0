#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// MCP servers, whose tools the agent offers to its model.
///
///   agent::AgentOptions options{.model = *model};
///   options.mcp_servers.push_back({.name = "files", .command = "npx", .args = {"-y", "some-server", "."}});
///   options.mcp_servers.push_back({.name = "search", .url = "https://example.com/mcp"});
///
/// A session connects to all of them when it opens, and ends them when it ends. A server that cannot be reached is
/// reported and left out; the session goes on without its tools.
namespace grapnel::agent {

/// How to reach one server: a program to start, or a URL.
struct McpServer {
  /// Part of the names of its tools: `mcp__<name>__<tool>`.
  std::string name;

  /// A program that speaks MCP on standard input and output. It ends with the session, with everything it started.
  std::string command = {};
  std::vector<std::string> args = {};
  /// Added to the environment of the agent, of which variables that look like secrets are not passed on.
  std::vector<std::pair<std::string, std::string>> env = {};
  std::string cwd = {};  ///< "": the workspace

  /// The address of a server that speaks streamable HTTP, if there is no command.
  std::string url = {};
  std::vector<std::pair<std::string, std::string>> headers = {};

  /// The longest time until it has listed its tools.
  std::chrono::milliseconds startup_timeout{30'000};
  /// The longest time without a sign of progress during a call; not set: `AgentOptions::tool_timeout`.
  std::optional<std::chrono::milliseconds> tool_timeout = {};
  /// If not empty, the model is offered only these tools.
  std::vector<std::string> only_tools = {};
  std::vector<std::string> without_tools = {};
  std::string source = {};  ///< where it is configured, for people
};

/// What has become of a server, for people.
struct McpServerState {
  enum class Phase : uint8_t { Ready, Failed };
  std::string name;
  Phase phase = Phase::Failed;
  std::string address;               ///< the command line, or the URL without its secrets
  std::string source;                ///< as in `McpServer`
  std::string version;               ///< of the protocol, as far as it is known
  std::string program;               ///< name and version, as the server tells them
  std::vector<std::string> tools;    ///< the names in the server, of those that are offered
  std::vector<std::string> remarks;  ///< tools that cannot be used, and other oddities
  std::string failure;               ///< why it cannot be used
};

}  // namespace grapnel::agent
