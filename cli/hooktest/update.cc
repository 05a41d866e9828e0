#include "cli/hooktest/update.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/yaml_text.h"

namespace grapnel::cli {

namespace {

// The file is edited as text, not written again from its parsed form, so that comments and layout stay. The editor
// knows only the simple forms of YAML. It need not be perfect: the result is read back at the end (`is_as_meant`), and
// an edit that went wrong is not used.

/// White space inside a line.
constexpr std::string_view kBlanks = " \t\r";

/// How many spaces the line begins with.
size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// Whether the line is empty or a comment.
bool says_nothing(std::string_view line) {
  const std::string_view rest = text::trim(line);
  return rest.empty() || rest.front() == '#';
}

/// The place after a quoted text that starts at `at`.
size_t skip_quoted(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += quote == '"' && text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// The end of a value inside brackets: the place of the `,`, `}` or `]` after it, without the blanks before that.
size_t flow_value_end(std::string_view text, size_t at) {
  const size_t start = at;
  for (int depth = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || (c == '\'' && (at == start || kBlanks.find(text[at - 1]) != std::string_view::npos))) {
      at = skip_quoted(text, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  while (at > start && kBlanks.find(text[at - 1]) != std::string_view::npos) --at;
  return at;
}

/// Where the comment after a value starts, including the blanks before it; the end of the line when there is none. A
/// `#` inside quotes is no comment.
size_t comment_start(std::string_view line, size_t at) {
  bool in_brackets = false;
  for (size_t i = at; i < line.size(); ++i) {
    if (i == at && (line[i] == '"' || line[i] == '\'')) i = skip_quoted(line, i) - 1;
    if (i == at) in_brackets = line[i] == '{' || line[i] == '[';
    if (in_brackets && line[i] == '"') i = skip_quoted(line, i) - 1;
    if (i < line.size() && line[i] == '#' && (i == at || line[i - 1] == ' ')) {
      while (i > at && line[i - 1] == ' ') --i;
      return i;
    }
  }
  return line.size();
}

/// A text as lines that can be changed.
class Page {
 public:
  explicit Page(std::string_view text) {
    for (const std::string_view line : text::split(text, '\n')) lines_.emplace_back(line);
  }

  std::string text() const { return text::join(lines_, "\n"); }

  /// Replaces the value of the key at this place. A key at the start of its line has its value in block form, maybe
  /// over several lines; any other key is inside brackets.
  void set_value(const SourcePos& key, const Json& value) {
    if (key.line == 0 || key.line > lines_.size()) return;
    const size_t at = key.column - 1;
    std::string& line = lines_[key.line - 1];
    if (at >= line.size()) return;
    const size_t name_end = line[at] == '"' || line[at] == '\'' ? skip_quoted(line, at) : at;
    const size_t colon = line.find(':', name_end);
    if (colon == std::string::npos) return;
    const bool is_block = line.find_first_not_of(" -") == at;
    is_block ? set_block_value(key.line - 1, at, colon, value) : set_flow_value(line, colon, value);
  }

  /// Inserts lines after the last one of the map that starts at this place, with the same indentation. False when the
  /// map is written in brackets.
  bool append_to_map(const SourcePos& map, const std::vector<std::string>& added) {
    const size_t first = map.line - 1;
    const size_t indent = map.column - 1;
    if (first >= lines_.size() || indent >= lines_[first].size() || lines_[first][indent] == '{') return false;
    const size_t end = block_end(first, indent);
    std::vector<std::string> indented;
    for (const std::string& line : added) indented.push_back(std::string(indent, ' ') + line);
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(end), indented.begin(), indented.end());
    return true;
  }

 private:
  /// The number of the line after the block: its last line that is not empty or a comment and has at least this
  /// indentation.
  size_t block_end(size_t first, size_t indent) const {
    size_t end = first + 1;
    for (size_t i = first + 1; i < lines_.size(); ++i) {
      if (says_nothing(lines_[i])) continue;
      if (indent_of(lines_[i]) < indent) break;
      end = i + 1;
    }
    return end;
  }

  /// Replaces a value inside brackets.
  static void set_flow_value(std::string& line, size_t colon, const Json& value) {
    const size_t start = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    const size_t end = flow_value_end(line, start);
    line.replace(colon + 1, end - colon - 1, " " + yaml_text(value));
  }

  /// Replaces a value in block form, together with the lines below that belong to it. The comment on the first line
  /// stays. YAML allows a list to have the same indentation as its key, so such lines belong to the value too.
  void set_block_value(size_t at, size_t indent, size_t colon, const Json& value) {
    std::string& line = lines_[at];
    const size_t start = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    size_t below = block_end(at, indent + 1);
    const bool is_list_below = start == line.size() && at + 1 < lines_.size() && indent_of(lines_[at + 1]) == indent &&
                               std::string_view(lines_[at + 1]).substr(indent).starts_with("- ");
    while (is_list_below && below < lines_.size() && indent_of(lines_[below]) == indent &&
           std::string_view(lines_[below]).substr(indent).starts_with("- ")) {
      below = block_end(below, indent + 1);
    }
    const std::string comment = line.substr(comment_start(line, start));
    line = line.substr(0, colon + 1) + " " + yaml_text(value) + (comment.starts_with('#') ? " " : "") + comment;
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                 lines_.begin() + static_cast<std::ptrdiff_t>(below));
  }

  std::vector<std::string> lines_;
};

/// The lines of a new `expect:` block.
std::vector<std::string> expect_lines(const std::vector<std::pair<std::string, Json>>& worth) {
  std::vector<std::string> out = {"expect:"};
  for (const auto& [name, value] : worth) {
    if (name != "hooks") {
      out.push_back("  " + name + ": " + yaml_text(value));
      continue;
    }
    out.push_back("  hooks:");
    for (const JsonMember& hook : value.members()) {
      out.push_back("    " + yaml_text(Json::string(hook.key)) + ": " + yaml_text(hook.value));
    }
  }
  return out;
}

/// One change and its place. Changes are made from the last to the first, so that the places of the others stay right.
struct Change {
  SourcePos at;
  const Mismatch* mismatch = nullptr;
  const Unexpecting* unexpecting = nullptr;
};

std::vector<Change> changes_of(const Fixture& fixture, const std::vector<CaseResult>& results) {
  std::vector<Change> out;
  for (const CaseResult& result : results) {
    if (result.fixture != &fixture) continue;
    for (const Mismatch& mismatch : result.mismatches) out.push_back({mismatch.expectation->at, &mismatch, nullptr});
    for (const Unexpecting& unexpecting : result.unexpecting) {
      out.push_back({unexpecting.step->at, nullptr, &unexpecting});
    }
  }
  std::ranges::sort(out, [](const Change& a, const Change& b) {
    return std::pair(a.at.line, a.at.column) > std::pair(b.at.line, b.at.column);
  });
  return out;
}

/// What the file should expect instead.
Json new_value(const Mismatch& mismatch) {
  return expectation_for(mismatch.expectation->name, mismatch.expectation->want, mismatch.got);
}

/// Whether the new text means what it should: every changed expectation has its new value, and all others are as
/// before.
bool is_as_meant(const std::string& text, const Fixture& fixture, const std::vector<Change>& changes) {
  const FixtureReading reading = read_fixture(fixture.path, text);
  if (!reading.problems.empty() || reading.fixture.cases.size() != fixture.cases.size()) return false;
  for (size_t c = 0; c < fixture.cases.size(); ++c) {
    const auto& before = fixture.cases[c].steps;
    const auto& after = reading.fixture.cases[c].steps;
    if (before.size() != after.size()) return false;
    for (size_t s = 0; s < before.size(); ++s) {
      const bool was_empty = before[s].expect.empty();
      if (was_empty) continue;
      if (before[s].expect.size() != after[s].expect.size()) return false;
      for (size_t e = 0; e < before[s].expect.size(); ++e) {
        const auto is_it = [&](const Change& change) {
          return change.mismatch != nullptr && change.mismatch->expectation == &before[s].expect[e];
        };
        const auto change = std::ranges::find_if(changes, is_it);
        const Json want = change == changes.end() ? before[s].expect[e].want : new_value(*change->mismatch);
        if (after[s].expect[e].want != want) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::string with_value(std::string_view text, const SourcePos& key, const Json& value) {
  Page page(text);
  page.set_value(key, value);
  return page.text();
}

Result<std::string> updated_fixture(const Fixture& fixture, const std::vector<CaseResult>& results) {
  const std::vector<Change> changes = changes_of(fixture, results);
  Page page(fixture.text);
  bool could = true;
  for (const Change& change : changes) {
    if (change.mismatch != nullptr) {
      page.set_value(change.at, new_value(*change.mismatch));
    } else {
      could = page.append_to_map(change.at, expect_lines(change.unexpecting->worth)) && could;
    }
  }
  std::string text = page.text();
  if (could && is_as_meant(text, fixture, changes)) return text;
  return fail(Errc::BadInput, "--update cannot edit the file in the way it is written; change it by hand");
}

}  // namespace grapnel::cli
