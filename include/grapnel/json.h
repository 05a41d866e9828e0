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

namespace grapnel {

class JsonDocument;

/// How to read JSON text.
struct JsonReadOptions {
  bool comments = false;               ///< `//` and `/* */` comments and trailing commas, as settings files have them
  uint32_t max_depth = 256;            ///< Limit: nesting
  size_t max_bytes = size_t{1} << 31;  ///< Limit: text length
};

/// How to spell JSON text: `{"a":1,"b":[2]}`, `{"a": 1, "b": [2]}` (scripts grep for it), or over indented lines.
enum class JsonStyle : uint8_t { Compact, Spaced, Pretty };

enum class JsonKind : uint8_t { Missing, Null, Bool, Number, String, Array, Object };

/// An immutable JSON value: a view of one node in a shared, immutable document.
///
/// Reading validates the text once and keeps it: numbers, strings and whole subtrees are passed on as the bytes they
/// came in, so a value copied from one document into another is spliced, not rebuilt. Copying a `Json` costs one
/// reference count. Looking up what is not there gives a *missing* value (not null), on which every further lookup is
/// missing too. Of duplicate keys the last counts.
///
/// Thread: any; values are immutable.
class Json {
 public:
  class Members;
  class Elements;

  /// A missing value.
  Json() = default;

  /// Scalars. Text that is not valid UTF-8 has each bad sequence replaced by U+FFFD.
  static Json null();
  static Json boolean(bool value);
  static Json number(int64_t value);
  static Json number(double value);  ///< not finite: null
  static Json string(std::string_view value);

  /// An object in the given order; members whose value is missing are left out. In an array a missing value is null.
  static Json object(std::initializer_list<std::pair<std::string_view, Json>> members = {});
  static Json object(const std::vector<std::pair<std::string, Json>>& members);
  static Json array(const std::vector<Json>& elements = {});

  /// Reads exactly one document. Fails: BadInput or LimitExceeded, with the position (file is left empty).
  static Result<Json> parse(std::string text, const JsonReadOptions& options = {});

  JsonKind kind() const;
  bool is_missing() const { return kind() == JsonKind::Missing; }
  explicit operator bool() const { return kind() != JsonKind::Missing; }
  bool is_null() const { return kind() == JsonKind::Null; }
  bool is_string() const { return kind() == JsonKind::String; }
  bool is_object() const { return kind() == JsonKind::Object; }
  bool is_array() const { return kind() == JsonKind::Array; }

  /// The value when it has that type.
  std::optional<bool> as_bool() const;
  std::optional<double> as_number() const;       ///< nothing when too large for a double
  std::optional<int64_t> as_integer() const;     ///< whole numbers in range only; `2.0` counts
  std::optional<std::string> as_string() const;  ///< unescaped; lone surrogates become U+FFFD

  /// Whether this is a string equal to `text`; needs no copy.
  bool equals_string(std::string_view text) const;

  /// The member of that name, or missing.
  Json operator[](std::string_view key) const;
  Json operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  /// The element at that index, or missing.
  Json at(size_t index) const;
  /// RFC 6901: `""` is the value itself, `/a/0/b~1c` a way down.
  Json at_pointer(std::string_view pointer) const;
  /// Number of members or elements; 0 for scalars.
  size_t size() const;

  /// To walk an object's members or an array's elements in order; empty ranges for other kinds.
  Members members() const;
  Elements elements() const;

  /// The bytes this value was read from (comments inside included). Valid while the document lives.
  std::string_view raw() const;
  /// Where the value starts and ends in the document's text, and that text.
  size_t begin_offset() const;
  size_t end_offset() const;
  std::string_view document_text() const;

  /// The value as text; `null` for a missing one.
  std::string dump(JsonStyle style = JsonStyle::Compact) const;

  /// Copies with a change; the rest is spliced unchanged. On anything but an object, as if on `{}`.
  Json with(std::string_view key, const Json& value) const;  ///< set, in place or appended; a missing value removes
  Json without(std::string_view key) const;
  /// Sets the value at a pointer, making objects on the way where needed; a missing value removes. In arrays an index
  /// replaces and `-` appends; a pointer that is malformed or leads past an array's end changes nothing.
  Json with_pointer(std::string_view pointer, const Json& value) const;
  /// Shallow merge: every member of `patch` set on this object, in order.
  Json merged(const Json& patch) const;

  /// Same value: numbers by value, objects whatever the order of members.
  bool operator==(const Json& other) const;

 private:
  friend class JsonDocument;
  friend class Members;
  friend class Elements;
  Json(std::shared_ptr<const JsonDocument> document, uint32_t node) : document_(std::move(document)), node_(node) {}

  std::shared_ptr<const JsonDocument> document_;
  uint32_t node_ = 0;
};

/// A member of an object while walking it.
struct JsonMember {
  std::string key;
  Json value;
  size_t key_offset = 0;  ///< where the key stands in the document's text
};

/// Range over an object's members.
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

/// Range over an array's elements.
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
