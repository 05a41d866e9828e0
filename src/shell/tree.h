#pragma once

#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

#include "shell/parse.h"
#include "shell/syntax.h"
#include "shell/word_scan.h"

/// A text together with its syntax tree, and questions about the two. Nodes are named by their index. The kinds of
/// nodes that matter here are those of the bash grammar of tree-sitter.
namespace grapnel::shell {

bool is_any_of(std::string_view kind, std::initializer_list<std::string_view> kinds);
/// `> file`, `<<< text`, `<< EOF`.
bool is_redirect(std::string_view kind);
/// `$A`, `${A}`, `$(…)`, `<(…)`, `$((…))`: its text is not in the source.
bool is_expansion(std::string_view kind);
/// A word, or part of one.
bool is_literal(std::string_view kind);

/// Borrows the text. Immutable. Thread: any.
class Tree {
 public:
  explicit Tree(std::string_view text) : text_(text), syntax_(read_syntax(text)) {}

  const Syntax& syntax() const { return syntax_; }
  std::string_view text() const { return text_; }
  int size() const { return static_cast<int>(syntax_.nodes.size()); }
  const Node& node(int at) const { return syntax_.nodes[static_cast<size_t>(at)]; }
  std::vector<int> children(int at) const { return syntax_.children(at); }
  /// "" for the parent of the root.
  std::string_view kind(int at) const { return at < 0 ? "" : node(at).kind; }
  std::string_view source(int at) const { return text_.substr(node(at).begin, node(at).end - node(at).begin); }

  /// The bytes from `begin` to `end`, which start in node `at`, together with the expansions in them.
  Span span_of(int at, size_t begin, size_t end) const;
  Span span_of(int at) const { return span_of(at, node(at).begin, node(at).end); }

  /// Whether nothing but line continuations stands between the two offsets, so that a shell reads one word.
  bool is_joined(size_t end, size_t begin) const;

  /// The name and the value at a `variable_assignment` node.
  Assignment read_assignment(int at, const Variables& variables) const;

  /// The variables whose values are known wherever the text uses them: each is assigned exactly once, in a place that
  /// is always reached, and with a value that is known. `known` are those that need no assignment.
  Variables find_variables(const Variables* known = nullptr) const;

 protected:
  /// Tells what the substitution at this node gives; words that contain it are read with that.
  void set_output(int at, Output output) { outputs_.insert_or_assign(node(at).begin, std::move(output)); }

 private:
  /// Whether the assignment is run whenever the text is run: not in a condition, loop, subshell or pipeline.
  bool runs_always(int at) const;
  bool has_hidden_assignments(const Variables& variables) const;
  bool is_used_before(std::string_view name, size_t end) const;

  std::string_view text_;
  Syntax syntax_;
  std::map<size_t, Output> outputs_;  ///< by the offset of the substitution
};

}  // namespace grapnel::shell
