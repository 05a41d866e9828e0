#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "grapnel/error.h"
#include "grapnel/json.h"

namespace grapnel {

struct Dialect;

/// The moments of an agent's life. Agents spell them in many ways; dialect tables map those spellings to these.
enum class EventKind : uint8_t {
  SessionStart,
  SessionEnd,
  UserPromptSubmit,
  BeforeModel,
  BeforeToolSelection,
  AfterModel,
  PreToolUse,
  PermissionRequest,
  PostToolUse,
  PostToolUseFailure,
  Stop,  ///< a gate: the agent wants to end its turn
  TurnEnd,
  SubagentStart,
  SubagentStop,
  TaskCompleted,
  Notification,
  PreCompact,
  PostCompact,
};
inline constexpr size_t kEventKindCount = 18;

/// The canonical name, `PreToolUse`.
std::string_view to_string(EventKind kind);
std::optional<EventKind> event_kind_from(std::string_view canonical_name);
/// Every kind, in declaration order.
std::span<const EventKind> all_event_kinds();

/// What a payload may say, whatever the agent calls it.
enum class Field : uint8_t {
  EventName,
  SessionId,
  TranscriptPath,
  Cwd,
  ProjectDir,
  PlansDir,
  Timestamp,
  ExecutionId,
  PermissionMode,
  ToolName,
  ToolInput,
  ToolUseId,
  ToolOutput,
  McpContext,
  OriginalRequestName,
  Error,
  ErrorType,
  IsInterrupt,
  IsTimeout,
  Prompt,
  HasImages,
  ImageCount,
  Source,
  IsResume,
  ResumeSessionId,
  EndReason,
  TotalTurns,
  TotalTokens,
  StopReason,
  FinalResponse,
  StopHookActive,
  BlockCount,
  ModelRequest,
  ModelResponse,
  NotificationType,
  Title,
  Message,
  Details,
  Trigger,
  MessagesBefore,
  TokensBefore,
  MessagesAfter,
  TokensAfter,
  Summary,
  AgentId,
  AgentType,
  ParentAgentId,
  TaskId,
  TaskDescription,
  ResultSummary,
  Success,
  Model,
  LaunchArguments,
  DurationSeconds,
  DurationMs,  ///< of a tool call
  StepCount,
  AgentName,
  Messages,   ///< the conversation so far
  ToolCalls,  ///< of the turn: name, input, output, success
  ReachedMaxIterations,
  JudgeDepth,   ///< how many judges of hooks are above what is told
  ToolPath,     ///< derived: the file a tool call is about
  ToolCommand,  ///< derived: the command line a shell tool would run
  None,
};
inline constexpr size_t kFieldCount = static_cast<size_t>(Field::None);

/// The canonical key, `tool_name`.
std::string_view to_string(Field field);
std::optional<Field> field_from(std::string_view canonical_key);

/// One event: its kind and a payload in the words of one dialect.
///
/// A host either speaks the canonical dialect (keys as `to_string(Field)` gives them) or hands in the payload of a
/// dialect it knows by name; hooks of that dialect then receive exactly these bytes.
/// Thread: any; events are immutable.
class Event {
 public:
  /// An event in canonical words.
  Event(EventKind kind, Json payload);

  /// An event as an agent of that dialect writes it; the payload itself names the event, or `name` does.
  /// Fails: BadInput when it names no event, or two; NotFound for one of that agent's that no hook is ever run at.
  static Result<Event> from_native(std::string_view dialect, Json payload, std::string_view name = {});

  EventKind kind() const { return kind_; }
  const Dialect& dialect() const { return *dialect_; }
  std::string_view dialect_name() const;
  const Json& payload() const { return payload_; }

  /// A field's value in canonical words, or missing.
  Json get(Field field) const;
  /// The same as the host spelled it, as text; "" when missing or no string.
  std::string text(Field field) const;
  /// The same event as an agent of that dialect would write it. Fails: NotFound when that agent has no such moment or
  /// there is no such dialect.
  Result<Event> in_dialect(std::string_view dialect) const;
  /// The same event with another payload.
  Event with_payload(Json payload) const;

 private:
  Event(EventKind kind, const Dialect* dialect, Json payload);

  EventKind kind_;
  const Dialect* dialect_;
  Json payload_;
};

}  // namespace grapnel
