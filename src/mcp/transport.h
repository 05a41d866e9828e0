#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "grapnel_agent/mcp.h"

/// src/mcp is a client of the Model Context Protocol: it starts or reaches a server, agrees on a version, lists the
/// tools and calls them. It knows nothing of hooks, models or people; src/agent connects it with those.
///
///   transport.h        carries messages to one server and back: a process (stdio) or HTTP
///   message.h          what a server sent, as JSON
///   stdio_server.h     a child process; its group ends with the connection
///   http_server.h      streamable HTTP: a POST for each message, answers as JSON or as a stream of events
///   versions.h         the versions of the protocol, and what each of them needs
///   client.h           one connection: the handshake, requests and their answers, requests of the server
///   tool_list.h        the tools of a server, checked
///   call_result.h      the answer to a tool call as text and data
///
/// Everything that a server sends is untrusted and limited (`Limits`): it may crash, hang, flood and lie.
namespace grapnel::mcp {

using agent::McpServer;

/// How much a server may send.
struct Limits {
  size_t max_message = size_t{16} << 20;     ///< bytes of one message
  size_t max_garbage = 1000;                 ///< lines that are no message; some servers print logs where they must not
  size_t max_unasked = 10'000;               ///< messages in a row that answer no request
  size_t max_questions = 20;                 ///< that its user is asked during calls, until no call is on its way
  size_t max_unsent = size_t{64} << 20;      ///< bytes that a server does not read
  size_t max_tools = 1000;                   ///< of one server
  size_t max_tool_bytes = size_t{1} << 20;   ///< of names, descriptions and schemas: the model reads them at every call
  size_t max_pages = 100;                    ///< of a list
  size_t max_schema = size_t{256} << 10;     ///< bytes of one schema
  size_t max_description = size_t{8} << 10;  ///< bytes of a description that the model reads
  int max_rounds = 8;                        ///< how often one call may ask for more input
};

/// A header that only HTTP has a place for.
struct Header {
  std::string name;
  std::string value;
};

/// What a transport reports, from threads of its own, but never from two at once for one request.
struct Sink {
  /// A message arrived. It is JSON, and nothing else is known about it.
  std::function<void(const Json& message)> message;
  /// What arrived was meant as a message, but cannot be read. Nobody knows to which request it belongs.
  std::function<void(std::string why)> unreadable;
  /// The answer to the request with this id will not come.
  std::function<void(int64_t id, std::string why)> lost;
  /// The server has not taken the request with this id, since it does not know the session any more. `closed` follows.
  std::function<void(int64_t id)> untaken;
  /// Nothing will arrive any more.
  std::function<void(std::string why)> closed;
};

/// Carries messages. Thread: any.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Sends a message. Returns at once; failures go to the sink.
  virtual void send(const Json& message, std::vector<Header> headers) = 0;
  /// Nobody waits for this request any more.
  virtual void forget(int64_t id) = 0;
  /// The headers of everything that is sent from now on.
  virtual void set_headers(std::vector<Header> headers) = 0;
  /// The handshake is done, and the server may send messages that nobody asked for.
  virtual void listen() = 0;
  /// Ends the connection, and the server if it is ours. The sink is not called after that.
  virtual void close() = 0;
  /// The last that the server wrote for people, "" if it has no place for that.
  virtual std::string last_words() const { return ""; }
};

/// The command line of a server, or its URL without what may be secret.
std::string address_of(const McpServer& server);

/// Starts the process of a server. `project` is the directory in which it starts if its configuration names none.
/// Fails: NotFound, System.
Result<std::unique_ptr<Transport>> start_stdio_server(const McpServer& server, const std::string& project,
                                                      const Limits& limits, Sink sink);

/// Prepares the connection to a server behind a URL; nothing is sent yet. Fails: BadConfig.
Result<std::unique_ptr<Transport>> open_http_server(const McpServer& server, const Limits& limits, Sink sink);

}  // namespace grapnel::mcp
