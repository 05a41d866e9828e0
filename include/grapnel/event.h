#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "grapnel/error.h"
#include "grapnel/json.h"

/// Events: what an agent is about to do, or has just done.
///
/// An event is a kind (`PreToolUse`) and a payload (a JSON object with the tool's name, its input and so on). Every
/// agent has its own names for both; the vocabulary of one agent is called a *dialect*. The dialect `canonical` is
/// Grapnel's own: `EventKind` and `Field` list its names, and all others are translated from and to it.
///
///   const Event event(EventKind::PreToolUse,
///                     Json::object({{"tool_name", Json::string("Bash")},
///                                   {"tool_input", Json::object({{"command", Json::string("make")}})}}));
///   const Result<Event> theirs = Event::from_native("gemini", payload);   // as Gemini CLI writes it
///   event.text(Field::ToolCommand);                                       // "make"
///
/// An engine takes events and returns decisions (grapnel/engine.h).
namespace grapnel {

/// The tables of one agent's vocabulary; internal to the library.
struct Dialect;

/// The moments of an agent's work at which hooks run, in canonical names.
///
/// At a *gate* the agent wants to finish something, and a hook that denies it makes the agent go on working.
enum class EventKind : uint8_t {
  /// A session begins or is resumed.
  SessionStart,
  /// A session is over. Hooks can only watch.
  SessionEnd,
  /// The user has sent a prompt; the model has not seen it yet.
  UserPromptSubmit,
  /// A request is about to be sent to the model.
  BeforeModel,
  /// The host decides which tools the model may choose from.
  BeforeToolSelection,
  /// The model has answered; its answer has not been used yet.
  AfterModel,
  /// The model wants to call a tool; the call has not run yet.
  PreToolUse,
  /// A tool call needs permission, and a person would be asked next.
  PermissionRequest,
  /// A tool call succeeded.
  PostToolUse,
  /// A tool call failed.
  PostToolUseFailure,
  /// Gate: the agent wants to end its turn.
  Stop,
  /// The turn is over; hooks only watch. Stop hooks (grapnel/stop_hook.h) run here.
  TurnEnd,
  /// A subagent is about to start.
  SubagentStart,
  /// Gate: a subagent wants to end.
  SubagentStop,
  /// Gate: a task of the agent's task list is about to be marked as done.
  TaskCompleted,
  /// A person is about to be shown a notification.
  Notification,
  /// Gate: the conversation is about to be replaced by a summary.
  PreCompact,
  /// The conversation was replaced by a summary. Hooks can only watch.
  PostCompact,
  /// All tool calls of one message of the model have ended; the model has not seen the results yet.
  PostToolBatch,
  /// A slash command that the user typed is about to be replaced by its text.
  UserPromptExpansion,
  /// The agent itself refused a tool call. Hooks can only watch.
  PermissionDenied,
  /// An error ended the turn, so there is no `Stop`. Hooks can only watch.
  StopFailure,
  /// A person interrupted the turn, so there is no `Stop`. Hooks can only watch.
  Interrupt,
  /// A task is about to be added to the agent's task list.
  TaskCreated,
  /// Gate: an agent of a team has nothing left to do.
  TeammateIdle,
  /// The agent prepares a project before its first session.
  Setup,
  /// A file with instructions for the model was read. Hooks can only watch.
  InstructionsLoaded,
  /// A settings file changed; the change does not apply yet.
  ConfigChange,
  /// The agent's shell went to another directory. Hooks can only watch.
  CwdChanged,
  /// The agent may use a further directory. Hooks can only watch.
  DirectoryAdded,
  /// A file that the agent watches changed. Hooks can only watch.
  FileChanged,
  /// The agent needs a working tree of its own, and leaves it to a hook to make one.
  WorktreeCreate,
  /// The agent no longer needs such a working tree, and leaves it to a hook to remove it.
  WorktreeRemove,
  /// A tool server asks the user for input.
  Elicitation,
  /// The user has answered a tool server.
  ElicitationResult,
  /// The session is about to use another model.
  PreModelSwitch,
  /// The session uses another model. Hooks can only watch.
  PostModelSwitch,
  /// A piece of the model's text is about to be shown.
  MessageDisplay,
  /// An event of an agent that has no kind of its own; `Event::name` says which one. Hooks run, but the agent is told
  /// nothing that it might not understand.
  Other,
};
/// The number of event kinds.
inline constexpr size_t kEventKindCount = 39;

/// The canonical name, `PreToolUse`.
std::string_view to_string(EventKind kind);
/// The kind with that canonical name; nothing for other names, also for those of agents.
std::optional<EventKind> event_kind_from(std::string_view canonical_name);
/// Every kind, in the order of declaration.
std::span<const EventKind> all_event_kinds();

/// The members of a payload, independent of what an agent calls them. All are optional;
/// docs/dialects/canonical.md lists which event has which.
enum class Field : uint8_t {
  // Of any event.
  EventName,
  SessionId,
  TranscriptPath,
  Cwd,
  ProjectDir,
  PlansDir,
  Timestamp,
  ExecutionId,
  PermissionMode,
  // Of a tool call.
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
  // Of a prompt.
  Prompt,
  HasImages,
  ImageCount,
  // Of the beginning and the end of a session.
  Source,
  IsResume,
  ResumeSessionId,
  EndReason,
  TotalTurns,
  TotalTokens,
  // Of the end of a turn.
  StopReason,
  FinalResponse,  ///< what the model said last
  TurnText,       ///< all that the model said in the turn
  StopHookActive,
  BlockCount,
  // Of a model call.
  ModelRequest,
  ModelResponse,
  // Of a notification.
  NotificationType,
  Title,
  Message,
  Details,
  // Of a compaction.
  Trigger,
  MessagesBefore,
  TokensBefore,
  MessagesAfter,
  TokensAfter,
  Summary,
  // Of subagents and tasks.
  AgentId,
  AgentType,
  ParentAgentId,
  TaskId,
  TaskDescription,
  ResultSummary,
  Success,
  // Of several events.
  Model,
  LaunchArguments,
  DurationSeconds,
  DurationMs,  ///< how long a tool call took
  StepCount,
  AgentName,
  Messages,   ///< the conversation so far
  ToolCalls,  ///< the tool calls of the turn: name, input, output, success
  ReachedMaxIterations,
  /// How many judges are nested around this event: 1 for a tool call of a model that a hook asked for its judgement.
  JudgeDepth,
  // Of what a tool server asks the user; its name is the source.
  ElicitationMode,    ///< `form` or `url`
  ElicitationSchema,  ///< of the answer
  ElicitationUrl,     ///< to open instead
  ElicitationId,
  ElicitationAction,   ///< the answer: `accept`, `decline`, `cancel`
  ElicitationContent,  ///< an object that fits the schema
  // Derived: tool calls have no member for them; they are found in the tool input.
  ToolPath,     ///< the file that a tool call reads or writes; at other events, the file or directory they are about
  ToolCommand,  ///< the command line that a shell tool would run
  /// No field.
  None,
};
/// The number of fields, without `None`.
inline constexpr size_t kFieldCount = static_cast<size_t>(Field::None);

/// The canonical key, `tool_name`; "" for `None`.
std::string_view to_string(Field field);
/// The field with that canonical key, or nothing.
std::optional<Field> field_from(std::string_view canonical_key);

/// One event: its kind, and a payload with the names of one dialect.
///
/// A host uses either the canonical names (the keys are those of `to_string(Field)`) or, with `from_native`, those of a
/// dialect. In the second case hooks that are written for that dialect receive exactly the bytes that the host passed.
///
/// Owns: its payload, which it shares with copies. Thread: any; events are immutable.
class Event {
 public:
  /// An event with canonical names. The payload should be an object; it need not name the event.
  Event(EventKind kind, Json payload);

  /// An event as an agent of that dialect writes it. The payload names the event itself, or else `name` does. An event
  /// that Grapnel does not know has the kind `Other`: agents invent new ones.
  /// Fails: BadInput if the dialect is unknown, the payload is no object, or the event is missing or named twice in
  /// different ways; also if the event is unknown and the dialect is Grapnel's own, or `name` looks misspelt.
  static Result<Event> from_native(std::string_view dialect, Json payload, std::string_view name = {});

  EventKind kind() const { return kind_; }
  /// The canonical name of its kind; for the kind `Other`, what the agent calls it.
  std::string name() const;
  /// The vocabulary of the payload; hosts use `dialect_name`.
  const Dialect& dialect() const { return *dialect_; }
  std::string_view dialect_name() const;
  /// The payload as the host passed it.
  const Json& payload() const { return payload_; }

  /// The value of a field, translated to canonical names, or missing. For Gemini's `run_shell_command`,
  /// `get(Field::ToolName)` is `Bash`.
  Json get(Field field) const;
  /// The value of a field as the host spelled it, not translated; "" if it is missing or no string.
  std::string text(Field field) const;
  /// The same event as an agent of that dialect would write it.
  /// Fails: NotFound if there is no such dialect or that agent has no such event.
  Result<Event> in_dialect(std::string_view dialect) const;
  /// An event of the same kind and dialect with another payload.
  Event with_payload(Json payload) const;

 private:
  Event(EventKind kind, const Dialect* dialect, Json payload);
  static Result<Event> other_event(const Dialect& dialect, Json payload, std::string_view said, std::string_view name);

  EventKind kind_;
  const Dialect* dialect_;
  Json payload_;
};

}  // namespace grapnel
