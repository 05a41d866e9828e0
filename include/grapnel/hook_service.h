#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "grapnel/engine.h"

/// `HookService`: one typed function for each moment of an agent's work.
///
/// Firing an event with `Engine::fire` means building a JSON payload and reading a general `Decision`. `HookService`
/// does both for a host that wants to add hooks to its agent with little code: it takes the facts of the moment as
/// arguments and returns a struct with exactly the answers that make sense there.
///
///   HookService hooks(engine);
///   const HookService::Session session{.session_id = "1", .project_dir = "."};
///   const auto before = hooks.on_pre_tool_use(session, call);
///   if (before.decision == PreToolDecision::Deny) return refuse(before.reason);
///   if (before.modified_input) call.input = *before.modified_input;
///   const Json output = run(call);
///   const auto after = hooks.on_post_tool_use(session, call, output);
///
/// docs/embedding.md has a table that says when to make which call.
namespace grapnel {

/// The answer of the host's permission callback. Without a callback it is Pass; a callback that throws grants nothing,
/// so that counts as Ask, with the message of the exception.
PermissionAnswer ask_callback(const CanUseTool& can_use_tool, const ToolUse& use, const std::stop_token& cancel = {});

/// The permission step of a tool call, for hosts that fire events themselves. It calls `can_use_tool` first (which may
/// be empty). If that leaves the question open, it calls `fire_hooks`, which fires the PermissionRequest event. The
/// answer `Ask` means that a person must decide.
PermissionAnswer request_permission(const CanUseTool& can_use_tool, const ToolUse& use,
                                    const std::function<Decision()>& fire_hooks, std::stop_token cancel = {});

/// What hooks say about a tool call before it runs.
///
/// `NoOpinion` is silence: no hook spoke for or against the call, or hooks are not available. It grants nothing; the
/// host treats the call as it would without hooks, with its own rules and by asking a person. Only `Allow` means that
/// nobody needs to be asked.
///
/// This is a type of its own, without a conversion from or to `Verdict`, so that nobody takes silence for consent by
/// accident.
enum class PreToolDecision : uint8_t { NoOpinion, Allow, Ask, Deny };

/// `no opinion`, `allow`, `ask`, `deny`.
std::string_view to_string(PreToolDecision decision);

/// One function for each moment of an agent's work. If hooks are not available, every function returns the neutral
/// answer that its result type documents. Thread: any.
class HookService {
 public:
  /// Facts about the session that every event contains.
  struct Session {
    std::string session_id;
    std::string project_dir = {};
    std::string permission_mode = "default";
  };
  /// A tool call as the model made it.
  struct ToolCall {
    std::string name;
    std::string use_id;
    Json input;
  };
  /// Before a tool runs.
  struct PreToolResult {
    PreToolDecision decision = PreToolDecision::NoOpinion;  ///< neutral: NoOpinion
    std::string reason;
    std::optional<Json> modified_input;  ///< the whole new input; use it instead of the old one
    /// For the model.
    std::string context;
  };
  /// After a tool ran or failed.
  struct PostToolResult {
    std::string additional_context;
    /// Use it instead of the tool's output.
    std::optional<Json> modified_output;
    std::string feedback;  ///< the reason of a hook that objects to the result, for the model
  };
  /// At a gate, where a hook can keep the agent from finishing something.
  struct GateResult {
    /// Neutral: false. At Stop and SubagentStop a blocked agent goes on working, with the reason as its next
    /// instruction; a blocked compaction is skipped.
    bool blocked = false;
    std::string reason;
    /// For the model; a subagent reads it with its task.
    std::string context = {};
  };
  /// When the user has sent a prompt. A blocked prompt never reaches the model.
  struct PromptResult {
    bool blocked = false;
    std::string reason;
    std::optional<std::string> modified_prompt;
    std::string context;
  };
  /// At the start of a session.
  struct SessionResult {
    bool blocked = false;
    std::string reason;
    std::string context;
    /// Environment variables for the session. Later hooks get them without the host's help; the host may give them to
    /// its tools.
    std::vector<std::pair<std::string, std::string>> env;
  };
  /// Before a notification is shown to a person.
  struct NotificationResult {
    bool suppressed = false;
    std::string message;  ///< the text to show: the original, or a hook's version of it
  };

  /// Shares the engine; null means that hooks are not available.
  explicit HookService(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

  /// Whether there is an engine and it is switched on.
  bool is_hooks_available() const { return engine_ != nullptr && engine_->is_enabled(); }

  SessionResult on_session_start(const Session& session, std::string_view source = "startup");
  void on_session_end(const Session& session, std::string_view reason = "exit");
  PromptResult on_user_prompt_submit(const Session& session, std::string_view prompt);
  GateResult on_stop(const Session& session, std::string_view stop_reason, std::string_view final_response = {});
  void on_turn_end(const Session& session, std::string_view final_response);
  GateResult on_compaction(const Session& session, int64_t tokens_before, int64_t message_count,
                           std::string_view trigger = "auto");
  void on_post_compact(const Session& session, std::string_view summary, std::string_view trigger = "auto");
  PreToolResult on_pre_tool_use(const Session& session, const ToolCall& call);
  PostToolResult on_post_tool_use(const Session& session, const ToolCall& call, const Json& output);
  PostToolResult on_post_tool_use_failure(const Session& session, const ToolCall& call, std::string_view error);
  /// Asks the PermissionRequest hooks. `Ask`, which is also the neutral answer, means that a person must decide; the
  /// result is never `Pass`.
  Verdict on_permission_request(const Session& session, const ToolCall& call);
  /// The whole permission step of a tool call: the host's callback first (it may be empty), then the hooks. `Ask` means
  /// that a person must decide; the result is never `Pass`.
  PermissionAnswer request_permission(const Session& session, const ToolCall& call, const CanUseTool& can_use_tool,
                                      std::stop_token cancel = {});
  /// A blocked subagent is not started.
  GateResult on_subagent_start(const Session& session, std::string_view type, std::string_view task);
  GateResult on_subagent_stop(const Session& session, std::string_view id, std::string_view type,
                              std::string_view summary, bool success = true);
  GateResult on_task_completed(const Session& session, std::string_view task_id, std::string_view description,
                               bool success = true);
  NotificationResult on_notification(const Session& session, std::string_view type, std::string_view message);
  /// Around a model call. There are many possible effects here, so these three return the whole decision:
  /// `effects.model_request`, `effects.model_response` and `effects.tool_choice`.
  Decision on_before_model(const Session& session, const Json& request);
  Decision on_before_tool_selection(const Session& session, const Json& request);
  Decision on_after_model(const Session& session, const Json& request, const Json& response);

 private:
  Decision fire(EventKind kind, const Session& session, std::vector<std::pair<std::string, Json>> fields,
                std::stop_token cancel = {});

  std::shared_ptr<Engine> engine_;
};

}  // namespace grapnel
