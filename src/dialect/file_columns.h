#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "grapnel/event.h"

#include "match/matcher.h"
#include "model/hook_spec.h"

/// The rows that describe an agent's hook files: where the files are, which settings they may contain, and how the
/// entry of one hook is written. `Dialect` groups them in its parts `files`, `entries`, `failure` and `http`.
namespace grapnel {

/// What the path of a hook file is relative to.
enum class PlaceBase : uint8_t {
  Root,
  Home,
  Config,
  Project,
  State,  ///< Grapnel's own state directory: what a fleet's policy puts there (cli/fleet/policy_home.h).
};
enum class PlaceFormat : uint8_t {
  Settings,           ///< One JSON file.
  SettingsDirectory,  ///< Every `*.json` file in a directory, in the order of their names.
  Toml,               ///< One TOML file.
  Extensions,         ///< A directory of extensions, each with a settings file of its own.
  HookDirectories,    ///< A directory with one directory for each hook.
  Rules,              ///< One YAML file of rules.
};
/// A file or directory in which an agent keeps hooks.
/// In the path of a place: one directory after the other, as in `packs/*/grapnel.yaml`.
inline constexpr std::string_view kEachDirectory = "/*/";

struct HookFilePlace {
  Scope scope;
  PlaceBase base;
  std::string_view path;                ///< One part of it may be `*`: every directory there (`kEachDirectory`).
  std::string_view home_override = {};  ///< The environment variable that names another home directory.
  std::string_view dir_override = {};   ///< The environment variable that names another directory for the file.
  std::string_view path_override = {};  ///< The environment variable that names another file.
  PlaceFormat format = PlaceFormat::Settings;
};

/// What a directory of extensions contains. All names are relative to that directory or to the extension.
struct ExtensionFiles {
  std::string_view manifest;   ///< The file that makes a directory an extension, and names it.
  std::string_view hooks;      ///< The settings file of the extension.
  std::string_view settings;   ///< A file of `NAME=value` lines.
  std::string_view overrides;  ///< The file beside the extensions that switches each of them on or off.
  std::string_view own_path;   ///< The variable that stands for the extension's directory in texts…
  std::string_view project;    ///< …and the one that stands for the project's.
};

/// A file in which an agent keeps the MCP servers that it uses.
struct ServerPlace {
  HookFilePlace file;
  std::string_view pointer = "/mcpServers";  ///< A JSON pointer to the servers, by name.
  /// The servers are below the directory of the project: `<pointer>/<directory>/mcpServers`.
  std::string_view in_project = {};
};

/// The keys of a server's entry.
enum class ServerKey : uint8_t {
  Type,
  Command,
  Args,
  Env,
  Cwd,
  Url,
  Headers,
  CallTimeout,
  StartTimeout,
  OnlyTools,
  WithoutTools,
  Enabled,
  Disabled,
  TokenVariable,     ///< The variable whose value is sent as `Authorization: Bearer`.
  HeaderVariables,   ///< Headers, with the names of the variables that have their values.
  InheritVariables,  ///< Variables that the server gets from the agent.
  Ignored,
};
struct ServerKeyRow {
  std::string_view key;
  ServerKey meaning;
  std::chrono::milliseconds unit{1};  ///< What 1 means, of timeouts.
};

/// What happens if several files have hooks.
enum class Layering : uint8_t {
  Concatenate,      ///< The hooks of all files run; a name that any file disables is disabled.
  ReplacePerEvent,  ///< The list that a later file has for an event replaces that of an earlier file.
};

/// The files of another dialect whose hooks the agent runs by itself, besides its own.
struct ForeignFiles {
  std::string_view dialect;
  std::span<const Scope> scopes;
};

/// The settings that a file may have besides its hooks.
enum class Setting : uint8_t {
  Enabled,
  DisableAll,  ///< True switches all hooks off.
  DisabledNames,
  ManagedOnly,  ///< In a managed file: only managed hooks run.
  DefaultTimeout,
  TimeoutBehavior,
  FailureBehavior,
  MaxConcurrent,
  HttpUrls,       ///< Patterns: the only URLs `http` hooks may post to. A pattern that names a host also permits this
                  ///< machine and private networks.
  HttpVariables,  ///< The only variables that headers may use.
  HttpHosts,      ///< Patterns of hosts that may be posted to wherever they are, even without TLS.
  HttpLoopback,   ///< A bool: hooks may post to this machine.
  HttpPrivate,    ///< A bool: hooks may post to private networks.
  HttpPlain,      ///< A bool: hooks may post without TLS.
  Ignored,        ///< A setting of the agent that has no effect on hooks.
};
struct SettingRow {
  std::string_view pointer;
  Setting setting;
};

/// The keys of a group of hooks that share a matcher.
enum class GroupKey : uint8_t { Name, Matcher, Hooks, Sequential };
struct GroupKeyRow {
  std::string_view key;
  GroupKey meaning;
};

/// The keys of the entry of one hook.
enum class HookKey : uint8_t {
  Type,
  Event,    ///< Of an entry that is not listed under its event…
  Matcher,  ///< …and so has a matcher of its own.
  Command,
  Args,  ///< Arguments; if there are any, the command is started without a shell.
  Prompt,
  Target,      ///< The tool that a hook without a command calls.
  Url,         ///< Where an `http` hook posts to.
  Headers,     ///< The headers it sends.
  AllowedEnv,  ///< The variables that the headers may use.
  Retries,     ///< How often the post is repeated if it fails.
  MaxReply,    ///< The maximum length of the reply in bytes.
  Model,
  GoesOn,  ///< The objection of a prompt hook does not end the turn.
  Timeout,
  Name,
  Description,
  StatusMessage,
  Env,
  Async,
  OnFailure,  ///< One of the words of `DialectFailure::words`.
  If,         ///< One permission rule.
  Priority,
  Metadata,  ///< Texts for the author of the hook.
  Ignored,   ///< A key of the agent that has no effect here.
};
struct HookKeyRow {
  std::string_view key;  ///< A key, or a JSON pointer if it starts with a slash.
  HookKey meaning;
};

/// How a file says what should happen if a hook fails.
struct FailureWordRow {
  std::string_view word;
  OnFailure meaning;
};

/// What a hook is.
enum class HandlerType : uint8_t { Command, Prompt, Agent, Http, McpTool };
struct HandlerTypeRow {
  std::string_view word;
  HandlerType type;
  std::chrono::milliseconds default_timeout{0};  ///< 0 means that of the event or of the dialect.
  std::chrono::milliseconds timeout_unit{0};     ///< 0 means that of the dialect.
};

/// A member of a matcher that is an object.
struct MatcherMember {
  std::string_view key;
  Field subject;
  MatchSyntax syntax;
  bool takes_argument = false;  ///< `Tool(pattern)` also looks at the command or path of the tool call.
  bool whole_too = false;       ///< The pattern is also compared with the JSON text of the whole subject.
};

/// What `http` hooks may do, and how their replies are read. A status other than 2xx, a missing reply and a forbidden
/// address are failures; an empty body says nothing; a JSON object is read like the output of a command.
struct HttpRules {
  bool takes_text = false;               ///< Any other body is read as plain text; otherwise it is a failure.
  bool refusal_denies = false;           ///< A forbidden address blocks, whatever a failure would do.
  bool needs_tls = false;                ///< Only https may be used, unless settings permit more.
  bool keeps_unknown_variables = false;  ///< Unknown variables in headers are kept as text; otherwise they are empty.
  size_t max_reply = 0;                  ///< The maximum length in bytes; 0 means that of a command's output.
};

}  // namespace grapnel
