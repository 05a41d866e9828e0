#include <algorithm>

#include "conformance/dialect_page.h"
#include "conformance/dialect_words.h"
#include "conformance/markdown.h"

/// The part of a dialect's page that is about its surroundings: processes, tools, and names across dialects.
namespace grapnel::conformance {

namespace {

constexpr size_t kOwnDialects = 2;  // canonical and that of rule files, in front of the agents'

/// What an argument is canonically, and what else is different about it.
std::string meaning_of(const ToolArgument& argument) {
  std::string text(argument.canonical);
  if (argument.unit != 1) text += ", 1 is " + std::to_string(argument.unit);
  for (const ToolWord& word : argument.words) text += ", " + code(word.wire) + " is " + code(word.canonical);
  if (argument.only_read) text += ", understood but never written";
  return text;
}

std::string arguments_of(const ToolRow& tool) {
  std::string text;
  for (const ToolArgument& argument : tool.arguments) {
    std::string place = dotted(argument.wire);
    if (!argument.in_each.empty()) place += " in each of " + code(argument.in_each);
    text += (text.empty() ? "" : ", ") + place + " (" + meaning_of(argument) + ")";
  }
  return text;
}

std::string write_mcp_names(const Dialect& dialect) {
  const McpNames& mcp = dialect.tools.mcp;
  if (mcp.separator.empty()) return "\nTools of MCP servers have the name of the tool alone.\n";
  return "\nTools of MCP servers are named " +
         code(std::string(mcp.prefix) + "<server>" + std::string(mcp.separator) + "<tool>") + ".\n";
}

std::string write_input_keys(const Dialect& dialect) {
  const InputKeys& keys = dialect.tools.input_keys;
  std::string text;
  if (!keys.path_keys.empty()) text += "\nThe file of a tool call is in " + code_list(keys.path_keys);
  if (!keys.command_keys.empty()) {
    text += (text.empty() ? "\nThe" : ", the") + std::string(" shell command in ") + code_list(keys.command_keys);
    if (!keys.command_tools.empty()) text += " of " + code_list(keys.command_tools);
  }
  return text.empty() ? "" : text + ".\n";
}

/// What that agent calls that event, "" where it has none.
std::string name_at(const Dialect& dialect, EventKind kind) {
  const EventRow* row = dialect.find_event(kind);
  return row == nullptr ? "" : code(row->wire_name);
}

/// The events at which some agent says that field, in canonical words.
std::string events_with(Field field) {
  const auto is_common = [&](const Dialect* dialect) {
    const auto inputs = dialect->payload.common_inputs;
    return std::ranges::find(inputs, field, &FieldRow::field) != inputs.end();
  };
  if (std::ranges::any_of(all_dialects().subspan(kOwnDialects), is_common)) return "any event";
  std::string text;
  for (const EventKind kind : all_event_kinds()) {
    const bool is_said = std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
      const EventRow* row = dialect->find_event(kind);
      return row != nullptr &&
             std::ranges::find(row->payload.inputs, field, &FieldRow::field) != row->payload.inputs.end();
    });
    if (is_said) text += (text.empty() ? "" : ", ") + std::string(to_string(kind));
  }
  return text.empty() ? "any event, if the host sends it" : text;
}

}  // namespace

std::string write_process(const Dialect& dialect) {
  if (dialect.process.shell.empty()) return "";
  std::string shell;
  for (const std::string_view word : dialect.process.shell) shell += (shell.empty() ? "" : " ") + std::string(word);
  std::string text = "\n## Process and environment\n\nCommands are run by " + code(shell) + " in the " +
                     (dialect.process.working_dir == Field::ProjectDir ? "directory of the project"
                                                                       : "working directory of the event") +
                     ". ";
  if (dialect.process.inherited.empty()) {
    text += "They inherit the environment";
    if (!dialect.process.withheld_prefix.empty())
      text += ", except variables that start with " + code(dialect.process.withheld_prefix);
  } else {
    text += "They inherit only these environment variables: " + code_list(dialect.process.inherited);
  }
  text += ".\n";
  Table table({"variable", "value", "in the text of a command"});
  for (const VariableRow& row : dialect.process.variables) {
    const std::string value = row.value == Field::None ? code(row.constant) : std::string(to_string(row.value));
    std::string note = row.in_command ? "replaced, however it is quoted" : "";
    if (row.per_event) note += std::string(note.empty() ? "" : "; ") + "a [warm](../warm.md) hook goes without it";
    table.row({code(row.name), value, note});
  }
  text += table.text();
  for (const EventRow& event : dialect.events) {
    if (event.running.env_file.empty()) continue;
    text +=
        "\nAt " + code(event.wire_name) + " " + code(event.running.env_file) +
        " names a file. The variables that a hook exports there, in the syntax of a shell, are in the environment of "
        "all later hooks of the session.\n";
  }
  return text;
}

/// What hosts do that act like the agent, where that is not the usual.
std::string write_habits(const Dialect& dialect) {
  const CallHabits& habits = dialect.tools.habits;
  std::string text;
  if (habits.refusal_ends_turn) text += "- The turn ends when a person refuses the model's call.\n";
  if (habits.context_begin != CallHabits{}.context_begin) {
    text += "- In the result of a call, hooks' context stands between " + code(habits.context_begin) + " and " +
            code(habits.context_end) + ".\n";
  }
  return text.empty() ? "" : "\nIn `grapnel agent --as " + std::string(dialect.name) + "`:\n\n" + text;
}

std::string write_tools(const Dialect& dialect) {
  Table table({"tool", "name", "arguments with other names"});
  for (const ToolRow& tool : dialect.tools.rows) {
    table.row({std::string(tool.kind), code(tool.name), arguments_of(tool)});
  }
  std::string text = "\n## Tools\n" + table.text();
  Table aliases({"a matcher may say", "for"});
  for (const ToolAlias& alias : dialect.tools.aliases) aliases.row({code(alias.alias), code(alias.tool)});
  return text + aliases.text() + write_mcp_names(dialect) + write_input_keys(dialect) + write_habits(dialect);
}

std::string write_names_everywhere(const Dialect& dialect) {
  if (&dialect != &kCanonicalDialect) return "";
  std::string text = "\n## Names of these events in other agents\n";
  std::string head = "| canonical ";
  std::string line = "|---";
  for (const Dialect* other : all_dialects().subspan(kOwnDialects)) {
    head += "| [" + std::string(other->name) + "](" + std::string(other->name) + ".md) ";
    line += "|---";
  }
  text += "\n" + head + "|\n" + line + "|\n";
  for (const EventKind kind : all_event_kinds()) {
    text += "| " + code(to_string(kind)) + " ";
    for (const Dialect* other : all_dialects().subspan(kOwnDialects)) text += "| " + name_at(*other, kind) + " ";
    text += "|\n";
  }
  Table fields({"member of a payload", "at"});
  for (const FieldRow& row : dialect.payload.common_inputs) {
    fields.row({code(row.key), events_with(row.field)});
  }
  return text + "\n## Members of a payload\n\nAll members are optional.\n" + fields.text();
}

}  // namespace grapnel::conformance
