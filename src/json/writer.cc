#include "json/writer.h"

#include <vector>

#include "json/document.h"

namespace grapnel {

namespace {

bool is_container(const JsonNode& node) {
  return node.kind == JsonKind::Array || node.kind == JsonKind::Object;
}

/// Whether the source text of a node can be copied as it is.
bool can_splice(const JsonNode& node, const JsonLayout& layout) {
  return layout.style == JsonStyle::Compact ? is_compact(node) : !is_container(node);
}

/// Walks over a subtree of the tape and writes it. `open_` has the containers whose closing bracket is still to come,
/// so nesting needs no recursion.
class Writer {
 public:
  Writer(std::string& out, const JsonDocument& document, const JsonLayout& layout)
      : out_(out), document_(document), layout_(layout) {}

  void write(uint32_t root);

 private:
  uint32_t write_node(uint32_t at);
  void close_finished(uint32_t at);
  void begin_item(uint32_t& at);
  void break_line();

  bool is_object(uint32_t index) const { return document_.node(index).kind == JsonKind::Object; }

  std::string& out_;
  const JsonDocument& document_;
  const JsonLayout& layout_;
  std::vector<uint32_t> open_;
};

/// One item in each round, until the root is closed.
void Writer::write(uint32_t root) {
  uint32_t at = write_node(root);
  while (!open_.empty()) {
    const bool first = at == open_.back() + 1;
    if (!first) out_ += layout_.style == JsonStyle::Spaced ? ", " : ",";
    begin_item(at);
    at = write_node(at);
    close_finished(at);
  }
}

/// Writes a value completely, or only the opening bracket if it is a container that must be written anew. Returns the
/// node to continue with.
uint32_t Writer::write_node(uint32_t at) {
  const JsonNode& node = document_.node(at);
  const bool empty = node.next == at + 1;
  if (can_splice(node, layout_)) {
    out_ += document_.raw(at);
  } else if (empty) {
    out_ += is_object(at) ? "{}" : "[]";
  } else {
    out_ += is_object(at) ? '{' : '[';
    open_.push_back(at);
    return at + 1;
  }
  return node.next;
}

/// Closes all containers that end before node `at`.
void Writer::close_finished(uint32_t at) {
  while (!open_.empty() && document_.node(open_.back()).next == at) {
    const bool object = is_object(open_.back());
    open_.pop_back();
    break_line();
    out_ += object ? '}' : ']';
  }
}

/// Starts the line of an item and writes its key; moves on to its value.
void Writer::begin_item(uint32_t& at) {
  break_line();
  if (!is_object(open_.back())) return;
  out_ += document_.raw(at++);
  out_ += layout_.style == JsonStyle::Compact ? ":" : ": ";
}

/// A line break and the indentation of the current level, in the style `Pretty` only.
void Writer::break_line() {
  if (layout_.style != JsonStyle::Pretty) return;
  out_ += layout_.newline;
  out_ += layout_.indent;
  for (size_t i = 0; i < open_.size(); ++i) out_ += layout_.unit;
}

}  // namespace

bool is_compact(const JsonNode& node) {
  return node.plain || !is_container(node);
}

void append_json(std::string& out, const Json& value, const JsonLayout& layout) {
  const JsonDocument* const document = JsonDocument::of(value);
  if (document == nullptr) {
    out += "null";
    return;
  }
  append_json(out, *document, JsonDocument::node_of(value), layout);
}

void append_json(std::string& out, const JsonDocument& document, uint32_t node, const JsonLayout& layout) {
  const std::string_view raw = document.raw(node);
  if (can_splice(document.node(node), layout)) {
    out += raw;
    return;
  }
  // An estimate: compact text is shorter than its source, spaced text a little longer.
  out.reserve(out.size() + raw.size());
  Writer(out, document, layout).write(node);
}

}  // namespace grapnel
