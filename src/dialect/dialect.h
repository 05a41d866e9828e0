#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "grapnel/decision.h"
#include "grapnel/event.h"

#include "dialect/rows_by_kind.h"
#include "match/matcher.h"
#include "model/hook_spec.h"

/// A dialect is data: one agent's way of writing settings, payloads and answers, as tables.
///
/// The engine reads these tables and never asks which dialect it has before it. A new agent is one new file of rows and
/// a folder of conformance cases. `well_formed()` checks a table at compile time.
///
///   places, settings, hook_keys, group_keys, matcher_members   how hook files are found and read    (src/config)
///   events, common_inputs, values, tools                       how a payload is read and written    (payload.h)
///   exits, output, event.outputs, verdict words                how a hook's output becomes effects  (src/decide)
///   event.outputs again, answer                                how a decision is told to the agent  (answer.h)
///   shell, environment, variables, stdin_style                 how a hook's process is started      (src/run)
namespace grapnel {

/// Where a canonical field stands in a payload: a top-level key or, with a slash in front, a JSON pointer.
struct FieldRow {
  Field field;
  std::string_view key;
};

/// A member that hooks of this dialect always find: written where nothing stands, if the object around it is there.
struct ConstantRow {
  std::string_view pointer;
  std::string_view json;
};

/// A member that payloads of an event lack, so that other members can be read as at its kind's first row: written where
/// nothing stands, from another member or as it is here.
struct CompletionRow {
  std::string_view to;  ///< a pointer, as is `from`
  std::string_view from = {};
  std::string_view json = {};
  bool parses = false;  ///< JSON inside a string at `to` is read as such
};

/// One canonical value and how this dialect spells it.
struct ValueRow {
  Field field;
  std::string_view canonical;
  std::string_view wire;
};

/// What one place in a hook's JSON output means. Encoding a decision reads the same rows backwards.
enum class Effect : uint8_t {
  Verdict,       ///< a word of `EventRow::words`
  LooseVerdict,  ///< the same where nobody documents it: counts when it asks or denies, grants nothing
  DenyIfTrue,    ///< a bool
  DenyIfFalse,   ///< a bool
  Objection,     ///< a text that denies by being there, and says why
  Reason,
  Context,
  InputReplace,  ///< the whole tool input
  InputMerge,    ///< a patch over it
  Output,
  Prompt,
  Notification,
  ModelRequest,
  ModelResponse,
  ToolChoice,
  TailCall,
  ClearContext,
  StopIfFalse,  ///< `continue: false`
  StopIfTrue,   ///< `interrupt: true`
  StopReason,
  Env,
  Message,
  Log,
  SuppressOutput,
};
struct OutputRow {
  std::string_view pointer;
  Effect effect;
  std::string_view filled = {};  ///< pointer inside the value to an array that must not be empty
  bool only_read = false;        ///< an older or looser spelling: understood, never written
  bool as_text = false;          ///< what is no string is written as its JSON text
};

/// A word of the verdict field. The first word of a verdict is the one we write.
struct WordRow {
  std::string_view word;
  Verdict verdict;
  bool only_read = false;  ///< understood, never written
};

/// What an exit code says.
enum class ExitMeaning : uint8_t {
  Success,            ///< read stdout
  Warn,               ///< plain text is a warning for people; nothing is decided
  Deny,               ///< blocked, whatever stdout says
  DenyText,           ///< plain text blocks with that text as reason; JSON decides for itself
  DenyTail,           ///< blocked; the end of what it printed is the reason, unless its JSON has one
  Failure,            ///< the hook failed
  FailureUnlessJson,  ///< the hook failed, unless it answered in JSON and may fail open
  Timeout,            ///< the hook says it ran out of time
};
struct ExitRow {
  int from;
  int to;
  ExitMeaning meaning;
};

/// What plain text on stdout means when the hook succeeded.
enum class TextMeaning : uint8_t { Nothing, Message, Context, Log };

/// Set of verdicts, one bit each.
using VerdictMask = uint8_t;
constexpr VerdictMask mask(Verdict v) {
  return static_cast<VerdictMask>(1U << static_cast<unsigned>(v));
}

/// One event of a dialect. Of several rows of one kind the first is the one that hooks and others' events are read by.
struct EventRow {
  EventKind kind;
  std::string_view wire_name;
  std::span<const std::string_view> aliases = {};
  std::string_view only_if = {};      ///< pointer that must hold a value for a payload to be this kind…
  std::string_view only_unless = {};  ///< …or must not; both tell rows of one wire name apart
  std::span<const FieldRow> inputs = {};
  std::span<const ConstantRow> constants = {};
  std::span<const CompletionRow> completions = {};
  std::string_view tool_pattern = {};  ///< a regular expression: only calls of such tools are this event; "" for all
  std::chrono::milliseconds default_timeout{0};  ///< 0: the dialect's
  Field match_on = Field::None;  ///< what a string matcher is compared with; None: matchers do not apply
  bool matches_empty = false;    ///< where they do not: one that would not match the empty text keeps its hook away
  MatchSyntax match_syntax = MatchSyntax::Exact;
  std::span<const OutputRow> outputs = {};
  std::span<const ConstantRow> answer_constants = {};
  std::span<const WordRow> words = {};
  std::span<const ExitRow> exits = {};  ///< instead of the dialect's
  TextMeaning text = TextMeaning::Nothing;
  bool text_on_any_exit = false;  ///< plain text counts whatever the exit code; `text` says as what
  bool can_deny = true;           ///< otherwise a block here is only a message
  Strategy strategy = Strategy::Sequential;
  VerdictMask ends_chain = 0;         ///< verdicts after which later hooks of this dialect do not start
  bool context_joins_prompt = false;  ///< later sequential hooks see earlier context behind the prompt
  std::string_view env_file = {};     ///< variable naming a file to which a hook may append `export NAME=value` lines

  // What the agent can be told, and what it makes of failures.
  bool asks_anyway = false;            ///< a person is about to be asked: an Ask needs no word
  bool rewrite_needs_allow = false;    ///< a changed input can only be told together with an Allow
  bool allow_needs_rewrite = false;    ///< an Allow without a changed input is none
  std::string_view rewrite_word = {};  ///< the verdict word beside a changed input; it grants nothing
  bool deny_hides_output = false;      ///< a block's reason takes the place of the tool's output
  bool always_fails_open = false;      ///< a hook's own wish to block when it fails is ignored
  bool objection_stops = false;        ///< a prompt hook's objection ends the turn, too
  bool missing_file_fails = false;     ///< a blocking exit that only says that a file is missing is a failure

  // What becomes of what cannot be told (degrade.h): Deny or Pass.
  Verdict lost_ask = Verdict::Deny;
  Verdict lost_input = Verdict::Deny;
  Verdict lost_prompt = Verdict::Deny;
};

/// A member of an object matcher.
struct MatcherMember {
  std::string_view key;
  Field subject;
  MatchSyntax syntax;
  bool takes_argument = false;  ///< `Tool(pattern)` is about the tool's command or path as well
  bool whole_too = false;       ///< compared with the JSON text of the whole subject as well
};

/// Keys a settings file may have besides hooks.
enum class Setting : uint8_t {
  Enabled,
  DisableAll,  ///< true switches all off
  DisabledNames,
  ManagedOnly,  ///< in a managed file: no hooks but managed ones
  DefaultTimeout,
  TimeoutBehavior,
  FailureBehavior,
  MaxConcurrent,
  HttpUrls,       ///< patterns: the only URLs `http` hooks may post to; one that names a host lets it be anywhere
  HttpVariables,  ///< the only variables their headers may use
  HttpHosts,      ///< patterns: hosts that may be anywhere, without TLS too
  HttpLoopback,   ///< a bool: this machine may be posted to
  HttpPrivate,    ///< a bool: private networks may be
  HttpPlain,      ///< a bool: without TLS, too
  Ignored,        ///< known, and of no consequence here
};
struct SettingRow {
  std::string_view pointer;
  Setting setting;
};

/// Keys of a matcher group and of a hook entry.
enum class GroupKey : uint8_t { Name, Matcher, Hooks, Sequential };
struct GroupKeyRow {
  std::string_view key;
  GroupKey meaning;
};
enum class HookKey : uint8_t {
  Type,
  Event,    ///< of an entry that stands alone…
  Matcher,  ///< …and so has its own
  Command,
  Args,  ///< with these the command is started directly, without a shell
  Prompt,
  Target,      ///< what a handler without a command is about: a tool
  Url,         ///< of a post…
  Headers,     ///< …what is sent with it…
  AllowedEnv,  ///< …the variables these may use…
  Retries,     ///< …how often it is tried again…
  MaxReply,    ///< …and the bytes of a reply
  Model,
  GoesOn,  ///< a prompt hook's objection does not end the turn
  Timeout,
  Name,
  Description,
  StatusMessage,
  Env,
  Async,
  OnFailure,  ///< a word of `failure_words`
  If,         ///< one permission rule
  Priority,
  Metadata,  ///< texts nobody but the hook's author needs
  Ignored,   ///< known, and of no consequence here
};
struct HookKeyRow {
  std::string_view key;  ///< or, with a slash in front, a JSON pointer
  HookKey meaning;
};

/// How files spell what failing means.
struct FailureWordRow {
  std::string_view word;
  OnFailure meaning;
};

/// What a hook entry's type can be.
enum class HandlerType : uint8_t { Command, Prompt, Agent, Http, McpTool };
struct HandlerTypeRow {
  std::string_view word;
  HandlerType type;
  std::chrono::milliseconds default_timeout{0};  ///< 0: the event's or the dialect's
  std::chrono::milliseconds timeout_unit{0};     ///< 0: the dialect's
};

/// What an `http` hook's post may be and what comes of it. Otherwise than a status of 2xx, no reply and a refused
/// address are failures; an empty body says nothing, and an object is read like a command's.
struct HttpRules {
  bool takes_text = false;               ///< another body is read as a command's plain text; otherwise a failure
  bool refusal_denies = false;           ///< a forbidden address blocks, whatever failing means
  bool needs_tls = false;                ///< unless settings say otherwise
  bool keeps_unknown_variables = false;  ///< in headers; otherwise they are empty
  size_t max_reply = 0;                  ///< bytes; 0: as much as a command may print
};

/// A file a dialect keeps hooks in.
enum class PlaceBase : uint8_t { Root, Home, Config, Project };
enum class PlaceFormat : uint8_t {
  Settings,           ///< one JSON file
  SettingsDirectory,  ///< every `*.json` in a directory, by name
  Toml,               ///< a settings file in TOML
  Extensions,         ///< a directory of extensions, each with a settings file of its own
  HookDirectories,    ///< a directory of them; of a project's the nearest, up to the root of its repository
  Rules,              ///< one YAML file of rules
};
struct Place {
  Scope scope;
  PlaceBase base;
  std::string_view path;
  std::string_view home_override = {};  ///< environment variable naming another home
  std::string_view dir_override = {};   ///< environment variable naming another directory of the file
  std::string_view path_override = {};  ///< environment variable naming another file
  PlaceFormat format = PlaceFormat::Settings;
};

/// What a directory of extensions looks like. All names are relative to it or to the extension.
struct ExtensionFiles {
  std::string_view manifest;   ///< makes a directory an extension and names it
  std::string_view hooks;      ///< its settings file
  std::string_view settings;   ///< `NAME=value` lines
  std::string_view overrides;  ///< beside the extensions: where each is switched off and on
  std::string_view own_path;   ///< variables in texts: the extension's directory…
  std::string_view project;    ///< …and the project's
};

/// How several files add up.
enum class Layering : uint8_t {
  Concatenate,      ///< hooks of all files run; disabled names are united
  ReplacePerEvent,  ///< a later file's array for an event takes the place of an earlier one's
};

/// A variable of a hook's environment.
struct VariableRow {
  std::string_view name;
  Field value;
  bool in_command = false;         ///< `$NAME` in a command's text stands for it, however it is quoted
  std::string_view constant = {};  ///< its value, where that is always the same
};

/// One value of an argument that this dialect spells otherwise.
struct ToolWord {
  std::string_view canonical;
  std::string_view wire;
};
/// One argument of a tool. With a slash in front its wire name is a JSON pointer.
struct ToolArgument {
  std::string_view canonical;
  std::string_view wire;
  std::string_view in_each = {};         ///< it is a member of the elements of this argument (canonical, further up)
  std::span<const ToolWord> words = {};  ///< of strings
  int unit = 1;                          ///< what 1 stands for canonically: 1000 for seconds in place of milliseconds
  bool only_read = false;                ///< an older spelling: understood, never written
};
/// One name of a tool and of its arguments in this dialect.
struct ToolRow {
  std::string_view kind;  ///< `shell read write edit delete glob grep fetch search task todo`
  std::string_view name;
  std::span<const ToolArgument> arguments = {};
};

/// Another name that matchers may call a tool by.
struct ToolAlias {
  std::string_view alias;
  std::string_view tool;
};

/// How tools of MCP servers are called: `<prefix><server><separator><tool>`, or, without a separator, `<prefix><tool>`.
struct McpNames {
  std::string_view prefix = "mcp__";
  std::string_view separator = "__";
  bool splits_last = false;  ///< the last separator counts: servers have it in their names, too
};

/// Another dialect's files that an agent runs the hooks of, besides its own.
struct ForeignFiles {
  std::string_view dialect;
  std::span<const Scope> scopes;
};

/// How an error of ours is told: with an exit code that blocks nothing and is seen, or in an object on standard output.
struct OwnError {
  int exit_code = 1;
  std::string_view object = {};  ///< its members beside the message
  std::string_view message_at = {};
};

/// Where in a tool's input the file and the command stand, for matchers.
struct InputKeys {
  std::span<const std::string_view> path_keys = {};
  std::span<const std::string_view> command_keys = {};
  std::span<const std::string_view> command_tools = {};  ///< only these tools have a command; empty: all
};

/// How a tool choice is written.
struct ToolChoiceShape {
  std::string_view mode_key;
  std::string_view names_key;
  std::string_view auto_word;
  std::string_view any_word;
  std::string_view none_word;
};

struct Dialect {
  std::string_view name;
  std::string_view verified = {};  ///< the agent's version these tables were proven with; "": they are from documents
  RowsByKind<EventRow> events;
  std::span<const FieldRow> common_inputs;
  std::span<const ConstantRow> constants = {};
  std::span<const CompletionRow> completions = {};
  std::span<const ValueRow> values = {};
  std::span<const ToolRow> tools = {};
  std::span<const ToolAlias> tool_aliases = {};
  McpNames mcp = {};
  InputKeys input_keys = {};

  // Settings files.
  std::span<const Place> places = {};
  ExtensionFiles extensions = {};
  Layering layering = Layering::Concatenate;
  std::string_view hooks_pointer = "/hooks";
  bool entries_alone = false;      ///< hooks are one list of entries, each with its event, instead of groups per event
  bool entries_per_event = false;  ///< an event's list is of entries, each with its matcher, or of groups
  bool type_optional = false;      ///< an entry without a type has the first of `handler_types`
  const Dialect* sibling = nullptr;  ///< events spelled its way in the same files are of that dialect
  std::span<const ForeignFiles> runs_itself = {};
  std::span<const ConstantRow> file_constants = {};  ///< members that every settings file must have
  std::span<const SettingRow> settings = {};
  std::span<const GroupKeyRow> group_keys = {};
  std::span<const HookKeyRow> hook_keys = {};
  std::span<const HandlerTypeRow> handler_types = {};  ///< empty: every entry is a command
  std::span<const FailureWordRow> failure_words = {};
  std::span<const std::string_view> unsupported_events = {};  ///< known names of moments we have no kind for
  bool aliases_are_current = false;                           ///< files are written with an event's first alias
  std::span<const MatcherMember> matcher_members = {};
  std::chrono::milliseconds timeout_unit{1};
  std::chrono::milliseconds default_timeout{60000};
  std::chrono::milliseconds min_timeout{1};
  std::chrono::milliseconds max_timeout{std::chrono::hours{24}};
  size_t default_concurrency = 0;   ///< 0: no cap
  bool expand_environment = false;  ///< `$NAME` in any string of a settings file
  bool sequential_spreads = false;  ///< one sequential group makes the whole plan of this dialect sequential
  bool dedupe = false;              ///< same name and command: the first runs
  bool dedupe_whole = false;        ///< entries that are the same in every member: the first runs

  // Output.
  std::span<const ExitRow> exits = {};
  bool json_on_any_exit = false;              ///< otherwise JSON counts on `Success` only
  bool braces_are_json = false;               ///< what starts and ends with a brace is JSON, never text
  size_t max_text = 0;                        ///< characters of one context or message; 0: no cap
  size_t text_preview = 0;                    ///< characters of a longer one beside a file with all of it; 0: cut
  bool message_explains = false;              ///< a verdict without a reason has its message for one
  bool json_on_success_only = false;          ///< not even beside an exit code that denies
  bool stderr_stands_in = false;              ///< stderr is read where stdout is empty
  bool escape_markup = false;                 ///< `<` and `>` of context become entities
  std::string_view context_separator = "\n";  ///< between pieces of context in an answer
  std::span<const std::string_view> output_roots = {};  ///< the first that exists holds the answer; empty: the top
  ToolChoiceShape tool_choice = {};
  std::string_view event_name_in_answer = {};  ///< pointer; written beside anything else in that object
  std::string_view default_reason = {};
  std::string_view silence = {};  ///< what is printed where there is nothing to say
  OwnError own_error = {};
  std::string_view recognised_by = {};  ///< a pointer that its payloads have, whoever's hook they are given to
  OnFailure on_failure = OnFailure::Open;
  HttpRules http = {};

  // Process.
  std::span<const std::string_view> shell = {};  ///< argv in front of the command's text
  Field working_dir = Field::Cwd;
  std::span<const std::string_view> inherited = {};  ///< variables a hook inherits; empty: all
  std::string_view withheld_prefix = {};             ///< variables that start so are not inherited
  std::span<const VariableRow> variables = {};
  JsonStyle stdin_style = JsonStyle::Compact;  ///< other than compact: of the host's own payloads, too
  bool stdin_newline = false;

  /// The row of that spelling (wire name or alias), the first when several rows share it; null when unknown.
  const EventRow* find_event(std::string_view spelling) const;
  /// The first row of that kind, or null.
  const EventRow* find_event(EventKind kind) const { return events.first(kind); }
  /// How hook files are written, in JSON where that is one of the ways; nothing for a dialect that has none, or only
  /// rules, which no other dialect could say.
  std::optional<PlaceFormat> file_format() const;
  /// The first key of that meaning in a hook entry, or "".
  std::string_view key_of(HookKey meaning) const;
  std::string_view key_of(GroupKey meaning) const;
  /// Where that setting stands, or "".
  std::string_view pointer_of(Setting setting) const;
};

/// Every dialect, the canonical one first, then that of rule files.
std::span<const Dialect* const> all_dialects();
/// By name; null when unknown.
const Dialect* find_dialect(std::string_view name);

extern const Dialect kCanonicalDialect;
extern const Dialect kGrapnelDialect;
extern const Dialect kGeminiDialect;
extern const Dialect kClawdDialect;
extern const Dialect kBladeDialect;
extern const Dialect kClaudeDialect;
extern const Dialect kCodexDialect;
extern const Dialect kQwenDialect;
extern const Dialect kKimiDialect;
extern const Dialect kAgentHooksDialect;
extern const Dialect kCursorDialect;
extern const Dialect kCopilotDialect;
extern const Dialect kCopilotVscodeDialect;
extern const Dialect kOpencodeDialect;

/// Compile-time check of a table: names are unique per discriminator, matchers and verdicts know where to look.
consteval bool well_formed(std::span<const EventRow> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const EventRow& row = rows[i];
    if (row.wire_name.empty()) return false;
    bool has_verdict = false;
    for (const OutputRow& output : row.outputs) has_verdict |= output.effect == Effect::Verdict;
    if (has_verdict != !row.words.empty()) return false;
    for (size_t j = i + 1; j < rows.size(); ++j) {
      if (rows[j].kind == row.kind && rows[j].wire_name == row.wire_name) return false;
      const bool told_apart = row.only_if != rows[j].only_if || row.only_unless != rows[j].only_unless;
      if (rows[j].wire_name == row.wire_name && !told_apart) return false;
    }
  }
  return true;
}

}  // namespace grapnel
