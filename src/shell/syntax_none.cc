#include "shell/syntax.h"

/// Used instead of syntax.cc if the build has no tree-sitter grammar. The tree is then empty and not whole, so every
/// text that the fast path cannot split is unclear.
namespace grapnel::shell {

bool has_grammar() {
  return false;
}

Syntax read_syntax(std::string_view) {
  return {};
}

}  // namespace grapnel::shell
