#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/json.h"

#include "grapnel_agent/mcp.h"
#include "grapnel_agent/tool.h"

namespace grapnel::agent {

/// One server of a session; internal to `mcp_servers.cc`.
class McpConnection;

/// What the servers of a session need from it.
struct McpSession {
  std::string project;                     ///< where programs start
  std::chrono::milliseconds tool_timeout;  ///< for servers that set none
  /// Asks what a server wants to know; see mcp_question.h.
  std::function<Json(const std::string& server, const Json& params, const std::stop_token& stop)> ask;
  /// Tells people about servers that cannot be used, and about tools that change.
  std::function<void(const std::string& text)> tell;
};

/// The MCP servers of a session, and their tools.
///
/// A server that ends is started again when one of its tools is called, but not again and again. Tools may change at
/// any time: `tools` is asked before every model call, and people are told what has changed. Thread: any.
class McpServers {
 public:
  McpServers(const std::vector<McpServer>& servers, const McpSession& session);
  ~McpServers();

  /// Connects to all servers at the same time and waits for them.
  void connect(const std::stop_token& stop);
  /// The tools as they are now, with canonical names. Tools whose names in the dialect are among `taken`, or are used
  /// twice, are left out.
  std::vector<Tool> tools(std::string_view dialect, std::set<std::string> taken, const std::stop_token& stop);
  std::vector<McpServerState> states() const;
  /// Fails: NotFound, Unavailable.
  Result<void> reconnect(std::string_view name, const std::stop_token& stop);
  /// Ends all connections; calls that still run fail.
  void close();

 private:
  std::vector<std::shared_ptr<McpConnection>> connections_;
};

}  // namespace grapnel::agent
