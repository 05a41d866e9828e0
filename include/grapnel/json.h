#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grapnel/error.h"

/// JSON values. Payloads, tool inputs and settings are all of type `Json`.
///
///   const Json call = *Json::parse(R"({"tool_name": "Bash", "tool_input": {"command": "ls"}})");
///   call["tool_input"]["command"].as_string();        // "ls"
///   call["no"]["such"]["member"].is_missing();        // true: lookups never fail
///   const Json longer = call.with_pointer("/tool_input/command", Json::string("ls -l"));
///   longer.dump();                                    // everything else is copied byte for byte
///
/// Values never change; `with`, `without` and `merged` return changed copies.
namespace grapnel {

/// The text and the parsed nodes behind `Json` values; internal to the library.
class JsonDocument;

/// How to read JSON text.
struct JsonReadOptions {
  /// Accepts `//` and `/* */` comments and trailing commas, which many settings files contain.
  bool comments = false;
  /// Limit: how deeply arrays and objects may be nested.
  uint32_t max_depth = 256;
  /// Limit: the length of the text.
  size_t max_bytes = size_t{1} << 31;
};

/// How to write JSON text.
///
/// `Compact` is `{"a":1,"b":[2]}`. `Spaced` is `{"a": 1, "b": [2]}`, the spelling that scripts usually grep for.
/// `Pretty` puts members and elements on indented lines of their own.
enum class JsonStyle : uint8_t { Compact, Spaced, Pretty };

/// The type of a value. `Missing` is no JSON type: it is the result of looking up something that does not exist.
enum class JsonKind : uint8_t { Missing, Null, Bool, Number, String, Array, Object };

/// An immutable JSON value: a view of one node in a shared, immutable document.
///
/// `parse` validates the text once and keeps it. Numbers, strings and whole subtrees are passed on as the bytes they
/// were read from, so copying a value into another document copies its text and keeps its spelling (`1.0` stays `1.0`).
///
/// Looking up something that does not exist returns a *missing* value, which is not the same as null. Every lookup on a
/// missing value is missing too, so a chain of lookups needs only one check at its end. If an object has the same key
/// twice, the last member is the one that lookups find.
///
/// Owns: a share of the document. Copying a `Json` costs one reference count, and a small piece keeps the whole text
/// alive. Thread: any; values are immutable.
class Json {
 public:
  class Members;
  class Elements;

  /// A missing value.
  Json() = default;

  static Json null();
  static Json boolean(bool value);
  static Json number(int64_t value);
  /// Infinity and NaN, for which JSON has no spelling, become null.
  static Json number(double value);
  /// Each sequence of bytes that is not valid UTF-8 is replaced by U+FFFD.
  static Json string(std::string_view value);

  /// An object with the members in the given order. Members whose value is missing are left out, so optional members
  /// need no `if`.
  static Json object(std::initializer_list<std::pair<std::string_view, Json>> members = {});
  static Json object(const std::vector<std::pair<std::string, Json>>& members);
  /// An array of the elements. A missing element becomes null, so that the others keep their index.
  static Json array(const std::vector<Json>& elements = {});

  /// Reads a text that contains exactly one JSON value.
  /// Fails: BadInput or LimitExceeded, with line and column; the file name of the position is left empty.
  static Result<Json> parse(std::string text, const JsonReadOptions& options = {});

  /// The type of the value; the `is_…` functions below ask for one type. `if (json)` asks whether it exists at all.
  JsonKind kind() const;
  bool is_missing() const { return kind() == JsonKind::Missing; }
  explicit operator bool() const { return kind() != JsonKind::Missing; }
  bool is_null() const { return kind() == JsonKind::Null; }
  bool is_string() const { return kind() == JsonKind::String; }
  bool is_object() const { return kind() == JsonKind::Object; }
  bool is_array() const { return kind() == JsonKind::Array; }

  /// The C++ value, or nothing if the JSON value has another type. Nothing is converted: `"1"` is no number.
  std::optional<bool> as_bool() const;
  /// Nothing if the number is too large for a double.
  std::optional<double> as_number() const;
  /// Only whole numbers that fit into 64 bits; `2.0` is whole.
  std::optional<int64_t> as_integer() const;
  /// The text without escapes; lone surrogates become U+FFFD.
  std::optional<std::string> as_string() const;

  /// Whether this is a string equal to `text`. Unlike `as_string() == text` it makes no copy.
  bool equals_string(std::string_view text) const;

  /// The member of this object with that key, or missing.
  Json operator[](std::string_view key) const;
  Json operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  /// The element of this array at that index, or missing.
  Json at(size_t index) const;
  /// The value at a JSON Pointer (RFC 6901), or missing. `""` is the value itself; `/a/0/b~1c` is member `a`, then
  /// element 0, then member `b/c`.
  Json at_pointer(std::string_view pointer) const;
  /// The number of members or elements; 0 for scalars and missing values.
  size_t size() const;

  /// Ranges for loops over the members of an object or the elements of an array, in their order in the text. Values of
  /// other kinds have empty ranges:
  ///
  ///   for (const JsonMember& member : json.members()) use(member.key, member.value);
  ///   for (const Json& element : json.elements()) use(element);
  Members members() const;
  Elements elements() const;

  /// The bytes from which this value was read, including comments inside it. Owns: nothing; the view is valid as long
  /// as this value or another one of the same document exists.
  std::string_view raw() const;
  /// The offsets at which the value begins and ends in `document_text`, for messages that point at it and for edits
  /// that keep all other bytes.
  size_t begin_offset() const;
  size_t end_offset() const;
  std::string_view document_text() const;

  /// The value as JSON text; `null` for a missing value.
  std::string dump(JsonStyle style = JsonStyle::Compact) const;

  /// A copy in which one member is set: in its place if the key exists, otherwise at the end. A missing value removes
  /// the member. All other bytes stay as they are. If this value is no object, the copy starts from `{}`.
  Json with(std::string_view key, const Json& value) const;
  /// A copy without that member.
  Json without(std::string_view key) const;
  /// A copy in which the value at a pointer is set. Objects on the way are created if they do not exist, and a missing
  /// value removes the place. In arrays an index replaces an element and `-` appends one. A pointer that is malformed
  /// or leads past the end of an array changes nothing.
  Json with_pointer(std::string_view pointer, const Json& value) const;
  /// A copy in which every member of `patch` is set, in order. The merge is shallow: members that are objects are
  /// replaced as a whole.
  Json merged(const Json& patch) const;

  /// Whether both have the same meaning: numbers are compared by value, and the order of members is ignored.
  bool operator==(const Json& other) const;

 private:
  friend class JsonDocument;
  friend class Members;
  friend class Elements;
  Json(std::shared_ptr<const JsonDocument> document, uint32_t node) : document_(std::move(document)), node_(node) {}

  std::shared_ptr<const JsonDocument> document_;
  uint32_t node_ = 0;
};

/// One member of an object, as `Json::members` yields it.
struct JsonMember {
  /// The key without escapes.
  std::string key;
  Json value;
  /// The offset of the key in the document's text, for messages that point at it.
  size_t key_offset = 0;
};

/// The members of an object, for a range-based `for`. Owns: its object, so a temporary range is safe to loop over.
class Json::Members {
 public:
  class Iterator {
   public:
    using value_type = JsonMember;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Json* object, uint32_t node) : object_(object), node_(node) {}
    JsonMember operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(const Iterator& other) const { return node_ == other.node_; }

   private:
    const Json* object_ = nullptr;
    uint32_t node_ = 0;
  };
  explicit Members(Json object) : object_(std::move(object)) {}
  Iterator begin() const;
  Iterator end() const;

 private:
  Json object_;
};

/// The elements of an array, for a range-based `for`. Owns: its array.
class Json::Elements {
 public:
  class Iterator {
   public:
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Json* array, uint32_t node) : array_(array), node_(node) {}
    Json operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(const Iterator& other) const { return node_ == other.node_; }

   private:
    const Json* array_ = nullptr;
    uint32_t node_ = 0;
  };
  explicit Elements(Json array) : array_(std::move(array)) {}
  Iterator begin() const;
  Iterator end() const;

 private:
  Json array_;
};

}  // namespace grapnel
