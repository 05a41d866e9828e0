#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// The syntax tree of a text, as flat nodes in source order. The only place that knows the grammar's library.
namespace grapnel::shell {

/// One node. `kind` is the grammar's name (`command`, `pipeline`) or, for punctuation, the text itself.
struct Node {
  std::string_view kind;
  uint32_t begin = 0;
  uint32_t end = 0;
  int parent = -1;
  int first = -1;  ///< first child
  int next = -1;   ///< next sibling
};

struct Syntax {
  std::vector<Node> nodes;  ///< a parent comes before its children; the first is the root
  bool is_whole = false;    ///< no mistakes, nothing too deep

  /// The children of node `at`.
  std::vector<int> children(int at) const {
    std::vector<int> out;
    for (int i = nodes[static_cast<size_t>(at)].first; i >= 0; i = nodes[static_cast<size_t>(i)].next) out.push_back(i);
    return out;
  }
};

/// The tree of `text`. Without a grammar in this build it has no nodes and is not whole.
Syntax read_syntax(std::string_view text);

}  // namespace grapnel::shell
