#include "shell/syntax_check.h"

#include <algorithm>
#include <string>

namespace grapnel::shell {

namespace {

/// Checks one tree. Each `check_` function returns false if a shell would read the text in another way. It need not be
/// a proof: false only makes the text unclear, so it may be false too often, but never true by mistake.
class Checker {
 public:
  Checker(std::string_view text, const Syntax& syntax) : text_(text), syntax_(syntax) {}

  bool check() const {
    if (text_.contains("$\\\n")) return false;  // a shell joins the lines to one expansion; the grammar does not
    for (int i = 0; i < static_cast<int>(syntax_.nodes.size()); ++i) {
      if (!check_node(i) || !check_gap(i)) return false;
    }
    return true;
  }

 private:
  const Node& node(int at) const { return syntax_.nodes[static_cast<size_t>(at)]; }
  std::string_view source(int at) const { return text_.substr(node(at).begin, node(at).end - node(at).begin); }

  /// Checks where one node ends, by reading its text again with the rules of a shell for this kind.
  bool check_node(int at) const {
    const std::string_view kind = node(at).kind;
    if (kind == "ansi_c_string") return check_ansi(source(at));
    // The first single quote behind the opening one must be the last character.
    if (kind == "raw_string") return source(at).find('\'', 1) == source(at).size() - 1;
    if (kind == "string") return check_string(at);
    if (is_lost_descriptor(at)) return false;
    if (kind == "word") return node(at).first >= 0 || check_word(source(at));
    if (kind == "comment") return check_comment(at);
    if (kind == "heredoc_redirect") return check_here_document(at);
    return true;
  }

  /// Checks the text between a node and its next sibling, which no node covers. It may contain blanks, and line
  /// continuations (a backslash at the end of the line).
  bool check_gap(int at) const {
    const int next = node(at).next;
    if (next < 0 || node(next).begin <= node(at).end) return true;
    std::string_view between = text_.substr(node(at).end, node(next).begin - node(at).end);
    const std::string_view parent = node(node(at).parent).kind;
    const bool is_joined = between.starts_with("\\\n") && between.find_first_not_of("\\\n") == std::string_view::npos;
    if (is_joined && !is_separator(text_[node(at).end - 1]) && !is_separator(text_[node(next).begin])) {
      // Nothing but a line continuation stands between the two, so a shell reads one word where the grammar sees two.
      // `parse` joins the words of a command again; for all other nodes this is too much to repair. A `=` might even
      // turn the joined word into an assignment.
      return !source(next).contains('=') && (parent == "command" || parent == "file_redirect") && is_wordy(at) &&
             is_wordy(next);
    }
    return !is_on_one_line(parent) || has_no_line_end(between);
  }

  /// Characters that end a word in a shell.
  static bool is_separator(char c) { return std::string_view(" \t\n;|&<>()").contains(c); }

  /// Whether `parse` treats the node as a word, or part of one.
  bool is_wordy(int at) const {
    const std::string_view kind = node(at).kind;
    return !kind.ends_with("redirect") && kind != "variable_assignment" && kind != "comment" &&
           kind != "file_descriptor";
  }

  /// Constructs that end at the end of the line. If a line break stands between their parts, the grammar has joined two
  /// commands.
  static bool is_on_one_line(std::string_view kind) {
    return kind == "command" || kind == "declaration_command" || kind == "unset_command" || kind == "file_redirect" ||
           kind == "herestring_redirect" || kind == "variable_assignments" || kind == "redirected_statement" ||
           kind == "variable_assignment" || kind == "negated_command";
  }

  /// A line break behind a backslash does not end the line.
  static bool has_no_line_end(std::string_view between) {
    while (!between.empty()) {
      if (between[0] == '\n') return false;
      between.remove_prefix(between.starts_with("\\\n") ? 2 : 1);
    }
    return true;
  }

  /// In `0<file` the number is the descriptor of the redirection, but the grammar may take it for a word.
  bool is_lost_descriptor(int at) const {
    if (node(at).kind != "number" && node(at).kind != "word") return false;
    const bool is_number = source(at).find_first_not_of("0123456789") == std::string_view::npos;
    return is_number && node(at).end < text_.size() && (text_[node(at).end] == '<' || text_[node(at).end] == '>');
  }

  /// `$'…'`: a backslash protects the next character, so an escaped quote does not end it.
  static bool check_ansi(std::string_view quoted) {
    size_t at = 2;
    while (at < quoted.size() && quoted[at] != '\'') at += quoted[at] == '\\' ? 2 : 1;
    return at + 1 == quoted.size();
  }

  /// `"…"`: the last character is the first quote that is neither escaped nor inside an expansion.
  bool check_string(int string) const {
    const size_t last = node(string).end - 1;
    return text_[last] == '"' && node(string).begin < last && check_expansions(string, node(string).begin + 1, last);
  }

  /// Walks over double-quoted text between two bytes of a node. The text must end exactly at `last`, and the grammar
  /// must have found every expansion in it. Expansions are skipped as a whole, since they are nodes that are checked
  /// themselves.
  bool check_expansions(int parent, size_t at, size_t last) const {
    const bool is_string = node(parent).kind == "string";
    int child = node(parent).first;
    while (at < last) {
      while (child >= 0 && (node(child).end <= at || !text_.substr(node(child).begin).starts_with(opener(child)))) {
        child = node(child).next;
      }
      if (child >= 0 && node(child).begin == at) {
        at = node(child).end;
      } else if ((is_string && text_[at] == '"') || starts_expansion(at)) {
        return false;
      } else {
        at += text_[at] == '\\' ? 2 : 1;
      }
    }
    return at == last;
  }

  /// `$NAME` is not in this list: if the grammar misses it, the word scanner still finds the dollar sign.
  bool starts_expansion(size_t at) const {
    const char next = at + 1 < text_.size() ? text_[at + 1] : '\0';
    return text_[at] == '`' || (text_[at] == '$' && (next == '(' || next == '{' || next == '['));
  }

  /// The text that a child starts with if it is an expansion, and is therefore skipped as a whole. For all other
  /// children a zero byte, which no text has there, so that they are read character by character.
  std::string_view opener(int child) const {
    const std::string_view kind = node(child).kind;
    if (kind == "command_substitution" && text_[node(child).begin] == '`') return "`";
    const bool is_expansion = kind.ends_with("expansion") || kind == "command_substitution";
    return is_expansion ? "$" : std::string_view("\0", 1);
  }

  /// An unquoted word contains no separator and no quote, unless a backslash protects it.
  static bool check_word(std::string_view word) {
    for (size_t at = 0; at < word.size(); ++at) {
      if (word[at] == '\\') {
        ++at;
      } else if (std::string_view(" \t\n;|&<>()'\"`").contains(word[at])) {
        return false;
      }
    }
    return true;
  }

  /// A comment starts behind a blank or an operator and ends with its line. Inside a one-line construct there is none.
  bool check_comment(int at) const {
    const size_t begin = node(at).begin;
    if (is_on_one_line(node(node(at).parent).kind)) return false;
    const bool starts = begin == 0 || std::string_view(" \t\n;|&()`").contains(text_[begin - 1]);
    return starts && source(at).find('\n') == std::string_view::npos;
  }

  /// The body ends at the first line that is the delimiter, and not before or after it.
  bool check_here_document(int at) const {
    std::string delimiter;
    bool strips = false;
    bool is_raw = false;
    bool ends = false;
    for (const int child : syntax_.children(at)) {
      const std::string_view kind = node(child).kind;
      if (!is_on_first_line(child)) return false;
      if (kind == "<<-") strips = true;
      if (kind == "heredoc_start") {
        delimiter = source(child);
        if (node(child).end < text_.size() && !is_separator(text_[node(child).end])) return false;
        // A quoted delimiter switches off expansions in the body; the quotes are not part of the delimiter.
        is_raw = delimiter.find_first_of("'\"\\") != std::string::npos;
        std::erase_if(delimiter, [](char c) { return c == '\'' || c == '"' || c == '\\'; });
      }
      if (kind == "heredoc_body" && has_line(source(child), delimiter, strips)) return false;
      if (kind == "heredoc_body" && !is_raw && !check_expansions(child, node(child).begin, node(child).end))
        return false;
      if (kind == "heredoc_end") ends = is_whole_line(child, delimiter, strips);
    }
    return ends;
  }

  /// Whether what follows the node belongs to the line of the `<<`, or is the body. A body that begins with an escaped
  /// line end seems to be more of that line to the grammar.
  bool is_on_first_line(int at) const {
    const int next = node(at).next;
    if (next < 0 || node(next).begin <= node(at).end || node(next).kind.starts_with("heredoc_")) return true;
    return has_no_line_end(text_.substr(node(at).end, node(next).begin - node(at).end));
  }

  static bool has_line(std::string_view body, std::string_view line, bool strips) {
    while (!body.empty()) {
      const size_t end = std::min(body.find('\n'), body.size());
      if (strip(body.substr(0, end), strips) == line) return true;
      body.remove_prefix(std::min(end + 1, body.size()));
    }
    return false;
  }

  /// `<<-` ignores tabs at the beginning of lines.
  static std::string_view strip(std::string_view line, bool strips) {
    while (strips && line.starts_with('\t')) line.remove_prefix(1);
    return line;
  }

  bool is_whole_line(int at, std::string_view line, bool strips) const {
    const size_t before = text_.rfind('\n', node(at).begin);
    const size_t from = before == std::string_view::npos ? 0 : before + 1;
    const size_t to = std::min(text_.find('\n', from), text_.size());
    return strip(text_.substr(from, to - from), strips) == line;
  }

  std::string_view text_;
  const Syntax& syntax_;
};

}  // namespace

bool agrees_with_shell(std::string_view text, const Syntax& syntax) {
  return Checker(text, syntax).check();
}

}  // namespace grapnel::shell
