#include "shell/syntax.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <memory>

#include <tree_sitter/api.h>

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace grapnel::shell {

namespace {

/// Deeper nodes are left out, and the tree is not whole.
constexpr int kMaxDepth = 200;
/// Ambiguous text can make the parser slow, and such text is treated as not understood. The limit is CPU time of this
/// thread: how busy the machine is must not change what a text means.
constexpr auto kMaxTime = std::chrono::milliseconds(500);
/// The parser itself can only measure wall-clock time. So it is interrupted this often, and asked to go on if the
/// thread has CPU time left.
constexpr uint64_t kSliceMicroseconds = 100'000;

/// The parser's library damages memory if more than about 30,000 brackets or compound commands are open at once. A text
/// that opens this many is not parsed.
constexpr size_t kMaxOpen = 2000;

/// How many brackets of each kind, and how many compound commands, are open at most. Quotes are ignored, so this may be
/// more than a shell would count, and never less.
bool opens_too_much(std::string_view text) {
  constexpr std::string_view kOpening = "({[";
  constexpr std::string_view kClosing = ")}]";
  constexpr std::string_view kBegins[] = {"case", "if", "for", "while", "until", "select"};
  constexpr std::string_view kEnds[] = {"esac", "fi", "done"};
  if (text.size() <= kMaxOpen) return false;
  std::array<size_t, kOpening.size()> open{};
  size_t commands = 0;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (size_t at = 0; at < text.size(); ++at) {
    if (const size_t kind = kOpening.find(text[at]); kind != std::string_view::npos) ++open[kind];
    if (const size_t kind = kClosing.find(text[at]); kind != std::string_view::npos && open[kind] > 0) --open[kind];
    if (is_letter(text[at]) && (at == 0 || !is_letter(text[at - 1]))) {
      size_t end = at;
      while (end < text.size() && is_letter(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      if (std::ranges::find(kBegins, word) != std::end(kBegins)) ++commands;
      if (std::ranges::find(kEnds, word) != std::end(kEnds) && commands > 0) --commands;
    }
    if (open[0] + open[1] + open[2] + commands > kMaxOpen) return true;
  }
  return false;
}

struct Deleter {
  void operator()(TSParser* p) const { ts_parser_delete(p); }
  void operator()(TSTree* t) const { ts_tree_delete(t); }
};

/// Copies the tree with a cursor and without recursion, so that deeply nested input cannot exhaust the stack.
class Copier {
 public:
  explicit Copier(const TSTree* tree) : cursor_(ts_tree_cursor_new(ts_tree_root_node(tree))) {
    out_.is_whole = !ts_node_has_error(ts_tree_root_node(tree));
  }
  ~Copier() { ts_tree_cursor_delete(&cursor_); }
  Copier(const Copier&) = delete;
  Copier& operator=(const Copier&) = delete;

  Syntax copy() {
    // Depth first: down while there are children, then to the next sibling, or up until there is one.
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
  /// Copies the node under the cursor, and links it to its parent, or to the sibling before it. Returns its index.
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

/// The CPU time that this thread has used.
std::chrono::nanoseconds own_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Parses the text; null if that takes too long.
std::unique_ptr<TSTree, Deleter> parse(TSParser* parser, std::string_view text) {
  ts_parser_set_timeout_micros(parser, kSliceMicroseconds);
  for (const auto begin = own_time();;) {
    // If the parser was interrupted, the same call goes on where it stopped.
    TSTree* tree = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<uint32_t>(text.size()));
    if (tree != nullptr || own_time() - begin > kMaxTime) return std::unique_ptr<TSTree, Deleter>(tree);
  }
}

}  // namespace

bool has_grammar() {
  return true;
}

Syntax read_syntax(std::string_view text) {
  if (opens_too_much(text)) return {};
  const std::unique_ptr<TSParser, Deleter> parser(ts_parser_new());
  if (!ts_parser_set_language(parser.get(), tree_sitter_bash())) return {};
  const std::unique_ptr<TSTree, Deleter> tree = parse(parser.get(), text);
  if (!tree) return {};
  return Copier(tree.get()).copy();
}

}  // namespace grapnel::shell
