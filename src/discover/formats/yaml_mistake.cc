#include "discover/formats/yaml_mistake.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "discover/formats/yaml_lines.h"

namespace grapnel {

namespace {

constexpr std::string_view kMistakeByteOrderMark = "\xEF\xBB\xBF";

/// A complaint of the parser and the text it is about.
struct Complaint {
  const std::vector<YamlLine>& lines;
  std::string_view says;
  YamlSpot at;

  /// The line it points to; the last one if it points behind the end.
  size_t index() const { return std::min<size_t>(at.line, lines.size()) - 1; }
  const YamlLine& line() const { return lines[index()]; }
  /// The nearest line above that has something in it, or null.
  const YamlLine* above(size_t from) const {
    while (from > 0) {
      if (!lines[--from].is_blank()) return &lines[from];
    }
    return nullptr;
  }
  size_t number_of(const YamlLine& line) const { return static_cast<size_t>(&line - lines.data()) + 1; }
};
using Found = std::optional<YamlMistake>;

Found find_tab(const Complaint& on) {
  for (const size_t index : {on.index(), on.index() + 1}) {
    if (index >= on.lines.size()) continue;
    const size_t tab = on.lines[index].text.substr(0, on.lines[index].indent).find('\t');
    if (tab == std::string_view::npos) continue;
    return YamlMistake{"a tab indents this line",
                       "indent with spaces; YAML does not accept tabs",
                       {static_cast<uint32_t>(index + 1), static_cast<uint32_t>(tab + 1)}};
  }
  return std::nullopt;
}

/// The lines that git leaves in a file until somebody has decided.
Found find_conflict(const Complaint& on) {
  for (const YamlLine& line : on.lines) {
    if (!line.text.starts_with("<<<<<<< ")) continue;
    return YamlMistake{"git could not merge this file",
                       "decide between the two versions and remove git's marks",
                       {static_cast<uint32_t>(on.number_of(line)), 1}};
  }
  return std::nullopt;
}

/// `"C:\Users"`: only some letters may follow a backslash in double quotes.
Found find_escape(const Complaint& on) {
  if (!on.says.contains("hex") && !on.says.contains("unicode") && !on.says.contains("escape")) return std::nullopt;
  const YamlLine* above = on.above(on.index());
  // The parser reads the digits that it expects, and may have gone on to the next line.
  for (const YamlLine* line : {&on.line(), above}) {
    const size_t slash = line == nullptr ? std::string_view::npos : line->text.find('\\');
    if (slash == std::string_view::npos) continue;
    return YamlMistake{"a backslash in double quotes starts an escape in YAML",
                       "put the text in single quotes",
                       {static_cast<uint32_t>(on.number_of(*line)), static_cast<uint32_t>(slash + 1)}};
  }
  return std::nullopt;
}

/// Only what stands before the complaint can be its cause.
Found find_loose(const Complaint& on) {
  Found found = find_loose_end(on.lines);
  return found && found->at.line <= on.at.line ? found : std::nullopt;
}

/// A character with a meaning of its own at the start of a value.
struct SpecialRow {
  char first;
  std::string_view what;
};
constexpr auto kSpecials = std::to_array<SpecialRow>({
    {'*', "a value that starts with '*' is a reference in YAML"},
    {'&', "a value that starts with '&' is an anchor in YAML"},
    {'!', "a value that starts with '!' is a tag in YAML"},
    {'@', "a value cannot start with '@' in YAML"},
    {'`', "a value cannot start with '`' in YAML"},
    {'%', "a value cannot start with '%' in YAML"},
});

/// Looks at the place of the complaint, and at the start of the value in its line: some parsers point behind it.
Found find_special(const Complaint& on) {
  const std::string_view text = on.line().text;
  const size_t starts = text.size() - std::min(text.size(), on.line().rest.size());
  const size_t rest = on.line().rest.empty() ? text.size() : text.find(on.line().rest, starts - (starts > 0 ? 1 : 0));
  for (const size_t column : {static_cast<size_t>(on.at.column - 1), rest}) {
    if (column >= text.size()) continue;
    const auto row = std::ranges::find(kSpecials, text[column], &SpecialRow::first);
    if (row == kSpecials.end()) continue;
    return YamlMistake{std::string(row->what),
                       "put it in quotes: " + in_yaml_quotes(value_from(text, column)),
                       {on.at.line, static_cast<uint32_t>(column + 1)}};
  }
  return std::nullopt;
}

/// `on:PreToolUse`, in the line of the complaint or above it.
Found find_missing_space(const Complaint& on) {
  const YamlLine* above = on.above(on.index());
  for (const YamlLine* line : {&on.line(), above}) {
    if (line == nullptr || !line->key.empty()) continue;
    const size_t colon = line->rest.find(':');
    const bool is_key = colon != std::string_view::npos && colon > 0 && colon + 1 < line->rest.size() &&
                        line->rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == colon &&
                        !line->rest.substr(colon).starts_with("://");
    if (!is_key) continue;
    const std::string key(line->rest.substr(0, colon));
    return YamlMistake{"there is no space after '" + key + ":'",
                       "write " + key + ": " + text::cap(line->rest.substr(colon + 1), 60),
                       {static_cast<uint32_t>(on.number_of(*line)), static_cast<uint32_t>(line->content + 1)}};
  }
  return std::nullopt;
}

/// `-name: guard`.
Found find_dash(const Complaint& on) {
  const YamlLine* above = on.above(on.index());
  for (const YamlLine* line : {&on.line(), above}) {
    const bool is_glued = line != nullptr && line->key.size() > 1 && line->key[0] == '-' && line->key[1] != '-';
    if (!is_glued) continue;
    return YamlMistake{"there is no space after the dash",
                       "write - " + text::cap(text::trim(line->text).substr(1), 60),
                       {static_cast<uint32_t>(on.number_of(*line)), static_cast<uint32_t>(line->indent + 1)}};
  }
  return std::nullopt;
}

/// `{ tool: shell command: sudo }`: the parser points to the second colon, or behind it.
Found find_comma(const Complaint& on) {
  const YamlLine& line = on.line();
  const std::string_view before = line.text.substr(0, std::min<size_t>(on.at.column, line.text.size()));
  const size_t colon = before.rfind(':');
  if (!is_in_brackets(before) || colon == std::string_view::npos) return std::nullopt;
  const size_t start = before.find_last_of(" ,{[", colon) + 1;
  const size_t word = before.find_last_not_of(' ', start == 0 ? 0 : start - 1);
  const bool follows_value =
      start > 1 && word != std::string_view::npos && !std::string_view(",{[:").contains(before[word]);
  if (!follows_value) return std::nullopt;
  const std::string key(before.substr(start, colon - start));
  return YamlMistake{"there is no comma before '" + key + "'",
                     "write a comma between two members, or put a text with ': ' in quotes",
                     {on.at.line, static_cast<uint32_t>(start + 1)}};
}

/// `deny: Not here: ask Maria`: the parser points to the second colon.
Found find_colon(const Complaint& on) {
  const YamlLine& line = on.line();
  const bool is_in_value = !line.key.empty() && on.at.column > line.content + line.key.size() + 1;
  if (!is_in_value || !line.rest.contains(": ") || std::string_view("{['\"").contains(line.rest[0]))
    return std::nullopt;
  const size_t start = line.text.find(line.rest, line.content + line.key.size() + 1);
  return YamlMistake{"the value of '" + std::string(line.key) + "' contains ': ', which starts a map in YAML",
                     "put the value in quotes: " + text::cap(in_yaml_quotes(line.rest), 100),
                     {on.at.line, static_cast<uint32_t>(start + 1)}};
}

/// A column at which lines are lined up: of keys or of dashes.
struct IndentLevel {
  size_t column;
  bool is_dash;
  size_t line;  ///< the first line that has it, counted from 1
  std::string_view key;
};

/// The levels that are open in front of a line.
std::vector<IndentLevel> levels_above(const Complaint& on, size_t index) {
  std::vector<IndentLevel> out;
  for (size_t i = 0; i < index; ++i) {
    const YamlLine& line = on.lines[i];
    if (line.is_blank() || (line.key.empty() && !line.has_dash())) continue;
    while (!out.empty() && out.back().column > line.indent) out.pop_back();
    if (out.empty() || out.back().column < line.indent || out.back().is_dash != line.has_dash())
      out.push_back({line.indent, line.has_dash(), i + 1, line.has_dash() ? "" : line.key});
    if (line.has_dash()) out.push_back({line.content, false, i + 1, line.key});
  }
  return out;
}

/// A line that is lined up with nothing above it. The nearest level of its kind is where it probably belongs.
Found find_indent(const Complaint& on) {
  const YamlLine& line = on.line();
  if (line.is_blank() || (line.key.empty() && !line.has_dash())) return std::nullopt;
  const std::vector<IndentLevel> levels = levels_above(on, on.index());
  const bool starts_list = line.has_dash() && std::ranges::none_of(levels, &IndentLevel::is_dash);
  if (starts_list) {
    return YamlMistake{"this list has no key of its own above it",
                       "write a line such as hooks: above it",
                       {on.at.line, static_cast<uint32_t>(line.indent + 1)}};
  }
  const IndentLevel* best = nullptr;
  const auto distance = [&](const IndentLevel& level) {
    return level.column > line.indent ? level.column - line.indent : line.indent - level.column;
  };
  for (const IndentLevel& level : levels) {
    if (level.is_dash != line.has_dash()) continue;
    if (level.column == line.indent) return std::nullopt;
    if (best == nullptr || distance(level) <= distance(*best)) best = &level;
  }
  if (best == nullptr) return std::nullopt;
  const std::string like = best->is_dash ? "the dash" : "'" + std::string(best->key) + "'";
  return YamlMistake{
      (best->is_dash ? "this dash is indented by " : "this key is indented by ") + std::to_string(line.indent) +
          (best->is_dash ? ", unlike the dashes above it" : ", unlike the keys above it"),
      "indent it by " + std::to_string(best->column) + ", like " + like + " in line " + std::to_string(best->line),
      {on.at.line, static_cast<uint32_t>(line.indent + 1)}};
}

/// Complaints that are clear by themselves once they are put in other words.
struct WordsRow {
  std::string_view says;  ///< how the parser's complaint starts
  std::string_view what;  ///< or "" to keep it
  std::string_view hint;
};
constexpr auto kWords = std::to_array<WordsRow>({
    {"a second '", "", "join the two, or remove one"},
    {"the file holds a second document", "'---' starts a second document, and a file is one",
     "remove the '---'; all hooks are in one list"},
    {"an alias", "", "write the value again"},
    {"an anchor", "", "remove it, or put the value in quotes"},
    {"a tag", "", "remove it, or put the value in quotes"},
    {"a key that is not", "", "write a word in front of the colon"},
    {"illegal map value", "a ':' is here where none can be", "put a text with ': ' in quotes, and line up the keys"},
    {"end of map not found", "this does not belong to the map above it",
     "write key: value, lined up with the keys above"},
    {"end of sequence not found", "this does not belong to the list above it",
     "start each element with a dash, lined up with the dashes above"},
    {"bad indentation of", "this line is not lined up with those above", "indent it like them"},
});

Found find_words(const Complaint& on) {
  for (const WordsRow& row : kWords) {
    if (!on.says.starts_with(row.says)) continue;
    return YamlMistake{std::string(row.what.empty() ? on.says : row.what), std::string(row.hint), on.at};
  }
  return std::nullopt;
}

/// In this order: what is certain first, then what explains a complaint further down in the file, then guesses from
/// the line of the complaint.
constexpr auto kSearches =
    std::to_array<Found (*)(const Complaint&)>({find_conflict, find_tab, find_escape, find_loose, find_special,
                                                find_missing_space, find_dash, find_comma, find_colon, find_indent});

}  // namespace

ConfigProblem explain_yaml_error(std::string_view document, const Error& error) {
  const SourcePos at = error.at.value_or(SourcePos{"", 1, 1});
  if (document.starts_with(kMistakeByteOrderMark)) document.remove_prefix(kMistakeByteOrderMark.size());
  const std::vector<YamlLine> lines = yaml_lines(document);
  // `Invalid YAML: end of map not found`: the reader's words and the parser's.
  const size_t colon = error.message.find(": ");
  const bool is_syntax = colon != std::string::npos && text::to_lower(error.message).starts_with("invalid yaml");
  ConfigProblem out{ConfigProblem::Severity::Error, error.message, at, ""};
  if (!is_syntax || at.line == 0) return out;
  const Complaint on{lines, std::string_view(error.message).substr(colon + 2), {at.line, std::max(at.column, 1U)}};
  // Refusals of the reader itself, such as a second key, point to their cause.
  const bool is_refusal = on.says.ends_with("is not allowed here") || on.says.ends_with("second document");
  Found found;
  for (const auto search : kSearches) {
    if (is_refusal && search != find_special) continue;
    if (!found) found = search(on);
  }
  if (!found || on.says.starts_with("a second '")) found = find_words(on);
  if (!found) return out;
  out.message = error.message.substr(0, colon + 2) + found->what;
  out.hint = found->hint;
  out.at.line = found->at.line;
  out.at.column = found->at.column;
  return out;
}

}  // namespace grapnel
