#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "grapnel/engine.h"

namespace grapnel {

/// The permission step of a tool call, for hosts that fire events themselves: the callback first (it may be empty), and
/// when that leaves it open `fire_hooks`, which fires the PermissionRequest event. Ask: a person decides.
PermissionAnswer request_permission(const CanUseTool& can_use_tool, const ToolUse& use,
                                    const std::function<Decision()>& fire_hooks, std::stop_token cancel = {});

/// What hooks say about a tool call before it runs.
///
/// `NoOpinion` is silence: no hook spoke for or against the call, or hooks are not available. It grants nothing; the
/// call takes the way it would take without hooks, through the host's own rules and its person. Only `Allow` says that
/// nobody needs to be asked. There is no conversion from or to `Verdict`, and a `switch` that forgets a case is warned
/// about, so that silence cannot be taken for consent by accident.
enum class PreToolDecision : uint8_t { NoOpinion, Allow, Ask, Deny };

/// `no opinion`, `allow`, `ask`, `deny`.
std::string_view to_string(PreToolDecision decision);

/// One call per moment of an agent's life: hooking up an agent needs nothing else.
///
/// Every call returns its documented neutral answer when hooks are not available. Thread: any.
class HookService {
 public:
  /// Facts about the session that every event carries.
  struct Session {
    std::string session_id;
    std::string project_dir = {};
    std::string permission_mode = "default";
  };
  /// A tool call.
  struct ToolCall {
    std::string name;
    std::string use_id;
    Json input;
  };
  struct PreToolResult {
    PreToolDecision decision = PreToolDecision::NoOpinion;  ///< neutral: NoOpinion
    std::string reason;
    std::optional<Json> modified_input;  ///< the whole input as rewritten
    std::string context;
  };
  struct PostToolResult {
    std::string additional_context;
    std::optional<Json> modified_output;
    std::string feedback;  ///< a hook's block: the reason, for the model
  };
  struct GateResult {
    bool blocked = false;  ///< neutral: false. Stop and SubagentStop: keep working; compaction: skip it
    std::string reason;
  };
  struct PromptResult {
    bool blocked = false;
    std::string reason;
    std::optional<std::string> modified_prompt;
    std::string context;
  };
  struct SessionResult {
    bool blocked = false;
    std::string reason;
    std::string context;
    std::vector<std::pair<std::string, std::string>> env;
  };
  struct NotificationResult {
    bool suppressed = false;
    std::string message;  ///< as given, or as a hook changed it
  };

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
  /// Allow: approved; Deny: refused; Ask: a person decides (neutral). Never Pass.
  Verdict on_permission_request(const Session& session, const ToolCall& call);
  /// The permission step of a tool call: the callback first (it may be empty), then hooks; Ask: a person decides.
  /// Never Pass.
  PermissionAnswer request_permission(const Session& session, const ToolCall& call, const CanUseTool& can_use_tool,
                                      std::stop_token cancel = {});
  GateResult on_subagent_start(const Session& session, std::string_view type, std::string_view task);
  GateResult on_subagent_stop(const Session& session, std::string_view id, std::string_view type,
                              std::string_view summary);
  GateResult on_task_completed(const Session& session, std::string_view task_id, std::string_view description);
  NotificationResult on_notification(const Session& session, std::string_view type, std::string_view message);
  Decision on_before_model(const Session& session, const Json& request);
  Decision on_before_tool_selection(const Session& session, const Json& request);
  Decision on_after_model(const Session& session, const Json& request, const Json& response);

 private:
  Decision fire(EventKind kind, const Session& session, std::vector<std::pair<std::string, Json>> fields,
                std::stop_token cancel = {});

  std::shared_ptr<Engine> engine_;
};

}  // namespace grapnel
