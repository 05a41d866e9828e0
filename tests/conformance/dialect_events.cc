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
  if (!row.only_if.empty()) text += ", with " + dotted(row.only_if);
  if (!row.only_unless.empty()) text += ", without " + dotted(row.only_unless);
  return text;
}

std::string match_subject(const Dialect& dialect, const EventRow& row) {
  if (row.match_on == Field::None) return "";
  const auto is_subject = [&](const FieldRow& input) { return input.field == row.match_on; };
  for (const auto inputs : {row.inputs, dialect.common_inputs}) {
    const auto found = std::ranges::find_if(inputs, is_subject);
    if (found != inputs.end()) return dotted(found->key);
  }
  return code(to_string(row.match_on));
}

std::string enders_of(const EventRow& row) {
  std::string text;
  for (const Verdict verdict : {Verdict::Allow, Verdict::Ask, Verdict::Deny}) {
    if ((row.ends_chain & mask(verdict)) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(to_string(verdict));
  }
  return text;
}

std::string write_syntaxes(const Dialect& dialect) {
  std::map<MatchSyntax, std::vector<std::string_view>> users;
  for (const EventRow& row : dialect.events) {
    auto& names = users[row.match_syntax];
    const bool is_new = std::ranges::find(names, row.wire_name) == names.end();
    if ((row.match_on != Field::None || row.matches_empty) && is_new) names.push_back(row.wire_name);
  }
  std::erase_if(users, [](const auto& entry) { return entry.second.empty(); });
  std::string text;
  for (const auto& [syntax, names] : users) {
    const std::string where = users.size() == 1 ? "" : " at " + code_list(names);
    text += "\nA matcher" + where + " is " + words_for(syntax) + ".\n";
  }
  if (!text.empty()) text += "\nWhere nothing is compared, a matcher has no effect.\n";
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
  for (const ValueRow& row : dialect.values) {
    if (row.canonical == row.wire) continue;
    const std::string canonical = row.canonical == "*" ? "anything else" : code(row.canonical);
    table.row({code(to_string(row.field)), code(row.wire), canonical});
  }
  const std::string text = table.text();
  return text.empty() ? "" : "\nSome values are spelled otherwise, too:\n" + text;
}

std::string write_stdin_style(const Dialect& dialect) {
  std::string text = dialect.stdin_style == JsonStyle::Compact ? "one line of compact JSON"
                     : dialect.stdin_style == JsonStyle::Spaced
                         ? "one line of JSON with a space behind every colon and comma"
                         : "JSON over several lines";
  text += dialect.stdin_newline ? ", with a newline at the end" : ", without a newline at the end";
  return "\nThe event comes on standard input as " + text +
         ". An event of this agent itself is passed on byte for byte" +
         (dialect.stdin_style == JsonStyle::Compact ? "" : ", but for these spaces") +
         ". What the host does not say is not there; what has no place here stands under `extra`.\n";
}

}  // namespace

std::string write_events(const Dialect& dialect) {
  Table table({"event", "also called", "canonical", "matcher looks at", "hooks run", "none starts after", "can block"});
  for (const EventRow& row : dialect.events) {
    table.row({code(row.wire_name), code_list(row.aliases), kind_of(row), match_subject(dialect, row),
               words_for(row.strategy), enders_of(row), row.can_deny ? "yes" : "no"});
  }
  std::string text = "\n## Events\n";
  if (dialect.name == "canonical") {
    Table own({"event", "matcher looks at"});
    for (const EventRow& row : dialect.events) own.row({code(row.wire_name), match_subject(dialect, row)});
    return text + own.text();
  }
  text += table.text() + write_syntaxes(dialect);
  if (dialect.aliases_are_current) {
    text +=
        "\nThe other names are those of today; the first ones still work, and a hook sees the one it was written "
        "with.\n";
  }
  if (!dialect.unsupported_events.empty()) {
    text += "\nKnown and listed, but never run, since there is no such moment here: " +
            code_list(dialect.unsupported_events) + ".\n";
  }
  return text;
}

std::string write_inputs(const Dialect& dialect) {
  if (dialect.name == "canonical") return "";
  std::string text =
      "\n## What a hook reads\n" + write_stdin_style(dialect) + "\nEvery event has " +
      inputs_text(dialect.common_inputs) +
      (dialect.constants.empty() ? "" : "; " + constants_text(dialect.constants) + " where it is not said") +
      ". In parentheses: the canonical name, where it is another.\n";
  Table table({"event", "members", "where not said"});
  for (const EventRow& row : dialect.events) {
    if (!row.inputs.empty()) {
      table.row({code(row.wire_name) + (row.only_if.empty() ? "" : ", with " + dotted(row.only_if)),
                 inputs_text(row.inputs), constants_text(row.constants)});
    }
  }
  return text + table.text() + write_values(dialect);
}

}  // namespace grapnel::conformance
