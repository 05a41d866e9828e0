#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grapnel/json.h"
#include "grapnel/tool.h"

namespace grapnel {
struct Sandbox;
}  // namespace grapnel

/// Tools that the agent offers to its model.
///
/// `built_in_tools` returns the usual ones. A host can add its own:
///
///   std::vector<agent::Tool> tools = agent::built_in_tools();
///   tools.push_back({.name = "Weather",
///                    .kind = ToolKind::Other,
///                    .description = "The weather at a place.",
///                    .schema = *Json::parse(R"({"type": "object", "properties": {"place": {"type": "string"}}})"),
///                    .run = [](const Json& input, const agent::ToolContext&) -> agent::ToolResult { … }});
///
/// The agent fires hooks and asks for permission before it calls `run`, so a tool does not need to check either.
namespace grapnel::agent {

/// The directories that tools may use; internal to the agent.
class Workspace;

/// Why a tool call has no result.
enum class ToolFailure : uint8_t {
  None,
  Unknown,       ///< there is no tool with that name
  InvalidInput,  ///< the input does not fit the schema
  Denied,        ///< by a hook, a rule or the mode
  Refused,       ///< by a person, or because nobody was there to ask
  Failed,
  TimedOut,
  Interrupted,
  Stopped,  ///< a hook stopped the agent as a whole
};
/// `not_found`, `invalid_input`, `denied`…
std::string_view to_string(ToolFailure failure);

/// What a tool returns.
struct ToolResult {
  ToolFailure failure = ToolFailure::None;
  std::string text = {};  ///< for the model: the output, or what went wrong
  Json data = {};         ///< the same in structured form, if there is one

  /// Whether the tool did its work.
  bool success() const { return failure == ToolFailure::None; }
};

/// One entry of the agent's task list.
struct TaskItem {
  enum class Status : uint8_t { Pending, InProgress, Completed };
  std::string id;
  std::string description;
  Status status = Status::Pending;
  bool operator==(const TaskItem&) const = default;
};

/// A task that the model gives to a subagent.
struct SubagentTask {
  std::string type;  ///< `Explore`, `Plan`, `Bash`, `general`, in any spelling; hooks see it as the model spelled it
  std::string description;
  std::string prompt;
};

/// What a tool may use while it runs.
struct ToolContext {
  /// Where files may be read and written.
  const Workspace* workspace = nullptr;
  std::span<const std::pair<std::string, std::string>> env =
      {};  ///< of the session, in addition to the environment of the process
  /// What the commands of the shell tool may do; null: what the user may do.
  const Sandbox* sandbox = nullptr;
  /// Triggered when the user interrupts; long tools must check it.
  std::stop_token cancel = {};
  /// Tells the person what the tool is doing; may be empty.
  std::function<void(const std::string& text)> progress = {};
  /// The longest time that a call may take. If the model passes a `timeout` argument, it can only make this shorter.
  std::chrono::milliseconds timeout{120'000};
  /// Bytes of text for the model. The middle of longer texts is cut out.
  size_t max_output = size_t{64} << 10;
  /// Whether pages may be fetched from this machine and from private networks.
  bool allow_private_hosts = false;
  /// The agent's task list; may be null.
  std::vector<TaskItem>* tasks = nullptr;
  /// Called before a task is marked as done. Returns nothing, or the reason why the task stays open.
  std::function<std::optional<std::string>(const TaskItem& task)> complete_task = {};
  /// Runs a subagent and returns its answer.
  std::function<ToolResult(const SubagentTask& task)> run_subagent = {};
};

/// A tool. Its name and the properties of its schema are canonical; for other dialects the agent translates them.
///
/// Thread: the agent may call `run` of a tool that only reads from several threads at once. The task list tool changes
/// `tasks`, so it is called from one thread at a time.
struct Tool {
  std::string name;
  /// Decides which permissions the tool needs.
  ToolKind kind = ToolKind::Other;
  std::string description;
  /// JSON Schema of the input; `type`, `properties`, `required`, `enum`, `items`, `minimum` and `maximum` are checked.
  Json schema;
  /// Does the work. The input has been checked against the schema.
  std::function<ToolResult(const Json& input, const ToolContext& context)> run;
  /// If the tool belongs to an MCP server: the server, the name that the tool has there and how the server is reached.
  /// Hooks see it as `Field::McpContext`, and dialects make the name of the tool from it.
  Json mcp_context = {};
};

/// The built-in tools: shell, read, write, edit, glob, grep, fetch, task list and subagents.
std::vector<Tool> built_in_tools();

}  // namespace grapnel::agent
