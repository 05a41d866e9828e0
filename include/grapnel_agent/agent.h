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

#include "grapnel_agent/model.h"
#include "grapnel_agent/tool.h"

/// A small, complete agent in which every event of `EventKind` really fires. It stands on libgrapnel's public API, as
/// any host would.
///
///   AgentRunner({.model = …, .stop_hooks = {…}}).run("fix the test")      one message, one answer
///   create_session({.model = …, .hooks = …, .can_use_tool = …})          a conversation
namespace grapnel::agent {

enum class ApprovalMode : uint8_t {
  Default,   ///< asks before tools that write or execute
  AutoEdit,  ///< asks before tools that execute
  Plan,      ///< read-only tools run, all others are refused
  Yolo,      ///< asks only when a rule or a hook wants it
};
/// `default`, `auto-edit`, `plan`, `yolo`: what hooks see as permission mode.
std::string_view to_string(ApprovalMode mode);
std::optional<ApprovalMode> approval_mode_from(std::string_view name);

/// `Tool` or `Tool(pattern)`, the pattern a glob over the command or the path: `Bash(npm *)`.
struct PermissionRules {
  std::vector<std::string> allow;
  std::vector<std::string> ask;
  std::vector<std::string> deny;
};

// What a session tells as it goes.

struct TextChunk {
  std::string text;
  bool is_thought = false;
};
struct ModelCalled {
  std::string model;
  std::string lane;  ///< "" or the subagent's type
  std::string request_text;
};
struct ModelAnswered {
  std::string text;
  llm::ModelUsage usage;
};
struct ToolStarted {
  std::string call_id;
  std::string name;
  Json input;
};
struct ToolFinished {
  std::string call_id;
  std::string name;
  Json input;  ///< as it ran, hooks' rewrites included
  ToolResult result;
  std::chrono::milliseconds took{0};
};
struct HooksStarted {
  EventKind event;
  std::vector<std::string> labels;  ///< status messages, or names
};
struct HookFinished {
  HookRun run;
};
struct Told {
  Notice notice;
};
struct StopHookSaid {
  std::string line;
  bool is_error = false;
};
struct Blocked {
  EventKind event;
  std::string reason;
};
struct Stopped {
  EventKind event;
  std::string reason;
};
struct ContextCleared {};
struct Compacted {
  int64_t tokens_before = 0;
  int64_t tokens_after = 0;
};
struct SessionStarted {
  std::string session_id;
  std::string source;  ///< `startup`, `resume`, `clear`
};
struct SessionEnded {
  std::string session_id;
  std::string reason;
  int64_t turns = 0;
  llm::ModelUsage usage;
};
using AgentEvent =
    std::variant<TextChunk, ModelCalled, ModelAnswered, ToolStarted, ToolFinished, HooksStarted, HookFinished, Told,
                 StopHookSaid, Blocked, Stopped, ContextCleared, Compacted, SessionStarted, SessionEnded>;

/// A tool call that needs a person.
struct Question {
  std::string tool;  ///< as the model calls it
  Json input;
  std::string title;    ///< `run: rm -r build`, `write: src/a.cc`
  std::string reason;   ///< why it is asked; "" when it is just not allowed yet
  std::string message;  ///< what a hook wants to be shown with it
};
enum class Approval : uint8_t { Nobody, No, Once, Always };

/// Whoever sits in front of the agent. The default shows nothing and is nobody to ask.
/// Thread: any of those that run the session, one at a time.
class AgentUi {
 public:
  virtual ~AgentUi() = default;
  virtual void show(const AgentEvent& event) { static_cast<void>(event); }
  /// `Always` lasts for the session. `cancel` gives the question up: `No`.
  virtual Approval ask(const Question& question, std::stop_token cancel) {
    static_cast<void>(question), static_cast<void>(cancel);
    return Approval::Nobody;
  }
};

struct AgentOptions {
  std::shared_ptr<llm::ModelClient> model;
  std::string model_name = {};
  std::string system_prompt = {};
  std::optional<std::vector<Tool>> tools = {};  ///< nothing: `built_in_tools()`
  std::string cwd = {};                         ///< the workspace; "": where the process is
  std::vector<std::string> also_allowed_dirs = {};
  std::string dialect = "canonical";  ///< whose names the model and native hooks see

  // Hooks: a given engine, or one made from `engine_options` plus `hooks`.
  std::shared_ptr<Engine> engine = {};
  EngineOptions engine_options = {};
  Json hooks = {};                      ///< events and their hooks…
  std::string hooks_dialect = "blade";  ///< …as settings of this dialect have them
  std::vector<StopHook> stop_hooks = {};
  CanUseTool can_use_tool = {};

  ApprovalMode approval = ApprovalMode::Default;
  PermissionRules rules = {};
  int max_turns = 50;  ///< model calls for one prompt
  int max_intent_nudges = 2;
  bool after_model_per_chunk = false;  ///< AfterModel sees each chunk before it is shown, not the response as a whole
  int64_t context_tokens = 128'000;    ///< of the model; compaction starts at four fifths
  std::chrono::milliseconds tool_timeout{120'000};
  size_t max_tool_output = size_t{64} << 10;
  bool allow_private_hosts = false;  ///< tools may fetch from this machine and from private networks
  std::string transcripts = {};      ///< directory; "": nothing is written
  std::string session_id = {};       ///< "": a new one
  bool resume = false;               ///< go on with `session_id`'s transcript
  std::shared_ptr<AgentUi> ui = {};
};

/// How a prompt ended.
struct TurnResult {
  enum class Ending : uint8_t { Answered, Blocked, Stopped, Interrupted, MaxTurns, Failed };
  Ending ending = Ending::Answered;
  std::string answer;
  std::string reason;  ///< of anything but an answer
  int64_t model_calls = 0;
  llm::ModelUsage usage;
};
std::string_view to_string(TurnResult::Ending ending);

/// A conversation. Thread: one at a time, except `interrupt` by the stop tokens handed in.
class Session {
 public:
  virtual ~Session() = default;  ///< closes with reason `other` when nobody did

  /// One prompt through the loop. Fails: System and others when the model cannot be reached.
  virtual TurnResult send(std::string_view prompt, const std::vector<llm::ImagePart>& images = {},
                          std::stop_token interrupt = {}) = 0;
  /// Ends this session and starts a new one with an empty conversation; what hooks say at its start is kept.
  virtual void clear() = 0;
  /// Summarises the conversation now. False when a hook or the model was against it; the reason is told to the UI.
  virtual bool compact(std::stop_token interrupt = {}) = 0;
  /// Fires Notification: the text to show, or nothing when a hook suppressed it. Types: `idle_prompt`, `info`…
  virtual std::optional<std::string> notify(std::string_view type, std::string_view message) = 0;
  /// Fires SessionEnd, once. Reasons: `exit`, `interrupt`, `error`, `max_turns`, `idle_timeout`, `logout`, `other`.
  virtual void close(std::string_view reason) = 0;

  virtual const std::string& id() const = 0;
  virtual std::string transcript_path() const = 0;
  virtual Engine& engine() = 0;
  virtual llm::ModelUsage usage() const = 0;
};

/// Fires SessionStart. Fails: Refused when a hook denies it, Cancelled, NotFound for a transcript to resume, BadInput.
Result<std::unique_ptr<Session>> create_session(AgentOptions options, std::stop_token interrupt = {});

/// One message at a time, with stop hooks (seed 000). Without a UI, what stop hooks say goes to stdout and what they
/// fail with to stderr.
class AgentRunner {
 public:
  explicit AgentRunner(AgentOptions options);
  ~AgentRunner();
  /// The answer. Fails: as the model does; Cancelled.
  Result<std::string> run(std::string_view message, std::stop_token interrupt = {});

 private:
  AgentOptions options_;
  std::unique_ptr<Session> session_;
};

}  // namespace grapnel::agent
