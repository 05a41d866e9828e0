#include "shell/syntax.h"

#include <memory>

#include <tree_sitter/api.h>

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace grapnel::shell {

namespace {

constexpr int kMaxDepth = 200;
/// Ambiguous text can make the parser slow; such text counts as not understood.
constexpr uint64_t kMaxMicroseconds = 500'000;

struct Deleter {
  void operator()(TSParser* p) const { ts_parser_delete(p); }
  void operator()(TSTree* t) const { ts_tree_delete(t); }
};

/// Copies the tree, walking with a cursor: recursion depth must not depend on the input.
class Copier {
 public:
  explicit Copier(const TSTree* tree) : cursor_(ts_tree_cursor_new(ts_tree_root_node(tree))) {
    out_.is_whole = !ts_node_has_error(ts_tree_root_node(tree));
  }
  ~Copier() { ts_tree_cursor_delete(&cursor_); }
  Copier(const Copier&) = delete;
  Copier& operator=(const Copier&) = delete;

  Syntax copy() {
    int at = add(-1, -1);
    for (int depth = 0;;) {
      if (depth < kMaxDepth && ts_tree_cursor_goto_first_child(&cursor_)) {
        ++depth;
        at = add(at, -1);
        continue;
      }
      if (depth == kMaxDepth && ts_node_child_count(ts_tree_cursor_current_node(&cursor_)) > 0) out_.is_whole = false;
      while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor_)) {
        ts_tree_cursor_goto_parent(&cursor_);
        at = out_.nodes[static_cast<size_t>(at)].parent;
        --depth;
      }
      if (depth == 0) return std::move(out_);
      at = add(out_.nodes[static_cast<size_t>(at)].parent, at);
    }
  }

 private:
  int add(int parent, int previous) {
    const TSNode node = ts_tree_cursor_current_node(&cursor_);
    const int at = static_cast<int>(out_.nodes.size());
    out_.nodes.push_back({ts_node_type(node), ts_node_start_byte(node), ts_node_end_byte(node), parent, -1, -1});
    if (previous >= 0) {
      out_.nodes[static_cast<size_t>(previous)].next = at;
    } else if (parent >= 0) {
      out_.nodes[static_cast<size_t>(parent)].first = at;
    }
    return at;
  }

  TSTreeCursor cursor_;
  Syntax out_;
};

}  // namespace

Syntax read_syntax(std::string_view text) {
  const std::unique_ptr<TSParser, Deleter> parser(ts_parser_new());
  ts_parser_set_timeout_micros(parser.get(), kMaxMicroseconds);
  if (!ts_parser_set_language(parser.get(), tree_sitter_bash())) return {};
  const std::unique_ptr<TSTree, Deleter> tree(
      ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<uint32_t>(text.size())));
  if (!tree) return {};
  return Copier(tree.get()).copy();
}

}  // namespace grapnel::shell
