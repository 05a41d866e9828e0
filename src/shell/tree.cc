#include "shell/tree.h"

#include <algorithm>
#include <set>
#include <string>

namespace grapnel::shell {

bool is_any_of(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool is_redirect(std::string_view kind) {
  return is_any_of(kind, {"file_redirect", "herestring_redirect", "heredoc_redirect"});
}

bool is_expansion(std::string_view kind) {
  return is_any_of(
      kind, {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"});
}

bool is_literal(std::string_view kind) {
  return is_expansion(kind) || is_any_of(kind, {"word", "string", "raw_string", "ansi_c_string", "translated_string",
                                                "number", "concatenation", "brace_expression", "extglob_pattern"});
}

Span Tree::span_of(int at, size_t begin, size_t end) const {
  Span span{text_, begin, end, {}};
  // Nodes are in source order, parents first. `covered` skips expansions inside an expansion that is listed already.
  size_t covered = 0;
  for (size_t i = static_cast<size_t>(at); i < syntax_.nodes.size() && syntax_.nodes[i].begin < end; ++i) {
    const Node& n = syntax_.nodes[i];
    if (n.begin < begin || n.begin < covered || !is_expansion(n.kind) || n.end > end) continue;
    const bool is_variable = n.kind == "simple_expansion" || n.kind == "expansion";
    const auto output = n.kind == "command_substitution" ? outputs_.find(n.begin) : outputs_.end();
    span.holes.push_back({n.begin, n.end, is_variable, is_variable || n.kind == "command_substitution",
                          output == outputs_.end() ? nullptr : &output->second});
    covered = n.end;
  }
  return span;
}

bool Tree::is_joined(size_t end, size_t begin) const {
  std::string_view between = text_.substr(end, begin - end);
  // A shell removes a backslash at the end of a line together with the line break.
  while (between.starts_with("\\\n")) between.remove_prefix(2);
  return between.empty();
}

Assignment Tree::read_assignment(int at, const Variables& variables) const {
  Assignment out;
  const std::vector<int> parts = children(at);
  if (parts.empty()) return out;
  out.name = source(parts.front());
  // The parts are the name, the operator and the value. The value reaches to the end of the node, because the grammar
  // may split it.
  if (parts.size() > 2) out.value = scan_value(span_of(parts[2], node(parts[2]).begin, node(at).end), variables);
  return out;
}

bool Tree::runs_always(int at) const {
  for (int parent = node(at).parent; parent >= 0; at = parent, parent = node(parent).parent) {
    // Only parents that do not decide anything may be passed on the way up. The first command of `a && b` always runs.
    if (kind(parent) == "program") return true;
    const bool is_first = node(parent).first == at;
    if (kind(parent) == "variable_assignments" || (kind(parent) == "list" && is_first)) continue;
    if (kind(parent) == "declaration_command" && source(node(parent).first) == "export") continue;
    return false;
  }
  return false;
}

/// Whether a command may change variables in a way that the tree does not show: `read`, `eval`, `source`, or a command
/// whose name is not known. Then no variable can be relied on.
bool Tree::has_hidden_assignments(const Variables& variables) const {
  for (int i = 0; i < size(); ++i) {
    if (kind(i) == "declaration_command" && source(node(i).first) != "export") return true;
    if (kind(i) != "command_name" || source(i).starts_with("((")) continue;
    const std::vector<Word> words = scan_words(span_of(i), variables);
    if (words.empty() || words[0].is_dynamic() ||
        is_any_of(base_name(words[0].text), {"read", "eval", "source", ".", "printf", "mapfile", "readarray", "let",
                                             "getopts", "unset", "wait", "builtin", "command", "alias",
                                             // Spelled so that the grammar does not know them: `\\export A=1`.
                                             "export", "declare", "typeset", "readonly", "local", "trap"})) {
      return true;
    }
  }
  return false;
}

/// A use in front of the assignment sees the value from the environment, which is not known.
bool Tree::is_used_before(std::string_view name, size_t end) const {
  for (int i = 0; i < size() && node(i).begin < end; ++i) {
    if (kind(i) == "variable_name" && is_expansion(kind(node(i).parent)) && source(i) == name) return true;
  }
  return false;
}

/// The name in `name[index]`.
static std::string_view base_of(std::string_view name) {
  return name.substr(0, name.find('['));
}

/// In two passes: first count the assignments to each name, wherever they are, and collect those that always run. Then
/// read the values of these, in source order, so that a value may use variables that were assigned before it.
Variables Tree::find_variables(const Variables* known) const {
  Variables variables;
  std::multiset<std::string_view> seen;
  std::vector<int> certain;
  for (int i = 0; i < size(); ++i) {
    const bool assigns = kind(i) == "variable_assignment" && node(i).first >= 0;
    if (assigns) seen.insert(base_of(source(node(i).first)));
    // `x[0]=a` is also an assignment to `$x`, and `${x:=a}` is one.
    const bool is_element = assigns && source(node(i).first).contains('[');
    if (is_element) seen.insert(base_of(source(node(i).first)));
    const size_t sets = kind(i) == "expansion" ? source(i).find('=') : std::string_view::npos;
    if (sets != std::string_view::npos) {
      const std::string_view name = source(i).substr(2, source(i).find_first_of(":=") - 2);
      seen.insert({name, name});
    }
    if (kind(i) == "variable_name" && is_any_of(kind(node(i).parent), {"for_statement", "unset_command"})) {
      // Twice, so that the variable never counts as assigned exactly once.
      seen.insert({source(i), source(i)});
    }
    if (assigns && runs_always(i)) certain.push_back(i);
  }
  if (known != nullptr) {
    for (const auto& [name, value] : *known) {
      if (!seen.contains(name)) variables[name] = value;
    }
  }
  for (const int at : certain) {
    const Assignment assignment = read_assignment(at, variables);
    const std::vector<int> parts = children(at);
    // `A+=x` and `A=(x y)` are no plain assignments.
    const bool is_plain = parts.size() > 1 && source(parts[1]) == "=" && !source(at).contains("=(");
    if (!is_plain || seen.count(assignment.name) != 1 || assignment.value.is_dynamic()) continue;
    if (!is_used_before(assignment.name, node(at).end)) variables[assignment.name] = assignment.value.text;
  }
  // With other separators that are not known, nobody can tell what the words are.
  if (seen.contains("IFS") && !variables.contains("IFS")) return {};
  return variables.empty() || has_hidden_assignments(variables) ? Variables{} : variables;
}

}  // namespace grapnel::shell
