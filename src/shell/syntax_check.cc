#include "shell/syntax_check.h"

#include <algorithm>
#include <string>

namespace grapnel::shell {

namespace {

class Checker {
 public:
  Checker(std::string_view text, const Syntax& syntax) : text_(text), syntax_(syntax) {}

  bool check() const {
    if (text_.contains("$\\\n")) return false;  // an expansion in two lines
    for (int i = 0; i < static_cast<int>(syntax_.nodes.size()); ++i) {
      if (!check_node(i) || !check_gap(i)) return false;
    }
    return true;
  }

 private:
  const Node& node(int at) const { return syntax_.nodes[static_cast<size_t>(at)]; }
  std::string_view source(int at) const { return text_.substr(node(at).begin, node(at).end - node(at).begin); }

  bool check_node(int at) const {
    const std::string_view kind = node(at).kind;
    if (kind == "ansi_c_string") return check_ansi(source(at));
    if (kind == "raw_string") return source(at).find('\'', 1) == source(at).size() - 1;
    if (kind == "string") return check_string(at);
    if (is_lost_descriptor(at)) return false;
    if (kind == "word") return node(at).first >= 0 || check_word(source(at));
    if (kind == "comment") return check_comment(at);
    if (kind == "heredoc_redirect") return check_here_document(at);
    return true;
  }

  /// What stands between a node and its next sibling.
  bool check_gap(int at) const {
    const int next = node(at).next;
    if (next < 0 || node(next).begin <= node(at).end) return true;
    std::string_view between = text_.substr(node(at).end, node(next).begin - node(at).end);
    const std::string_view parent = node(node(at).parent).kind;
    const bool is_joined = between.starts_with("\\\n") && between.find_first_not_of("\\\n") == std::string_view::npos;
    if (is_joined && !is_separator(text_[node(at).end - 1]) && !is_separator(text_[node(next).begin])) {
      // `parse` joins the words of one command; any other two nodes are one word to a shell and two to the grammar.
      // A `=` may even make an assignment of it.
      return !source(next).contains('=') && (parent == "command" || parent == "file_redirect") && is_wordy(at) &&
             is_wordy(next);
    }
    return !is_on_one_line(parent) || has_no_line_end(between);
  }

  static bool is_separator(char c) { return std::string_view(" \t\n;|&<>()").contains(c); }

  bool is_wordy(int at) const {
    const std::string_view kind = node(at).kind;
    return !kind.ends_with("redirect") && kind != "variable_assignment" && kind != "comment" &&
           kind != "file_descriptor";
  }

  static bool is_on_one_line(std::string_view kind) {
    return kind == "command" || kind == "declaration_command" || kind == "unset_command" || kind == "file_redirect" ||
           kind == "herestring_redirect" || kind == "variable_assignments" || kind == "redirected_statement" ||
           kind == "variable_assignment" || kind == "negated_command";
  }

  static bool has_no_line_end(std::string_view between) {
    while (!between.empty()) {
      if (between[0] == '\n') return false;
      between.remove_prefix(between.starts_with("\\\n") ? 2 : 1);
    }
    return true;
  }

  /// `0<file` with the number taken for a word.
  bool is_lost_descriptor(int at) const {
    if (node(at).kind != "number" && node(at).kind != "word") return false;
    const bool is_number = source(at).find_first_not_of("0123456789") == std::string_view::npos;
    return is_number && node(at).end < text_.size() && (text_[node(at).end] == '<' || text_[node(at).end] == '>');
  }

  static bool check_ansi(std::string_view quoted) {
    size_t at = 2;
    while (at < quoted.size() && quoted[at] != '\'') at += quoted[at] == '\\' ? 2 : 1;
    return at + 1 == quoted.size();
  }

  bool check_string(int string) const {
    const size_t last = node(string).end - 1;
    return text_[last] == '"' && node(string).begin < last && check_expansions(string, node(string).begin + 1, last);
  }

  /// Double-quoted text between two bytes of a node: it ends there, and the grammar saw every expansion in it.
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

  bool starts_expansion(size_t at) const {
    const char next = at + 1 < text_.size() ? text_[at + 1] : '\0';
    return text_[at] == '`' || (text_[at] == '$' && (next == '(' || next == '{' || next == '['));
  }

  /// How a child that is skipped as a whole starts; a text of its own for what is read character by character.
  std::string_view opener(int child) const {
    const std::string_view kind = node(child).kind;
    if (kind == "command_substitution" && text_[node(child).begin] == '`') return "`";
    const bool is_expansion = kind.ends_with("expansion") || kind == "command_substitution";
    return is_expansion ? "$" : std::string_view("\0", 1);
  }

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

  bool check_comment(int at) const {
    const size_t begin = node(at).begin;
    if (is_on_one_line(node(node(at).parent).kind)) return false;
    const bool starts = begin == 0 || std::string_view(" \t\n;|&()`").contains(text_[begin - 1]);
    return starts && source(at).find('\n') == std::string_view::npos;
  }

  bool check_here_document(int at) const {
    std::string delimiter;
    bool strips = false;
    bool is_raw = false;
    bool ends = false;
    for (const int child : syntax_.children(at)) {
      const std::string_view kind = node(child).kind;
      if (kind == "<<-") strips = true;
      if (kind == "heredoc_start") {
        delimiter = source(child);
        if (node(child).end < text_.size() && !is_separator(text_[node(child).end])) return false;
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

  static bool has_line(std::string_view body, std::string_view line, bool strips) {
    while (!body.empty()) {
      const size_t end = std::min(body.find('\n'), body.size());
      if (strip(body.substr(0, end), strips) == line) return true;
      body.remove_prefix(std::min(end + 1, body.size()));
    }
    return false;
  }

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
