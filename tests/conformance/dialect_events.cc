#include <algorithm>
#include <map>

#include "conformance/dialect_page.h"
#include "conformance/dialect_words.h"
#include "conformance/markdown.h"

/// The part of a dialect's page that is about events: their names, their matchers and what a hook reads.
namespace grapnel::conformance {

namespace {

/// A row's canonical kind, and what tells it from others of the same wire name.
std::string kind_of(const EventRow& row) {
  std::string text(to_string(row.kind));
  if (!row.applies.only_if.empty()) text += ", with " + dotted(row.applies.only_if);
  if (!row.applies.only_unless.empty()) text += ", without " + dotted(row.applies.only_unless);
  return text;
}

std::string match_subject(const Dialect& dialect, const EventRow& row) {
  if (row.matching.match_on == Field::None) return "";
  const auto is_subject = [&](const FieldRow& input) { return input.field == row.matching.match_on; };
  for (const auto inputs : {row.payload.inputs, dialect.payload.common_inputs}) {
    const auto found = std::ranges::find_if(inputs, is_subject);
    if (found != inputs.end()) return dotted(found->key);
  }
  return code(to_string(row.matching.match_on));
}

std::string enders_of(const EventRow& row) {
  std::string text;
  for (const Verdict verdict : {Verdict::Allow, Verdict::Ask, Verdict::Deny}) {
    if ((row.running.ends_chain & mask(verdict)) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(to_string(verdict));
  }
  return text;
}

/// What is special about the hooks of a tool call and of a gate, if anything is.
std::string write_call_and_gate(const Dialect& dialect) {
  std::vector<std::string_view> once;
  std::vector<std::string_view> gates;
  std::string_view continuation;
  for (const EventRow& row : dialect.events) {
    if (row.running.once_per_call) once.push_back(row.wire_name);
    if (row.answer.continuation.empty()) continue;
    gates.push_back(row.wire_name);
    continuation = row.answer.continuation;
  }
  std::string text;
  if (!once.empty()) {
    text += "\nThe hooks of these events run once for each tool call: " + code_list(once) +
            ". If the host reports the call again under the same id, before the call has ended, the answer is the same "
            "and no hook runs. Hooks of other agents run for every report.\n";
  }
  if (!gates.empty()) {
    text += "\nIf a hook keeps the agent working, the model of `grapnel agent` reads " + code(continuation) +
            " and, on the next line, the hook's reason: " + code_list(gates) + ".\n";
  }
  return text;
}

std::string write_syntaxes(const Dialect& dialect) {
  std::map<MatchSyntax, std::vector<std::string_view>> users;
  for (const EventRow& row : dialect.events) {
    auto& names = users[row.matching.match_syntax];
    const bool is_new = std::ranges::find(names, row.wire_name) == names.end();
    if ((row.matching.match_on != Field::None || row.matching.matches_empty) && is_new) names.push_back(row.wire_name);
  }
  std::erase_if(users, [](const auto& entry) { return entry.second.empty(); });
  std::string text;
  for (const auto& [syntax, names] : users) {
    const std::string where = users.size() == 1 ? "" : " at " + code_list(names);
    text += "\nA matcher" + where + " is " + words_for(syntax) + ".\n";
  }
  if (!text.empty()) text += "\nA matcher has no effect at events that have nothing to compare it with.\n";
  return text;
}

/// The key, and its canonical name where that is another.
std::string input_text(const FieldRow& input) {
  const std::string key = dotted(input.key);
  const std::string canonical(to_string(input.field));
  return key == code(canonical) ? key : key + " (" + canonical + ")";
}

std::string inputs_text(std::span<const FieldRow> inputs) {
  std::string text;
  for (const FieldRow& input : inputs) text += (text.empty() ? "" : ", ") + input_text(input);
  return text;
}

std::string constants_text(std::span<const ConstantRow> constants) {
  std::string text;
  for (const ConstantRow& row : constants) {
    text += (text.empty() ? "" : ", ") + dotted(row.pointer) + " is " + code(row.json);
  }
  return text;
}

std::string write_values(const Dialect& dialect) {
  Table table({"member", "here", "canonical"});
  for (const ValueRow& row : dialect.payload.values) {
    if (row.canonical == row.wire) continue;
    const std::string canonical = row.canonical == "*" ? "anything else" : code(row.canonical);
    table.row({code(to_string(row.field)), code(row.wire), canonical});
  }
  const std::string text = table.text();
  return text.empty() ? "" : "\nSome values are spelled differently, too:\n" + text;
}

std::string write_stdin_style(const Dialect& dialect) {
  std::string text = dialect.process.stdin_style == JsonStyle::Compact ? "one line of compact JSON"
                     : dialect.process.stdin_style == JsonStyle::Spaced
                         ? "one line of JSON with a space after every colon and comma"
                         : "JSON over several lines";
  text += dialect.process.stdin_newline ? ", with a newline at the end" : ", without a newline at the end";
  return "\nA hook reads the event from standard input, as " + text +
         ". Events of this agent itself are passed on byte for byte" +
         (dialect.process.stdin_style == JsonStyle::Compact ? "" : ", except for this layout") +
         ". A member that the host does not send is missing; what the host sends and this format has no place for is "
         "under `extra`.\n";
}

}  // namespace

std::string write_events(const Dialect& dialect) {
  Table table(
      {"event", "also called", "canonical", "matcher looks at", "hooks run", "the rest is skipped after", "can block"});
  for (const EventRow& row : dialect.events) {
    table.row({code(row.wire_name), code_list(row.aliases), kind_of(row), match_subject(dialect, row),
               words_for(row.running.strategy), enders_of(row), row.verdicts.can_deny ? "yes" : "no"});
  }
  std::string text = "\n## Events\n";
  if (dialect.name == "canonical") {
    Table own({"event", "matcher looks at"});
    for (const EventRow& row : dialect.events) own.row({code(row.wire_name), match_subject(dialect, row)});
    return text + own.text();
  }
  text += table.text() + write_syntaxes(dialect) + write_call_and_gate(dialect);
  if (dialect.entries.aliases_are_current) {
    text +=
        "\nThe names under \"also called\" are the current ones. The older names still work, and a hook sees the name "
        "that it was written with.\n";
  }
  if (!dialect.entries.other_events.empty()) {
    text += "\nGrapnel has no kind for these events. Their hooks run, but the agent is told nothing: " +
            code_list(dialect.entries.other_events) + ".\n";
  }
  return text;
}

std::string write_inputs(const Dialect& dialect) {
  if (dialect.name == "canonical") return "";
  std::string text = "\n## Input\n" + write_stdin_style(dialect) + "\nEvery event has " +
                     inputs_text(dialect.payload.common_inputs) +
                     (dialect.payload.constants.empty()
                          ? ""
                          : "; " + constants_text(dialect.payload.constants) + " if the host does not send it") +
                     ". The canonical name is in parentheses if it is different.\n";
  Table table({"event", "members", "default"});
  for (const EventRow& row : dialect.events) {
    if (!row.payload.inputs.empty()) {
      table.row({code(row.wire_name) + (row.applies.only_if.empty() ? "" : ", with " + dotted(row.applies.only_if)),
                 inputs_text(row.payload.inputs), constants_text(row.payload.constants)});
    }
  }
  return text + table.text() + write_values(dialect);
}

}  // namespace grapnel::conformance
