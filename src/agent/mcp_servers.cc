#include "agent/mcp_servers.h"

#include <algorithm>
#include <future>

#include "grapnel/tool.h"

#include "agent/declarations.h"
#include "agent/json_schema.h"
#include "agent/tools/tool_answer.h"
#include "base/error.h"
#include "base/text.h"
#include "mcp/call_result.h"
#include "mcp/client.h"
#include "mcp/tool_list.h"

namespace grapnel::agent {

namespace {

/// How often a server is started again without an answer in between.
constexpr int kMaxRestarts = 2;
/// Tools of our own for servers that have resources.
constexpr std::string_view kListResources = "list_resources";
constexpr std::string_view kReadResource = "read_resource";
constexpr size_t kMaxResources = 500;
constexpr size_t kMaxResourcePages = 100;
constexpr size_t kMaxRemarks = 20;
/// For the list of a server that was ready in the last moment.
constexpr std::chrono::milliseconds kMinListTime{1000};
constexpr size_t kMaxChanges = 20;  ///< that people are told at once

/// The version that servers are told; they use it for logs at most.
constexpr const char* kAgentVersion = GRAPNEL_VERSION;

ToolFailure failure_of(mcp::Failure::Kind kind) {
  switch (kind) {
    case mcp::Failure::Kind::TimedOut:
      return ToolFailure::TimedOut;
    case mcp::Failure::Kind::Cancelled:
      return ToolFailure::Interrupted;
    case mcp::Failure::Kind::Refused:
    case mcp::Failure::Kind::BadAnswer:
    case mcp::Failure::Kind::Closed:
    case mcp::Failure::Kind::Untaken:
      break;
  }
  return ToolFailure::Failed;
}

/// `+new -hang ~echo`: what a server has changed.
std::string changes_between(const std::vector<mcp::ServerTool>& before, const std::vector<mcp::ServerTool>& now) {
  std::vector<std::string> out;
  for (const mcp::ServerTool& tool : now) {
    const auto old = std::ranges::find(before, tool.name, &mcp::ServerTool::name);
    if (old == before.end()) out.push_back("+" + tool.name);
    if (old != before.end() && *old != tool) out.push_back("~" + tool.name);
  }
  for (const mcp::ServerTool& tool : before) {
    if (std::ranges::find(now, tool.name, &mcp::ServerTool::name) == now.end()) out.push_back("-" + tool.name);
  }
  const size_t hidden = out.size() - std::min(out.size(), kMaxChanges);
  out.resize(out.size() - hidden);
  return text::join(out, " ") + (hidden > 0 ? " and " + std::to_string(hidden) + " more" : "");
}

std::string progress_text(const mcp::Progress& progress) {
  const auto number = [](double value) { return Json::number(value).dump(); };
  std::string out = number(progress.done) + (progress.total ? " of " + number(*progress.total) : "");
  return progress.message.empty() ? out : out + ": " + progress.message;
}

}  // namespace

/// One server: its connection, if there is one, and the tools that it listed last.
class McpConnection : public std::enable_shared_from_this<McpConnection> {
 public:
  McpConnection(McpServer server, McpSession session) : server_(std::move(server)), session_(std::move(session)) {}

  const std::string& name() const { return server_.name; }

  /// Replaces the connection. Fails: Unavailable.
  Result<void> connect(const std::stop_token& stop) {
    const std::lock_guard turn(connecting_);
    return connect_locked(stop);
  }

  void close() {
    std::shared_ptr<mcp::Client> client;
    {
      const std::lock_guard lock(mutex_);
      client.swap(client_);
      is_closed_ = true;
    }
    // What still runs has a share of the client; that ends with it.
  }

  std::vector<Tool> tools(const std::stop_token& stop) {
    refresh(stop);
    std::vector<Tool> out;
    const auto client = this->client();
    const std::lock_guard lock(mutex_);
    for (const mcp::ServerTool& tool : list_.tools) {
      if (is_offered(tool.name)) out.push_back(make_server_tool(tool));
    }
    if (client != nullptr && client->capabilities()["resources"]) add_resource_tools(out);
    return out;
  }

  /// Tells people, once, that a tool cannot be offered because another one has its name.
  void tell_left_out(const Tool& tool, const std::string& name) {
    {
      const std::lock_guard lock(mutex_);
      if (!left_out_.insert(name).second) return;
    }
    session_.tell("the tool '" + tool.mcp_context["tool_name"].as_string().value_or("") + "' of the MCP server '" +
                  this->name() + "' is left out: another tool is called '" + name + "', too");
  }

  McpServerState state() const {
    const auto client = this->client();
    const std::lock_guard lock(mutex_);
    McpServerState out{.name = server_.name, .address = mcp::address_of(server_), .source = server_.source};
    const bool is_ready = client != nullptr && client->is_open();
    out.phase = is_ready ? McpServerState::Phase::Ready : McpServerState::Phase::Failed;
    out.failure = is_ready ? "" : client != nullptr ? client->why_closed() : failure_;
    if (client != nullptr) {
      out.version = client->version();
      out.program = client->program();
    }
    for (const mcp::ServerTool& tool : list_.tools) {
      if (is_offered(tool.name)) out.tools.push_back(tool.name);
    }
    out.remarks = list_.remarks;
    if (out.remarks.size() > kMaxRemarks) out.remarks.resize(kMaxRemarks);
    return out;
  }

 private:
  std::shared_ptr<mcp::Client> client() const {
    const std::lock_guard lock(mutex_);
    return client_;
  }

  bool is_offered(const std::string& tool) const {
    const auto names = [&](const std::vector<std::string>& list) {
      return std::ranges::find(list, tool) != list.end();
    };
    return (server_.only_tools.empty() || names(server_.only_tools)) && !names(server_.without_tools);
  }

  /// Runs with `connecting_` held, so that two calls do not start the server twice.
  Result<void> connect_locked(const std::stop_token& stop) {
    {
      const std::lock_guard lock(mutex_);
      client_.reset();
      list_ = {};
    }
    const Deadline due = SteadyClock::now() + server_.startup_timeout;
    mcp::Host host{.version = kAgentVersion, .project = session_.project, .elicit = {}};
    host.elicit = [ask = session_.ask, name = server_.name](const Json& params, const std::stop_token& cancel) {
      return ask(name, params, cancel);
    };
    auto made = mcp::Client::connect(server_, host, {}, stop);
    if (!made) return note_failure(made.error().message);
    const std::shared_ptr<mcp::Client> client = std::move(*made);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - SteadyClock::now());
    auto list = mcp::list_tools(*client, {.timeout = std::max(left, kMinListTime), .stop = stop});
    if (!list) return note_failure(client->is_open() ? list.error().message : client->why_closed());
    const std::lock_guard lock(mutex_);
    if (is_closed_) return fail(Errc::Unavailable, "the session has ended");
    client_ = client;
    list_ = std::move(*list);
    failure_.clear();
    return {};
  }

  std::unexpected<Error> note_failure(const std::string& why) {
    const std::lock_guard lock(mutex_);
    failure_ = why;
    return fail(Errc::Unavailable, why);
  }

  /// Asks for the tools again if they have changed, and tells people the difference: a server that was approved with
  /// one set of tools may offer another one later.
  void refresh(const std::stop_token& stop) {
    const auto client = this->client();
    if (client == nullptr || !client->take_tools_changed()) return;
    auto list = mcp::list_tools(*client, {.timeout = server_.startup_timeout, .stop = stop});
    if (!list) return session_.tell("the MCP server '" + name() + "' does not list its tools: " + list.error().message);
    std::string changes;
    {
      const std::lock_guard lock(mutex_);
      changes = changes_between(list_.tools, list->tools);
      list_ = std::move(*list);
    }
    if (!changes.empty()) session_.tell("the MCP server '" + name() + "' has changed its tools: " + changes);
  }

  /// The connection for a call. If it is broken, it is made again.
  Result<std::shared_ptr<mcp::Client>> usable(const std::stop_token& stop) {
    const std::lock_guard turn(connecting_);
    if (const auto client = this->client(); client != nullptr && client->is_open()) return client;
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_) return fail(Errc::Unavailable, "the session has ended");
      if (restarts_ >= kMaxRestarts) {
        return fail(Errc::Unavailable, "the MCP server '" + name() +
                                           "' has ended too often: " + (client_ ? client_->why_closed() : failure_));
      }
      ++restarts_;
    }
    if (auto done = connect_locked(stop); !done) {
      return fail(Errc::Unavailable, "the MCP server '" + name() + "' cannot be reached: " + done.error().message);
    }
    return client();
  }

  mcp::CallOptions options_for(const ToolContext& context) const {
    mcp::CallOptions options{.timeout = server_.tool_timeout.value_or(session_.tool_timeout), .stop = context.cancel};
    if (context.progress) {
      options.on_progress = [tell = context.progress](const mcp::Progress& progress) { tell(progress_text(progress)); };
    }
    return options;
  }

  /// Sends a request for a tool call, a second time if the server has lost the session in the meantime. A server that
  /// ends takes its last words into the message.
  std::expected<Json, ToolResult> send(std::string_view method, const Json& params, const ToolContext& context,
                                       const std::vector<mcp::Header>& headers = {}) {
    mcp::CallOptions options = options_for(context);
    options.headers = headers;
    auto client = usable(context.cancel);
    if (!client) return std::unexpected(failure(ToolFailure::Failed, client.error().message));
    auto result = (*client)->request_with_input(method, params, options);
    if (!result && result.error().kind == mcp::Failure::Kind::Untaken) {
      client = usable(context.cancel);
      if (!client) return std::unexpected(failure(ToolFailure::Failed, client.error().message));
      result = (*client)->request_with_input(method, params, options);
    }
    if (result) {
      const std::lock_guard lock(mutex_);
      restarts_ = 0;
      return *result;
    }
    const mcp::Failure& failed = result.error();
    const bool has_ended = failed.kind == mcp::Failure::Kind::Closed && !(*client)->is_open();
    const std::string why = has_ended ? (*client)->why_closed() : failed.message;
    return std::unexpected(failure(failure_of(failed.kind), "The MCP server '" + name() + "' failed: " + why));
  }

  /// A context for hooks, in the form of Gemini CLI, which is the only agent that tells how a server is reached.
  Json context_of(const std::string& tool) const {
    const auto text_or_missing = [](const std::string& value) { return value.empty() ? Json() : Json::string(value); };
    std::vector<Json> args;
    for (const std::string& arg : server_.args) args.push_back(Json::string(arg));
    return Json::object({{"server_name", Json::string(name())},
                         {"tool_name", Json::string(tool)},
                         {"command", text_or_missing(server_.command)},
                         {"args", args.empty() ? Json() : Json::array(args)},
                         {"cwd", text_or_missing(server_.cwd)},
                         {"url", text_or_missing(server_.command.empty() ? mcp::address_of(server_) : "")}});
  }

  Tool named(const std::string& tool, std::string description, Json schema) const {
    return {.name = mcp_tool_name(name(), tool, "canonical"),
            .kind = ToolKind::Mcp,
            .description = std::move(description),
            .schema = std::move(schema),
            .run = {},
            .mcp_context = context_of(tool)};
  }

  Tool make_server_tool(const mcp::ServerTool& tool) {
    Tool out = named(tool.name, tool.description.empty() ? tool.title : tool.description, tool.input_schema);
    out.run = [self = shared_from_this(), tool](const Json& input, const ToolContext& context) {
      return self->call(tool, input, context);
    };
    return out;
  }

  ToolResult call(const mcp::ServerTool& tool, const Json& input, const ToolContext& context) {
    const Json params = Json::object({{"name", Json::string(tool.name)}, {"arguments", input}});
    const auto sent = send("tools/call", params, context, mcp::headers_of_call(tool, input));
    if (!sent) return sent.error();
    const mcp::CallResult result = mcp::read_call_result(*sent);
    if (result.is_error) {
      return failure(ToolFailure::Failed,
                     cut_middle(result.text.empty() ? "The tool failed." : result.text, context.max_output));
    }
    // Hooks and the model rely on what the schema promises.
    if (tool.output_schema) {
      const auto wrong = result.structured ? violation(result.structured, tool.output_schema) : "it has no data";
      if (wrong)
        return failure(ToolFailure::Failed, "The answer does not fit the schema that the server gives: " + *wrong);
    }
    return answer(result.text.empty() ? "(no output)" : result.text, context, result.structured);
  }

  /// Resources are read like tools are called: hooks and permission rules see it, under the server's name.
  void add_resource_tools(std::vector<Tool>& out) {
    const auto has = [&](std::string_view tool) {
      return std::ranges::any_of(list_.tools, [&](const mcp::ServerTool& own) { return own.name == tool; });
    };
    if (has(kListResources) || has(kReadResource)) return;
    Tool list = named(std::string(kListResources), "Lists the resources of the MCP server '" + name() + "'.",
                      *Json::parse(R"({"type": "object", "properties": {}})"));
    list.run = [self = shared_from_this()](const Json&, const ToolContext& context) {
      return self->list_resources(context);
    };
    Tool read = named(std::string(kReadResource), "Reads a resource of the MCP server '" + name() + "'.",
                      *Json::parse(R"({"type": "object", "required": ["uri"], "properties": {
                        "uri": {"type": "string", "minLength": 1, "description": "The address of the resource"}}})"));
    read.run = [self = shared_from_this()](const Json& input, const ToolContext& context) {
      const auto sent = self->send("resources/read", Json::object({{"uri", input["uri"]}}), context);
      return sent ? answer(mcp::read_resource(*sent).text, context) : sent.error();
    };
    out.push_back(std::move(list));
    out.push_back(std::move(read));
  }

  ToolResult list_resources(const ToolContext& context) {
    std::string text;
    size_t count = 0;
    std::string cursor;
    for (size_t pages = 0; pages < kMaxResourcePages; ++pages) {
      const auto page =
          send("resources/list", cursor.empty() ? Json() : Json::object({{"cursor", Json::string(cursor)}}), context);
      if (!page) return page.error();
      for (const Json& one : (*page)["resources"].elements()) {
        const auto part = [&](const char* key) { return one[key].as_string().value_or(""); };
        text +=
            part("uri") + "  " + part("name") + (part("description").empty() ? "" : ": " + part("description")) + "\n";
        if (++count >= kMaxResources) return answer(text + "(there are more)", context);
      }
      cursor = (*page)["nextCursor"].as_string().value_or("");
      if (cursor.empty()) return answer(count == 0 ? "There are no resources." : text, context);
    }
    return answer(text + "(the list does not end)", context);
  }

  const McpServer server_;
  const McpSession session_;
  std::mutex connecting_;  ///< held while a connection is made
  mutable std::mutex mutex_;
  std::shared_ptr<mcp::Client> client_;
  mcp::ToolList list_;
  std::string failure_;
  std::set<std::string> left_out_;  ///< names of which people know
  int restarts_ = 0;                ///< since the last answer
  bool is_closed_ = false;
};

McpServers::McpServers(const std::vector<McpServer>& servers, const McpSession& session) {
  for (const McpServer& server : servers) connections_.push_back(std::make_shared<McpConnection>(server, session));
}

McpServers::~McpServers() {
  close();
}

void McpServers::connect(const std::stop_token& stop) {
  std::vector<std::future<void>> others;
  for (const auto& connection : connections_) {
    others.push_back(
        std::async(std::launch::async, [&connection, &stop] { static_cast<void>(connection->connect(stop)); }));
  }
}

std::vector<Tool> McpServers::tools(std::string_view dialect, std::set<std::string> taken,
                                    const std::stop_token& stop) {
  std::vector<Tool> out;
  for (const auto& connection : connections_) {
    for (Tool& tool : connection->tools(stop)) {
      const std::string name = native_name(tool, dialect);
      if (taken.insert(name).second) {
        out.push_back(std::move(tool));
      } else {
        connection->tell_left_out(tool, name);
      }
    }
  }
  return out;
}

std::vector<McpServerState> McpServers::states() const {
  std::vector<McpServerState> out;
  for (const auto& connection : connections_) out.push_back(connection->state());
  return out;
}

Result<void> McpServers::reconnect(std::string_view name, const std::stop_token& stop) {
  const auto found = std::ranges::find(connections_, name, [](const auto& connection) { return connection->name(); });
  if (found == connections_.end()) return fail(Errc::NotFound, "there is no MCP server '" + std::string(name) + "'");
  return (*found)->connect(stop);
}

void McpServers::close() {
  // Each end may take a moment, so they end at the same time.
  std::vector<std::future<void>> all;
  for (const auto& connection : connections_) {
    all.push_back(std::async(std::launch::async, [&connection] { connection->close(); }));
  }
}

}  // namespace grapnel::agent
