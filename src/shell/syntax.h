#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// The syntax tree of a text, as a flat list of nodes in source order. syntax.cc is the only place that knows the
/// library of the grammar (tree-sitter); everything else works with this copy. If the build has no grammar,
/// syntax_none.cc takes its place.
namespace grapnel::shell {

/// One node. `kind` is the name that the grammar gives it (`command`, `pipeline`), or the text itself for punctuation.
/// All links are indices into `Syntax::nodes`, and -1 means none.
struct Node {
  std::string_view kind;
  uint32_t begin = 0;
  uint32_t end = 0;
  int parent = -1;
  int first = -1;  ///< first child
  int next = -1;   ///< next sibling
};

/// The tree of one text. It borrows nothing: the kinds are names in the tables of the grammar.
struct Syntax {
  std::vector<Node> nodes;  ///< a parent comes before its children; the first is the root
  bool is_whole = false;    ///< the grammar understood all of it, and nothing was nested too deeply

  /// The children of node `at`.
  std::vector<int> children(int at) const {
    std::vector<int> out;
    for (int i = nodes[static_cast<size_t>(at)].first; i >= 0; i = nodes[static_cast<size_t>(i)].next) out.push_back(i);
    return out;
  }
};

/// Whether this build has the grammar. Without it, only texts of plain words are understood.
bool has_grammar();

/// The tree of `text`. If there is no grammar, or the text takes too long to parse or opens too many
/// brackets, it has no nodes and is not whole.
Syntax read_syntax(std::string_view text);

}  // namespace grapnel::shell
