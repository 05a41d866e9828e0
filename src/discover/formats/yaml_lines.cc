#include "discover/formats/yaml_lines.h"

#include <algorithm>

#include "base/text.h"

namespace grapnel {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_gap(char c) {
  return c == ' ' || c == '\t';
}

YamlLine line_of(std::string_view text) {
  YamlLine out;
  if (text.ends_with('\r')) text.remove_suffix(1);
  out.text = text;
  while (out.indent < text.size() && is_gap(text[out.indent])) ++out.indent;
  out.content = out.indent;
  while (text.substr(out.content).starts_with("- ")) {
    out.content += 2;
    while (out.content < text.size() && is_gap(text[out.content])) ++out.content;
  }
  size_t end = out.content;
  while (end < text.size() && is_word(text[end])) ++end;
  const bool is_key =
      end > out.content && end < text.size() && text[end] == ':' && (end + 1 == text.size() || is_gap(text[end + 1]));
  if (is_key) out.key = text.substr(out.content, end - out.content);
  out.rest = text::trim(text.substr(is_key ? end + 1 : out.content));
  return out;
}

/// Whether what follows the line, indented deeper, is a text of its own: `run: |`.
bool opens_block_text(const YamlLine& line) {
  const std::string_view value = line.rest;
  if (value.empty() || (value[0] != '|' && value[0] != '>')) return false;
  const size_t end = value.find_first_not_of("+-0123456789", 1);
  return end == std::string_view::npos || is_gap(value[end]);
}

/// Walks over the characters of the lines and keeps what is open.
class LooseEnds {
 public:
  explicit LooseEnds(const std::vector<YamlLine>& lines) : lines_(lines) {}

  std::optional<YamlMistake> find() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const YamlLine& line = lines_[i];
      if (skips(line)) continue;
      if (const auto open = still_open(line)) return open;
      if (auto found = walk(line, static_cast<uint32_t>(i + 1))) return found;
      if (opens_block_text(line)) block_indent_ = line.indent;
    }
    if (quote_ != 0) return open_quote();
    if (!brackets_.empty()) return open_bracket();
    return std::nullopt;
  }

 private:
  struct Bracket {
    char open;
    YamlSpot at;
    size_t indent;  ///< of its line
  };

  /// Whether the line belongs to a block of text.
  bool skips(const YamlLine& line) {
    if (!block_indent_) return false;
    const bool is_inside = line.text.size() == line.indent || line.indent > *block_indent_;
    if (!is_inside) block_indent_.reset();
    return is_inside;
  }

  /// A line with a key is what follows the mistake when a quote is still open, or a bracket of a line that is not
  /// indented less.
  std::optional<YamlMistake> still_open(const YamlLine& line) const {
    if (line.key.empty() && !line.has_dash()) return std::nullopt;
    if (quote_ != 0) return open_quote();
    if (!brackets_.empty() && line.indent <= brackets_.back().indent) return open_bracket();
    return std::nullopt;
  }

  YamlMistake open_quote() const {
    const std::string quote(1, quote_);
    return {"the quote that starts here is not closed", "end the text with " + quote, quote_at_};
  }

  YamlMistake open_bracket() const {
    const Bracket& last = brackets_.back();
    return {std::string("'") + last.open + "' is not closed", std::string("end it with ") + closing(last.open),
            last.at};
  }

  static bool is_closing(char c) { return c == '}' || c == ']'; }
  static char closing(char open) { return open == '{' ? '}' : ']'; }

  /// Goes through one line. A quote or bracket only counts where a value may start: an apostrophe inside a word is
  /// text.
  std::optional<YamlMistake> walk(const YamlLine& line, uint32_t number) {
    bool may_start = true;
    for (size_t i = line.content; i < line.text.size(); ++i) {
      const char c = line.text[i];
      const YamlSpot here{number, static_cast<uint32_t>(i + 1)};
      if (quote_ != 0) {
        if (c == '\\' && quote_ == '"') ++i;
        if (c != quote_) continue;
        if (c == '\'' && line.text.substr(i + 1).starts_with('\'')) {
          ++i;
          continue;
        }
        if (auto found = behind_quote(line, i, here)) return found;
        quote_ = 0;
        may_start = false;
      } else if (is_gap(c)) {
        if (line.text.substr(i + 1).starts_with('#')) return std::nullopt;
      } else if (may_start && (c == '\'' || c == '"')) {
        quote_ = c;
        quote_at_ = here;
      } else if ((may_start || !brackets_.empty()) && (c == '{' || c == '[')) {
        brackets_.push_back({c, here, line.indent});
        may_start = true;
      } else if (!brackets_.empty() && (c == '}' || c == ']')) {
        if (auto found = close(line, i, here)) return found;
        may_start = false;
      } else if (c == '#' && i == line.indent) {
        return std::nullopt;
      } else {
        const bool ends_key = c == ':' && (i + 1 == line.text.size() || is_gap(line.text[i + 1]));
        may_start = (ends_key && (!brackets_.empty() || i == line.content + line.key.size())) ||
                    (c == ',' && !brackets_.empty());
      }
    }
    return std::nullopt;
  }

  /// What may follow a closed quote: a comment, a colon, or what ends an element in brackets.
  std::optional<YamlMistake> behind_quote(const YamlLine& line, size_t i, YamlSpot here) const {
    const std::string_view rest = text::trim(line.text.substr(i + 1));
    const bool is_fine = rest.empty() || rest[0] == '#' || rest[0] == ':' ||
                         (!brackets_.empty() && (rest[0] == ',' || is_closing(rest[0])));
    if (is_fine) return std::nullopt;
    const std::string hint = quote_ == '\'' ? "write '' for an apostrophe inside single quotes, or use double quotes"
                                            : "write \\\" for a quote inside double quotes, or use single quotes";
    return YamlMistake{"the text goes on behind its closing quote", hint, here};
  }

  std::optional<YamlMistake> close(const YamlLine& line, size_t i, YamlSpot here) {
    const Bracket last = brackets_.back();
    if (line.text[i] != closing(last.open)) {
      return YamlMistake{std::string("'") + last.open + "' is closed with '" + line.text[i] + "'",
                         std::string("end it with ") + closing(last.open), last.at};
    }
    brackets_.pop_back();
    const std::string_view rest = text::trim(line.text.substr(i + 1));
    const bool is_inside = !brackets_.empty();
    const bool is_fine =
        rest.empty() || rest[0] == '#' || rest[0] == ':' || (is_inside && (rest[0] == ',' || is_closing(rest[0])));
    if (is_fine) return std::nullopt;
    if (is_closing(rest[0])) return YamlMistake{"there is a closing bracket too many", "remove it", here};
    const bool is_same_line = last.at.line == here.line;
    // The bracket may be in the middle: `${HOME}/.ssh`.
    const size_t start = is_same_line ? line.text.find_last_of(" ,", last.at.column - 1) + 1 : 0;
    std::string_view value = is_same_line ? line.text.substr(start) : rest;
    // `{ path: [Mm]akefile }`: up to what ends this value.
    if (is_inside && is_same_line) value = value.substr(0, value.find_first_of(",}]", i + 1 - start));
    return YamlMistake{std::string("a value that starts with '") + last.open + "' is a " +
                           (last.open == '{' ? "map" : "list") + " in YAML, and this one goes on behind it",
                       "put the whole value in quotes: " + in_yaml_quotes(text::trim(value)), last.at};
  }

  const std::vector<YamlLine>& lines_;
  char quote_ = 0;  ///< the open quote, or 0
  YamlSpot quote_at_;
  std::vector<Bracket> brackets_;
  std::optional<size_t> block_indent_;
};

}  // namespace

std::vector<YamlLine> yaml_lines(std::string_view document) {
  std::vector<YamlLine> out;
  for (const std::string_view line : text::split(document, '\n')) out.push_back(line_of(line));
  return out;
}

std::optional<YamlMistake> find_loose_end(const std::vector<YamlLine>& lines) {
  return LooseEnds(lines).find();
}

bool has_closing_quote(std::string_view document, size_t offset) {
  if (offset >= document.size()) return true;
  const char quote = document[offset];
  if (quote != '\'' && quote != '"') return true;
  for (size_t i = offset + 1; i < document.size(); ++i) {
    if (quote == '"' && document[i] == '\\') {
      ++i;
    } else if (document[i] == quote) {
      const bool is_doubled = quote == '\'' && document.substr(i + 1).starts_with(quote);
      if (!is_doubled) return true;
      ++i;
    }
  }
  return false;
}

bool is_in_brackets(std::string_view text) {
  const auto count = [&](char c) { return std::ranges::count(text, c); };
  return count('{') > count('}') || count('[') > count(']');
}

std::string in_yaml_quotes(std::string_view text) {
  const char quote = text.find('\'') == std::string_view::npos ? '\'' : '"';
  return quote + std::string(text) + quote;
}

std::string_view value_from(std::string_view line, size_t column) {
  std::string_view value = line.substr(column);
  if (is_in_brackets(line.substr(0, column))) value = value.substr(0, value.find_first_of(",}]"));
  return text::trim(value.substr(0, value.find(" #")));
}

}  // namespace grapnel
