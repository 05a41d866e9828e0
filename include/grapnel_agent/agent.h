#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "grapnel/engine.h"
#include "grapnel/hook.h"
#include "grapnel/stop_hook.h"

#include "grapnel_agent/mcp.h"
#include "grapnel_agent/model.h"
#include "grapnel_agent/tool.h"

/// A small but complete agent in which every event of `EventKind` really fires. It is built on the public interface of
/// libgrapnel, as any other host would be, and is the agent behind `grapnel agent`.
///
/// `AgentRunner` is for one message and one answer:
///
///   const auto model = llm::open_model({.provider = "anthropic"});
///   agent::AgentRunner runner({.model = *model, .stop_hooks = {[](const StopHookContext&) { … }}});
///   const Result<std::string> answer = runner.run("Fix the test.");
///
/// `create_session` is for a conversation, in which the host sees how each turn ended:
///
///   const auto session = agent::create_session({.model = *model, .hooks = settings, .can_use_tool = may_run});
///   const agent::TurnResult turn = (*session)->send("Fix the test.");
///   (*session)->close("exit");
///
/// A host that wants to show what happens, or to ask a person, passes an `AgentUi`. The structs below it are the events
/// that the UI is shown; they are not hook events.
namespace grapnel::agent {

/// Which tool calls need a person if no rule and no hook has an opinion.
enum class ApprovalMode : uint8_t {
  Default,   ///< asks before tools that write or execute
  AutoEdit,  ///< asks before tools that execute
  Plan,      ///< read-only tools run, all others are refused
  Yolo,      ///< asks only when a rule or a hook wants it
};
/// `default`, `auto-edit`, `plan`, `yolo`; hooks see it as the permission mode.
std::string_view to_string(ApprovalMode mode);
/// The mode with that name, or nothing.
std::optional<ApprovalMode> approval_mode_from(std::string_view name);

/// Permission rules. Each is `Tool` or `Tool(pattern)`; the pattern is a glob over the command or the path, as in
/// `Bash(npm *)`.
struct PermissionRules {
  std::vector<std::string> allow;
  std::vector<std::string> ask;
  std::vector<std::string> deny;
};

// What happens in a session, for `AgentUi::show`.

/// A piece of the model's text or thoughts, as it arrives.
struct TextChunk {
  std::string text;
  bool is_thought = false;
};
/// A request goes to the model.
struct ModelCalled {
  std::string model;
  std::string lane;  ///< "" for the main agent, or the type of the subagent
  std::string request_text;
};
/// The model's answer is complete.
struct ModelAnswered {
  std::string text;
  llm::ModelUsage usage;
};
/// A tool call has passed all hooks and permissions, and runs now.
struct ToolStarted {
  std::string call_id;
  std::string name;
  Json input;
};
/// What a running tool says about its progress.
struct ToolProgress {
  std::string call_id;
  std::string text;
};
/// A tool call is over, whether it ran or was refused.
struct ToolFinished {
  std::string call_id;
  std::string name;
  Json input;  ///< after hooks have changed it
  ToolResult result;
  std::chrono::milliseconds took{0};
};
/// Hooks start to run, all at the same time.
struct HooksStarted {
  EventKind event;
  std::vector<std::string> labels;  ///< status messages, or names of hooks that have none
};
/// One hook has ended.
struct HookFinished {
  HookRun run;
};
/// A notice for people, from the engine or the session.
struct Told {
  Notice notice;
};
/// A line that a stop hook returned, or the error with which it failed.
struct StopHookSaid {
  std::string line;
  bool is_error = false;
};
/// A hook denied an event.
struct Blocked {
  EventKind event;
  std::string reason;
};
/// A hook stopped the agent as a whole.
struct Stopped {
  EventKind event;
  std::string reason;
};
/// A hook made the agent forget the conversation.
struct ContextCleared {};
/// The conversation was replaced by a summary.
struct Compacted {
  int64_t tokens_before = 0;
  int64_t tokens_after = 0;
};
/// A session has begun.
struct SessionStarted {
  std::string session_id;
  std::string source;  ///< `startup`, `resume`, `clear`
};
/// A session is over, with its totals.
struct SessionEnded {
  std::string session_id;
  std::string reason;
  int64_t turns = 0;
  llm::ModelUsage usage;
};
/// Any of the above.
using AgentEvent = std::variant<TextChunk, ModelCalled, ModelAnswered, ToolStarted, ToolProgress, ToolFinished,
                                HooksStarted, HookFinished, Told, StopHookSaid, Blocked, Stopped, ContextCleared,
                                Compacted, SessionStarted, SessionEnded>;

/// A tool call that a person must approve.
struct Question {
  std::string tool;  ///< with the name that the model uses
  Json input;
  std::string title;    ///< `run: rm -r build`, `write: src/a.cc`
  std::string reason;   ///< why a person is asked; "" if the call is only not allowed yet
  std::string message;  ///< a text that a hook wants to be shown with it
};
/// The person's answer. `Always` applies to the rest of the session; `Nobody` means that no person is there, and the
/// call is refused.
enum class Approval : uint8_t { Nobody, No, Once, Always };

/// What an MCP server asks the person during a tool call.
struct McpQuestion {
  std::string server;
  std::string message;
  /// A flat JSON Schema of the answer; missing if the person is asked to open `url` instead.
  Json schema = {};
  std::string url = {};
};
/// The person's answer. `Nobody` means that no person is there; the server is then told that the person declined.
struct McpReply {
  enum class Action : uint8_t { Nobody, Decline, Cancel, Accept };
  Action action = Action::Nobody;
  Json content = {};  ///< an object that fits the schema, if the action is `Accept`
};

/// The person in front of the agent, as a class that the host implements. The default shows nothing, and there is
/// nobody to ask. Thread: called from every thread that runs the session, but never from two at once.
class AgentUi {
 public:
  virtual ~AgentUi() = default;
  /// Called for everything that happens, in order.
  virtual void show(const AgentEvent& event) { static_cast<void>(event); }
  /// Asks the person and waits. If `cancel` is triggered, it must return soon, with `No`.
  virtual Approval ask(const Question& question, std::stop_token cancel) {
    static_cast<void>(question), static_cast<void>(cancel);
    return Approval::Nobody;
  }
  /// Asks the person for what an MCP server wants to know. If `cancel` is triggered, it must return soon.
  virtual McpReply reply(const McpQuestion& question, std::stop_token cancel) {
    static_cast<void>(question), static_cast<void>(cancel);
    return {};
  }
};

/// How to create an agent. Only `model` is required.
struct AgentOptions {
  std::shared_ptr<llm::ModelClient> model;
  /// "": the model that the client uses by default.
  std::string model_name = {};
  /// "": a short default prompt.
  std::string system_prompt = {};
  std::optional<std::vector<Tool>> tools = {};  ///< not set: `built_in_tools()`
  /// Servers whose tools are offered in addition.
  std::vector<McpServer> mcp_servers = {};
  /// The workspace: where commands run and files may be changed. "": the directory of the process.
  std::string cwd = {};
  /// Directories outside of the workspace that tools may use, too.
  std::vector<std::string> also_allowed_dirs = {};
  /// What the commands of the shell tool may do (docs/contain.md); null: what the user may do.
  std::shared_ptr<const Sandbox> sandbox = {};
  /// How the program was started, for SessionStart hooks: an object such as `{"ui": "shell"}`.
  Json launch_arguments = {};
  /// The dialect whose names the model sees. Hooks that are written for that dialect see the same names.
  std::string dialect = "canonical";

  // Hooks. The agent uses `engine` if it is set; otherwise it creates one from `engine_options` and `hooks`.
  std::shared_ptr<Engine> engine = {};
  EngineOptions engine_options = {};
  Json hooks = {};                      ///< an object: the events, each with its hooks
  std::string hooks_dialect = "blade";  ///< the settings format of `hooks`
  /// Watch the end of each turn (grapnel/stop_hook.h).
  std::vector<StopHook> stop_hooks = {};
  /// Asked first about every tool call, in every mode (grapnel/hook.h), with the input as PreToolUse hooks left it.
  /// Deny rules and plan mode stay in force if it allows a call, and so does a PreToolUse hook that wants a person.
  /// Thread: called from every thread that runs the session, but never from two at once.
  CanUseTool can_use_tool = {};

  ApprovalMode approval = ApprovalMode::Default;
  /// Deny rules win over ask rules, and these over allow rules.
  PermissionRules rules = {};
  int max_turns = 50;  ///< the most model calls for one prompt
  /// How often in one prompt the model is reminded to go on, if it announced an action but called no tool.
  int max_intent_nudges = 2;
  /// Whether AfterModel hooks see every chunk before it is shown, instead of the whole response at its end.
  bool after_model_per_chunk = false;
  /// The size of the model's context. The conversation is summarised when it fills four fifths of it.
  int64_t context_tokens = 128'000;
  /// The longest time that one tool call may take.
  std::chrono::milliseconds tool_timeout{120'000};
  /// Bytes of a tool's output that the model sees.
  size_t max_tool_output = size_t{64} << 10;
  /// Whether tools may fetch pages from this machine and from private networks.
  bool allow_private_hosts = false;
  std::string transcripts = {};  ///< the directory of the transcripts; "": none are written
  std::string session_id = {};   ///< "": a new id
  /// Whether the conversation continues from the transcript of `session_id`.
  bool resume = false;
  /// Shows what happens and asks the person; may be null.
  std::shared_ptr<AgentUi> ui = {};
};

/// The result of one prompt.
struct TurnResult {
  /// `Blocked`: a hook refused the prompt. `Stopped`: a hook stopped the agent. `MaxTurns`: the limit of model calls
  /// was reached. `Failed`: the model could not be reached, or the like. `Cancelled`: a person refused the model's tool
  /// calls, and the agent of the dialect ends the turn then. `GateOpened`: there is an answer, but the hooks of the
  /// gate still objected when it opened because it had been closed too often.
  enum class Ending : uint8_t { Answered, Blocked, Stopped, Interrupted, MaxTurns, Failed, Cancelled, GateOpened };
  Ending ending = Ending::Answered;
  std::string answer;
  std::string reason;  ///< why there is no answer
  /// How many model calls the prompt took, and their tokens.
  int64_t model_calls = 0;
  llm::ModelUsage usage;
};
/// The ending as one word, for output.
std::string_view to_string(TurnResult::Ending ending);

/// A conversation. `create_session` makes it. Thread: one at a time; another thread may interrupt a call through the
/// stop token that was passed to it.
class Session {
 public:
  /// Closes the session with the reason `other`, unless it is closed already.
  virtual ~Session() = default;

  /// Sends one prompt and runs the agent's loop (model, tools, model…) until the turn is over. Failures are reported in
  /// `TurnResult`, too.
  virtual TurnResult send(std::string_view prompt, const std::vector<llm::ImagePart>& images = {},
                          std::stop_token interrupt = {}) = 0;
  /// Ends this session and starts a new one with an empty conversation. What SessionStart hooks add to the new
  /// conversation is kept.
  virtual void clear() = 0;
  /// Summarises the conversation now. False if a hook denied it or the model failed; the UI is shown the reason.
  virtual bool compact(std::stop_token interrupt = {}) = 0;
  /// Fires Notification and returns the text to show, or nothing if a hook suppressed it. Types are `idle_prompt`,
  /// `info` and so on.
  virtual std::optional<std::string> notify(std::string_view type, std::string_view message) = 0;
  /// Ends the session and fires SessionEnd; further calls do nothing. Reasons: `exit`, `interrupt`, `error`,
  /// `max_turns`, `idle_timeout`, `logout`, `other`.
  virtual void close(std::string_view reason) = 0;

  /// The id that hooks see; `clear` changes it.
  virtual const std::string& id() const = 0;
  /// "" if no transcript is written.
  virtual std::string transcript_path() const = 0;
  /// The engine that this session uses, for lists and switches.
  virtual Engine& engine() = 0;
  /// The tokens of the whole session.
  virtual llm::ModelUsage usage() const = 0;
  /// The MCP servers of this session.
  virtual std::vector<McpServerState> mcp_servers() const = 0;
  /// Ends the connection to the server of that name and connects again. Fails: NotFound; Unavailable.
  virtual Result<void> reconnect(std::string_view server, std::stop_token interrupt = {}) = 0;
};

/// Creates a session and fires SessionStart. Fails: Refused if a hook denies it; NotFound if there is no transcript to
/// resume; Cancelled; BadInput.
Result<std::unique_ptr<Session>> create_session(AgentOptions options, std::stop_token interrupt = {});

/// A session that is reduced to questions and answers. The first message opens the session, the destructor closes it.
/// Without a UI, messages of stop hooks go to stdout, and their errors to stderr.
class AgentRunner {
 public:
  explicit AgentRunner(AgentOptions options);
  ~AgentRunner();
  /// Sends a message and returns the answer. Fails: Refused if a hook blocked it; Cancelled; otherwise as the model
  /// does.
  Result<std::string> run(std::string_view message, std::stop_token interrupt = {});

 private:
  AgentOptions options_;
  std::unique_ptr<Session> session_;
};

}  // namespace grapnel::agent
