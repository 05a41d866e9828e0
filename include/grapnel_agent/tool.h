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

/// Tools an agent offers to its model.
namespace grapnel::agent {

class Workspace;

/// Why a tool call came to nothing.
enum class ToolFailure : uint8_t {
  None,
  Unknown,       ///< no tool of that name
  InvalidInput,  ///< the schema does not hold
  Denied,        ///< by a hook, a rule or the mode
  Refused,       ///< by a person, or nobody was there to ask
  Failed,
  TimedOut,
  Interrupted,
  Stopped,  ///< a hook stopped the agent as a whole
};
/// `not_found`, `invalid_input`, `denied`…
std::string_view to_string(ToolFailure failure);

struct ToolResult {
  ToolFailure failure = ToolFailure::None;
  std::string text = {};  ///< for the model: the output, or what went wrong
  Json data = {};         ///< the same in structured form, where there is one

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

/// A piece of work for a subagent.
struct SubagentTask {
  std::string type;  ///< `explore`, `plan`, `general`
  std::string description;
  std::string prompt;
};

/// What a tool may use while it runs.
struct ToolContext {
  const Workspace* workspace = nullptr;
  std::span<const std::pair<std::string, std::string>> env = {};  ///< of the session, on top of the process's own
  std::stop_token cancel = {};
  std::chrono::milliseconds timeout{120'000};  ///< a tool's own `timeout` argument may only shorten it
  size_t max_output = size_t{64} << 10;        ///< bytes of text for the model; over it the middle is cut
  bool allow_private_hosts = false;            ///< fetch from this machine and from private networks, too
  std::vector<TaskItem>* tasks = nullptr;
  /// Asked before a task counts as done: nothing, or why it stays open.
  std::function<std::optional<std::string>(const TaskItem& task)> complete_task = {};
  std::function<ToolResult(const SubagentTask& task)> run_subagent = {};
};

/// A tool. The name and the schema's properties are canonical; dialects rename them.
/// Thread: `run` may be called by several at once when the tool reads only; that of the task list changes `tasks`.
struct Tool {
  std::string name;
  ToolKind kind = ToolKind::Other;
  std::string description;
  Json schema;  ///< of the input: type, properties, required, enum, items, minimum, maximum
  std::function<ToolResult(const Json& input, const ToolContext& context)> run;
};

/// Shell, read, write, edit, glob, grep, fetch, task list, subagents.
std::vector<Tool> built_in_tools();

}  // namespace grapnel::agent
