#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// JSON as text plus a tape.
///
/// A document owns its text, unchanged, and a flat vector of nodes in the order of the text:
///
///     {"a": [1, "x"]}      0 Object  1 key "a"  2 Array  3 Number  4 String
///
/// A node says where its value begins and ends in the text and which node follows its subtree (`next`). The members of
/// an object are a key node and then the value's nodes; the first child of a container is always the node after it.
/// Reading decodes nothing: a string is unescaped and a number converted when somebody asks for it.
///
/// reader.h  text → tape, validating; the only place that sees unchecked text
/// writer.h  tape → text in a style, splicing raw slices
/// value.cc, build.cc, equal.cc  the public class `Json`: looking up, making changed copies, comparing
/// edit.h    changes to settings files that keep every other byte
///
/// All code walks the tape in loops and never recurses on the depth of the input, so that deeply nested text cannot
/// overflow the stack. Thread: any; documents are immutable.
namespace grapnel {

/// One value, or the key of a member (a String).
struct JsonNode {
  uint32_t begin = 0;  ///< first byte in the text
  uint32_t end = 0;    ///< after the last byte
  uint32_t next = 0;   ///< the node after this subtree
  JsonKind kind = JsonKind::Null;
  /// A string is plain if it has no escapes. A container is plain if it has no white space, comment or trailing comma
  /// outside of strings; its text is then its compact spelling.
  bool plain = true;
};

/// Text and tape of one document. The root is node 0.
class JsonDocument {
 public:
  JsonDocument(std::string text, std::vector<JsonNode> nodes)
      : text_(std::move(text)), nodes_(std::move(nodes)), tape_(nodes_.data()) {}
  /// A document of one scalar. Its tape is a member, which saves an allocation.
  JsonDocument(std::string text, const JsonNode& scalar) : text_(std::move(text)), scalar_(scalar), tape_(&scalar_) {}
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  /// Reads a text that this library has put together. It is valid, and may be nested as deeply as its parts were.
  static Json adopt(std::string text);
  /// A document of one scalar, whose text is known to be valid.
  static Json adopt_scalar(std::string text, JsonKind kind, bool plain = true);

  /// The document behind a value, or null for a missing one, and the value's node.
  static const JsonDocument* of(const Json& value) { return value.document_.get(); }
  static uint32_t node_of(const Json& value) { return value.node_; }
  /// Another node of the document behind a value.
  static Json at_node(const Json& value, uint32_t node) { return {value.document_, node}; }
  /// A copy of `raw()` that outlives the value. It is shared instead of copied if the value is the whole document.
  static std::shared_ptr<const std::string> shared_raw(const Json& value);

  std::string_view text() const { return text_; }
  const JsonNode& node(uint32_t index) const { return tape_[index]; }
  std::string_view raw(uint32_t index) const {
    return {text_.data() + tape_[index].begin, tape_[index].end - tape_[index].begin};
  }
  /// The text between the quotes of a string node, with its escapes.
  std::string_view string_body(uint32_t index) const {
    return {text_.data() + tape_[index].begin + 1, tape_[index].end - tape_[index].begin - 2};
  }
  /// A faster `string_equals` for loops over many keys: most keys differ in length or in the first letter.
  bool is_key(uint32_t index, std::string_view key) const {
    const JsonNode& node = tape_[index];
    if (!node.plain) return string_equals(index, key);
    if (node.end - node.begin != key.size() + 2) return false;
    const char* body = text_.data() + node.begin + 1;
    // An empty view may have no data at all, which memcmp must not get.
    return key.empty() || (*body == key.front() && std::memcmp(body, key.data(), key.size()) == 0);
  }
  std::string string(uint32_t index) const;
  bool string_equals(uint32_t index, std::string_view value) const;

  /// The value of the last member with that key, or 0. The root is node 0 and never a member, so 0 is free.
  uint32_t find_member(uint32_t object, std::string_view key) const;
  /// The element at that index, or 0.
  uint32_t find_element(uint32_t array, size_t index) const;

 private:
  std::string text_;
  JsonNode scalar_;  ///< the tape of a document that is one scalar
  std::vector<JsonNode> nodes_;
  const JsonNode* tape_;
};

}  // namespace grapnel
