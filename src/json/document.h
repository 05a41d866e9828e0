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
/// Nothing is decoded when reading: a string is unescaped and a number converted when somebody asks for it.
///
/// reader.h  text → tape, validating; the only place that sees unchecked text
/// writer.h  tape → text in a style, splicing raw slices
/// value.cc, build.cc, equal.cc  the public class `Json`: looking up, making changed copies, comparing
/// edit.h    changes to settings files that keep every other byte
///
/// Everything walks the tape in loops, never by recursion on the depth of the input. Thread: any; all is immutable.
namespace grapnel {

/// One value, or the key of a member (a String).
struct JsonNode {
  uint32_t begin = 0;  ///< first byte in the text
  uint32_t end = 0;    ///< after the last byte
  uint32_t next = 0;   ///< the node after this subtree
  JsonKind kind = JsonKind::Null;
  bool plain = true;  ///< string: has no escapes; container: no white space, comment or trailing comma outside strings
};

/// Text and tape of one document. The root is node 0.
class JsonDocument {
 public:
  JsonDocument(std::string text, std::vector<JsonNode> nodes)
      : text_(std::move(text)), nodes_(std::move(nodes)), tape_(nodes_.data()) {}
  /// Of one scalar.
  JsonDocument(std::string text, const JsonNode& scalar) : text_(std::move(text)), scalar_(scalar), tape_(&scalar_) {}
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  /// Reads text of our own spelling, which is valid and may be nested as deeply as its parts were.
  static Json adopt(std::string text);
  /// A document of one scalar, whose text is known to be valid.
  static Json adopt_scalar(std::string text, JsonKind kind, bool plain = true);

  /// The document behind a value, or null for a missing one, and the value's node.
  static const JsonDocument* of(const Json& value) { return value.document_.get(); }
  static uint32_t node_of(const Json& value) { return value.node_; }
  /// Another node of the document behind a value.
  static Json at_node(const Json& value, uint32_t node) { return {value.document_, node}; }
  /// What `raw` shows, to keep: not a copy where the value is all of its document.
  static std::shared_ptr<const std::string> shared_raw(const Json& value);

  std::string_view text() const { return text_; }
  const JsonNode& node(uint32_t index) const { return tape_[index]; }
  std::string_view raw(uint32_t index) const {
    return {text_.data() + tape_[index].begin, tape_[index].end - tape_[index].begin};
  }
  /// What stands between the quotes of a string node.
  std::string_view string_body(uint32_t index) const {
    return {text_.data() + tape_[index].begin + 1, tape_[index].end - tape_[index].begin - 2};
  }
  /// `string_equals` for those who ask many times: most keys differ in length or in their first letter.
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

  /// The value of the last member of that name, or 0 (the root is nobody's member).
  uint32_t find_member(uint32_t object, std::string_view key) const;
  /// The element at that place, or 0.
  uint32_t find_element(uint32_t array, size_t index) const;

 private:
  std::string text_;
  JsonNode scalar_;  ///< the tape of a scalar, which needs no other
  std::vector<JsonNode> nodes_;
  const JsonNode* tape_;
};

}  // namespace grapnel
