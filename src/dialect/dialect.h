#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "grapnel/decision.h"
#include "grapnel/event.h"
#include "grapnel/tool.h"

#include "dialect/event_row.h"
#include "dialect/file_columns.h"
#include "dialect/rows_by_kind.h"
#include "dialect/tool_columns.h"
#include "model/hook_spec.h"

/// A dialect is one agent's way of writing hook files, payloads and answers, as data.
///
/// The engine reads these tables and never asks which agent it is working for. A new agent is one new file in
/// `agents/` and a folder of conformance cases. The columns are grouped into parts, in the order in which a hook needs
/// them:
///
///   files, entries, failure, http     how hook files are found and read       src/discover
///   servers                           where MCP servers are configured        src/discover/servers
///   timeouts, running                 how the hooks of an event are run       src/plan, src/run
///   events                            one row for each event: event_row.h
///   payload, tools                    how a payload is read and written       payload.h, tools.h
///   project                           how the agent names its project         cli/event_project.h
///   process                           how the process of a hook is started    src/run
///   exit, answer                      how its output becomes effects          src/decide
///   answer                            how the agent is told the decision      answer.h
///   session                           how a session with the agent goes       cli/agent
///
/// What does exit code 3 mean in Gemini CLI? `agents/gemini.cc` has `.exit = {.codes = kGeminiExits}`, and the rows of
/// `kGeminiExits` say it: `meaning` for Grapnel's own hosts, and `in_bridge` if Gemini CLI itself asks.
namespace grapnel {

struct Dialect;

/// Where the agent's hook files are, and what they contain besides hooks.
struct DialectFiles {
  std::span<const HookFilePlace> places = {};      ///< The files, in the order in which they are read.
  ExtensionFiles extensions = {};                  ///< What the directory of an extension contains.
  Layering layering = Layering::Concatenate;       ///< What happens if several files have hooks.
  std::string_view hooks_pointer = "/hooks";       ///< Where the hooks are in a file.
  std::span<const SettingRow> settings = {};       ///< The settings besides them.
  std::span<const ConstantRow> constants = {};     ///< Members that every file must have.
  bool expand_environment = false;                 ///< `$NAME` in any string stands for an environment variable.
  const Dialect* sibling = nullptr;                ///< The dialect of events that are spelled its way in these files.
  std::span<const ForeignFiles> runs_itself = {};  ///< Files of other agents whose hooks this agent runs, too.
};

/// Where the agent keeps its MCP servers, and how the entry of one is written.
struct DialectServers {
  std::span<const ServerPlace> places = {};  ///< The later place wins if two have a server of the same name.
  std::span<const ServerKeyRow> keys = {};
  std::string_view only = {};     ///< A JSON pointer to the names of the only servers that may be used.
  std::string_view without = {};  ///< A JSON pointer to the names of servers that may not be used.
  bool expands = false;           ///< `${NAME}` and `${NAME:-default}` in strings stand for variables.
  bool expands_bare = false;      ///< `$NAME` does, too.
  bool missing_is_error = false;  ///< A variable without a value is a mistake; otherwise the text stays as it is.
};

/// How the entry of one hook is written in a file.
struct DialectEntries {
  bool alone = false;          ///< The hooks are one list of entries that name their event, not lists for each event.
  bool per_event = false;      ///< The list of an event may have entries with a matcher of their own, besides groups.
  bool type_optional = false;  ///< An entry without a type has the first of `handler_types`.
  std::span<const GroupKeyRow> group_keys = {};
  std::span<const HookKeyRow> hook_keys = {};
  std::span<const HandlerTypeRow> handler_types = {};   ///< If empty, every entry is a command.
  std::span<const MatcherMember> matcher_members = {};  ///< The members of matchers that are objects.
  std::span<const std::string_view> other_events = {};  ///< Events of the agent that Grapnel has no kind for.
  bool aliases_are_current = false;  ///< Files are written with the first alias of an event, not with its name.
};

/// How long hooks may run.
struct DialectTimeouts {
  std::chrono::milliseconds unit{1};            ///< What 1 means in a file.
  std::chrono::milliseconds by_default{60000};  ///< For hooks that set no timeout.
  std::chrono::milliseconds min{1};
  std::chrono::milliseconds max{std::chrono::hours{24}};
};

/// Which of the hooks of an event run, and which of them at the same time. `EventRow::running` has the rest.
struct DialectRunning {
  size_t default_concurrency = 0;   ///< How many hooks run at a time unless a file says otherwise; 0 means all.
  bool sequential_spreads = false;  ///< One sequential group makes all hooks of the event run one after another.
  bool dedupe = false;              ///< Of hooks with the same name and command only the first runs.
  bool dedupe_whole = false;        ///< Of hooks that are the same in every key only the first runs.
};

/// One canonical value, and how the agent spells it.
struct ValueRow {
  Field field;
  std::string_view canonical;
  std::string_view wire;
};

/// What the payload of every event contains. `EventRow::payload` has what one event adds.
struct DialectPayload {
  std::span<const FieldRow> common_inputs = {};     ///< Where the canonical fields are.
  std::span<const ConstantRow> constants = {};      ///< Members that hooks always find.
  std::span<const CompletionRow> completions = {};  ///< Members that the agent leaves out, and where to get them.
  std::span<const ValueRow> values = {};            ///< Values that the agent spells differently.
  std::string_view recognised_by = {};              ///< A JSON pointer that only payloads of this agent have.
};

/// How the agent says which project it works on, besides the working directory. A repository may set variables, too, so
/// what is said here can add hooks and never removes any (src/discover/find/root.h).
struct DialectProject {
  std::span<const std::string_view> variables = {};  ///< Environment variables that the agent sets for its hooks.
  std::span<const std::string_view> members = {};    ///< JSON pointers into payloads: a directory or a list of them.
};

/// What the agent calls its tools and their arguments.
struct DialectTools {
  std::span<const ToolRow> rows = {};
  std::span<const ToolAlias> aliases = {};    ///< Other names that matchers may use.
  McpNames mcp = {};                          ///< How tools of MCP servers are named.
  InputKeys input_keys = {};                  ///< Where a tool call names its file and its command.
  std::span<const ExitPlace> exit_code = {};  ///< Where the agent tells the exit code of a shell command.
  CallHabits habits = {};                     ///< What the agent does around a call; hosts that act like it ask for it.
};

/// A variable in the environment of a hook.
struct VariableRow {
  std::string_view name;
  Field value;
  bool in_command = false;         ///< `$NAME` in the text of a command stands for the value, however it is quoted.
  std::string_view constant = {};  ///< The value, if it is always the same.
  bool per_event = false;          ///< It is another with every event, so a warm hook goes without it.
};

/// How the process of a hook is started.
struct DialectProcess {
  std::span<const std::string_view> shell = {};      ///< The program and arguments in front of the command's text.
  Field working_dir = Field::Cwd;                    ///< The field that names the working directory.
  std::span<const std::string_view> inherited = {};  ///< The variables that a hook inherits; empty means all.
  std::string_view withheld_prefix = {};             ///< Variables that start with this are not inherited.
  std::span<const VariableRow> variables = {};       ///< The variables that are added.
  JsonStyle stdin_style = JsonStyle::Compact;        ///< The layout of the payload; if not compact, the host's own too.
  bool stdin_newline = false;                        ///< The payload ends with a newline.
};

/// What the exit code of a hook means, and when its output is read as JSON. `EventRow::exit` has the exceptions.
struct DialectExit {
  std::span<const ExitRow> codes = {};
  bool json_on_any_exit = false;      ///< JSON is read whatever the exit code; otherwise only on `Success` and `Deny`.
  bool json_on_success_only = false;  ///< JSON is not read beside an exit code that denies, either.
  bool braces_are_json = false;       ///< Output that starts and ends with a brace is JSON, never plain text.
  bool stderr_stands_in = false;      ///< If standard output is empty, standard error is read instead.
  bool stderr_may_answer = false;     ///< Beside an exit code that denies, a JSON answer may be on standard error, too.
};

/// How a tool choice is written.
struct ToolChoiceShape {
  std::string_view mode_key;
  std::string_view names_key;
  std::string_view auto_word;
  std::string_view any_word;
  std::string_view none_word;
};

/// How the agent is told that Grapnel itself failed: with an exit code that blocks nothing and that people see, or with
/// an object on standard output.
struct OwnError {
  int exit_code = 1;
  std::string_view object = {};      ///< The members of the object besides the message.
  std::string_view message_at = {};  ///< A JSON pointer to the message in it.
};

/// How texts in answers are treated, and what an answer to the agent looks like. `EventRow::answer` has the members.
struct DialectAnswer {
  std::span<const std::string_view> output_roots = {};  ///< The first that exists contains the answer; empty: the top.
  size_t max_text = 0;                                  ///< Characters of one context or message; 0 means any number.
  size_t text_preview = 0;                    ///< Characters of a longer text that is kept in a file; 0: it is cut.
  bool message_explains = false;              ///< The message is the reason of a verdict that has none.
  bool escape_markup = false;                 ///< `<` and `>` in context are written as entities.
  std::string_view context_separator = "\n";  ///< Stands between pieces of context.
  ToolChoiceShape tool_choice = {};
  std::string_view event_name_at = {};   ///< A JSON pointer; the name is written if the object has other members.
  std::string_view default_reason = {};  ///< The reason of a block that gives none.
  std::string_view silence = {};         ///< What is printed if there is nothing to say.
  OwnError own_error = {};               ///< How the agent is told that Grapnel itself failed.
};

/// What happens if a hook fails.
struct DialectFailure {
  OnFailure on_failure = OnFailure::Open;      ///< Unless the hook or its file says otherwise.
  std::span<const FailureWordRow> words = {};  ///< How a hook or a file says it.
};

/// Where the agent tells its version: in every payload, or in the environment of its hooks.
struct VersionPlace {
  std::string_view pointer = {};   ///< A JSON pointer into the payload.
  std::string_view variable = {};  ///< A variable whose value is `<prefix><version>` and anything behind an underscore.
  std::string_view prefix = {};
  char dot = '.';  ///< What stands between the numbers in that variable.
};

/// How a session with the agent goes, where agents differ. `grapnel agent` follows it when it takes the agent's part.
struct DialectSession {
  std::string_view model_at = {};    ///< A JSON pointer to the name of the model in the agent's settings.
  bool responses_in_pieces = false;  ///< Hooks after a model see each piece of its response, not the whole.
  bool blocked_is_success = false;   ///< The program's status is 0 even if a hook blocked the prompt or its model call.
};

struct Dialect {
  std::string_view name;           ///< What `--as` and `--dialect` call it.
  std::string_view verified = {};  ///< The agent's version that the tables were tried with; "": written from documents.
  VersionPlace version = {};       ///< Where the running agent tells its version; many tell it nowhere.
  DialectFiles files = {};
  DialectServers servers = {};
  DialectEntries entries = {};
  DialectTimeouts timeouts = {};
  DialectRunning running = {};
  RowsByKind<EventRow> events;
  DialectPayload payload = {};
  DialectProject project = {};
  DialectTools tools = {};
  DialectProcess process = {};
  DialectExit exit = {};
  DialectAnswer answer = {};
  DialectFailure failure = {};
  HttpRules http = {};
  DialectSession session = {};

  /// The event with that spelling (wire name or alias), the first if several rows share it; null if there is none.
  const EventRow* find_event(std::string_view spelling) const;
  /// The first row of that kind, or null. Every dialect has one for `Other`, which knows no answers.
  const EventRow* find_event(EventKind kind) const;
  /// The same, but the row for `Other` if there is none: a later version of the agent may have the event.
  const EventRow& event_or_other(EventKind kind) const;
  /// The format in which hook files are written, JSON if that is one of several. Nothing for a dialect that has no
  /// files, or only rule files, which can say things that no other dialect has words for.
  std::optional<PlaceFormat> file_format() const;
  /// The first key with that meaning in the entry of a hook, or "".
  std::string_view key_of(HookKey meaning) const;
  /// The first key with that meaning in a group of hooks, or "".
  std::string_view key_of(GroupKey meaning) const;
  /// A JSON pointer to that setting, or "".
  std::string_view pointer_of(Setting setting) const;
};

/// All dialects: the canonical one first, then that of rule files, then those of the agents.
std::span<const Dialect* const> all_dialects();
/// Whether some agent is known to have an event of that name for which there is no kind.
bool is_other_event(std::string_view name);
/// Whether an agent might call an event so: one word of letters and digits, with a capital letter inside.
bool could_be_event(std::string_view name);
/// The dialect with that name, or null.
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

}  // namespace grapnel
