#include <algorithm>
#include <array>

#include "base/text.h"
#include "dialect/spoken.h"
#include "dialect/tools.h"

/// What a tool call does and which files it touches, for rules that apply to the tools of every agent. A wrong guess
/// must err on the safe side: an argument that only looks like a path is reported as one.
namespace grapnel {

namespace {

/// Names of arguments that contain a command, in tools that no table has. `code` may be in any language; that it is
/// shell code is as good a guess as any.
constexpr auto kMoreCommandKeys =
    std::to_array<std::string_view>({"cmd", "commands", "script", "argv", "shell_command", "command_line", "code"});
/// Names of arguments that contain a path, or a list of paths, in tools that no table has, such as those of MCP
/// servers. Add a name when a widespread tool uses it.
constexpr auto kMoreKeys =
    std::to_array<std::string_view>({"paths", "files", "file", "filename", "file_name", "filenames", "file_paths",
                                     "source", "destination", "old_path", "new_path", "src", "dst", "uri"});
/// Arguments that may contain a patch, and arguments that may name the directory of a shell command.
constexpr auto kPatchKeys = std::to_array<std::string_view>({"patch", "input", "diff", "command", "patch_text"});
constexpr auto kDirectoryKeys = std::to_array<std::string_view>({"cwd", "workdir", "working_directory"});
constexpr std::string_view kDirectory = "cwd";

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) {
  return std::ranges::find(keys, key) != keys.end();
}

/// Whether an argument has one of these names or, in any dialect, one of the names in `column`: the tool may come from
/// any agent. Hardly any name is misspelt, so names that are exactly the same are looked for first.
bool is_named(std::string_view key, std::span<const std::string_view> more,
              std::span<const std::string_view> InputKeys::* column) {
  const auto has = [&](const auto& is_it) {
    return std::ranges::any_of(more, is_it) || std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
             return std::ranges::any_of(dialect->tools.input_keys.*column, is_it);
           });
  };
  const Spelling spelling(key);
  return has([&](std::string_view other) { return other.size() == key.size() && other == key; }) ||
         has([&](std::string_view other) { return spelling.is(other); });
}

bool names_path(std::string_view key) {
  return is_named(key, kMoreKeys, &InputKeys::path_keys);
}

std::string without_scheme(std::string path) {
  constexpr std::string_view kScheme = "file://";
  return path.starts_with(kScheme) ? path.substr(kScheme.size()) : path;
}

/// Adds the string, or the strings of the list or object. Of the objects in a list, such as files with their content,
/// only what they call paths counts.
void add_strings(const Json& value, std::vector<std::string>& out) {
  if (auto text = value.as_string(); text && !text->empty()) {
    // A list may be spelled as a text, and spaces around a path may be lost on the way.
    const std::string_view trimmed = text::trim(*text);
    if (trimmed.starts_with('[')) {
      if (const auto list = Json::parse(std::string(trimmed))) add_strings(*list, out);
    }
    if (trimmed.size() != text->size() && !trimmed.empty()) out.push_back(without_scheme(std::string(trimmed)));
    out.push_back(without_scheme(std::move(*text)));
  }
  for (const JsonMember& member : value.members()) add_strings(member.value, out);
  for (const Json& element : value.elements()) {
    if (!element.is_object()) add_strings(element, out);
    for (const JsonMember& member : element.members()) {
      if (names_path(member.key)) add_strings(member.value, out);
    }
  }
}

/// Whether the dialect has a tool or an alias of that name.
bool has_name(const Dialect& dialect, std::string_view name) {
  return find_tool(dialect, name) != nullptr ||
         std::ranges::find(dialect.tools.aliases, name, &ToolAlias::alias) != dialect.tools.aliases.end();
}

/// Words in the names of tools that tell what they do with a file: `read_text_file`, `fs_read`, `NotebookRead`.
struct KindVerb {
  std::string_view verb;
  ToolKind kind;
};
constexpr auto kVerbs = std::to_array<KindVerb>({
    {"read", ToolKind::Read},
    {"open", ToolKind::Read},
    {"view", ToolKind::Read},
    {"cat", ToolKind::Read},
    {"load", ToolKind::Read},
    {"get", ToolKind::Read},
    {"write", ToolKind::Write},
    {"create", ToolKind::Write},
    {"save", ToolKind::Write},
    {"edit", ToolKind::Edit},
    {"replace", ToolKind::Edit},
    {"patch", ToolKind::Edit},
    {"append", ToolKind::Edit},
    {"insert", ToolKind::Edit},
});

/// Whether one of the words of a tool's name is a verb of that kind. Words begin with a capital or behind a mark.
bool has_verb(std::string_view name, ToolKind kind) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  for (size_t at = 0; at < name.size();) {
    size_t end = at + 1;
    while (end < name.size() && is_letter(name[end]) && (is_small(name[end]) || !is_small(name[end - 1]))) ++end;
    const std::string word = text::to_lower(name.substr(at, end - at));
    const auto is_it = [&](const KindVerb& row) { return row.kind == kind && row.verb == word; };
    if (std::ranges::any_of(kVerbs, is_it)) return true;
    at = is_letter(name[at]) && end < name.size() && !is_letter(name[end]) ? end + 1 : end;
  }
  return false;
}

/// Whether a part of the name is what some agent calls a tool of that kind: `Read `, `mcp__files__read_file`.
bool sounds_like_kind(std::string_view name, ToolKind kind) {
  constexpr std::string_view kSeparator = "__";
  const size_t last = name.rfind(kSeparator);
  const std::string_view part = last == std::string_view::npos ? name : name.substr(last + kSeparator.size());
  const std::string_view word = part.substr(0, part.find_first_of("(["));
  if (has_verb(word, kind)) return true;
  const Spelling spelling(word);
  return std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
    return std::ranges::any_of(dialect->tools.rows, [&](const ToolRow& row) {
      return spelling.is(row.name) && tool_kind(*dialect, row.name) == kind;
    });
  });
}

}  // namespace

std::vector<ToolKind> tool_kinds(const Dialect& dialect, std::string_view name) {
  const ToolKind own = tool_kind(dialect, name);
  if (own != ToolKind::Other) return {own};
  std::vector<ToolKind> kinds;
  // One tool may stand for several (Codex's `apply_patch` writes and edits). Then it is all of these kinds.
  for (const ToolAlias& alias : dialect.tools.aliases) {
    if (alias.tool != name) continue;
    const ToolKind kind = tool_kind(kCanonicalDialect, alias.alias);
    if (kind != ToolKind::Other) kinds.push_back(kind);
  }
  if (kinds.empty()) {
    const std::string_view other = dialect_of_tool(name, dialect.name);  // another agent may have a tool of that name
    if (!other.empty()) kinds.push_back(tool_kind(name, other));
  }
  if (kinds.empty()) kinds.push_back(own);
  return kinds;
}

/// Of the other spellings of a server's tool only the canonical one counts: in the others, the names of server and tool
/// run together, or that of the server is missing.
bool is_tool_named(const Dialect& dialect, std::string_view name, const Matcher& matcher, const Json& mcp_context) {
  if (matcher.matches(name)) return true;
  for (const ToolAlias& alias : dialect.tools.aliases) {
    if (alias.tool == name && matcher.matches(alias.alias)) return true;
  }
  const ToolRow* own = find_tool(dialect, name);
  if (own == nullptr) {
    const bool is_server_tool = mcp_context || mcp_context_of(dialect, name);
    return is_server_tool && matcher.matches(translate_tool_name(dialect, name, kCanonicalDialect, mcp_context));
  }
  for (const Dialect* other : all_dialects()) {
    for (const ToolRow& row : other->tools.rows) {
      // A name that this dialect has itself means its own tool, even if another agent uses it for a different one.
      if (row.kind == own->kind && !has_name(dialect, row.name) && matcher.matches(row.name)) return true;
    }
  }
  return false;
}

std::vector<std::string> tool_paths(const Json& input) {
  std::vector<std::string> out;
  // An input that is no object has no names: each text in it may be a path.
  if (!input.is_object()) add_strings(input, out);
  for (const JsonMember& member : input.members()) {
    if (names_path(member.key)) {
      add_strings(member.value, out);
      continue;
    }
    // The argument may be an object that wraps the input, or a list of changes, each of which names its file.
    for (const JsonMember& inner : member.value.members()) {
      if (names_path(inner.key)) add_strings(inner.value, out);
    }
    for (const Json& element : member.value.elements()) {
      for (const JsonMember& inner : element.members()) {
        if (names_path(inner.key)) add_strings(inner.value, out);
      }
    }
  }
  return out;
}

bool names_command(std::string_view key) {
  return is_named(key, kMoreCommandKeys, &InputKeys::command_keys);
}

bool is_guessed(const Dialect& dialect, std::string_view tool) {
  if (tool.empty()) return true;
  const auto is_open = [](std::string_view kind) {
    return kind == to_string(ToolKind::Other) || kind == to_string(ToolKind::Mcp);
  };
  const ToolRow* row = find_tool(dialect, tool);
  return is_open(row == nullptr ? to_string(tool_kinds(dialect, tool).front()) : row->kind);
}

std::vector<ToolKind> guessed_kinds(const Dialect& dialect, std::string_view tool, const Json& input) {
  std::vector<ToolKind> kinds;
  if (!input.is_object() || !is_guessed(dialect, tool)) return kinds;
  const auto has = [&](const auto& is_named) {
    const auto members = input.members();
    return std::ranges::any_of(members.begin(), members.end(), [&](const JsonMember& member) {
      return !member.value.is_null() && is_named(member.key);
    });
  };
  if (has(names_command)) kinds.push_back(ToolKind::Shell);
  if (!has(names_path)) return kinds;
  for (const ToolKind kind : {ToolKind::Read, ToolKind::Write, ToolKind::Edit}) {
    if (tool.empty() || sounds_like_kind(tool, kind)) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<std::string> tool_patches(const Json& input) {
  std::vector<std::string> out;
  for (const JsonMember& member : input.members()) {
    if (!is_one_of(member.key, kPatchKeys)) continue;
    if (auto text = member.value.as_string()) out.push_back(std::move(*text));
  }
  return out;
}

std::string tool_directory(const Dialect& dialect, std::string_view tool, const Json& input) {
  // The table of the agent is more reliable than a guess by name, so it is asked first.
  if (const ToolRow* row = find_tool(dialect, tool)) {
    for (const ToolArgument& argument : row->arguments) {
      if (argument.canonical != kDirectory) continue;
      if (auto said = input[argument.wire].as_string()) return *said;
    }
  }
  for (const std::string_view key : kDirectoryKeys) {
    if (auto said = input[key].as_string()) return *said;
  }
  return "";
}

}  // namespace grapnel
