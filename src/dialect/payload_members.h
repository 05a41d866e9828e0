#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "json/document.h"

/// The builder behind `payload_for`. It exists because payloads are written for every hook of another agent: it
/// collects views of texts and joins them once, where changing a `Json` member by member would copy the whole text each
/// time.
namespace grapnel {

/// The members of a payload under construction. Their values are parts of the event's payload, which are copied as
/// text, or new values. Call `begin_table` before the members of each table, and `text` at the end.
class PayloadMembers {
 public:
  /// Borrows the payload that the parts come from.
  explicit PayloadMembers(const Json& source);

  /// Members that follow may have the keys of earlier ones and replace them. Keys of one table differ from each other,
  /// so no search is needed among them.
  void begin_table() { before_ = members_.size(); }
  /// `key` is a key of a table: a plain key or, if it starts with a slash, a JSON pointer.
  void set(std::string_view key, Json value);
  void set_string(std::string_view key, std::string_view text);
  void set_number(std::string_view key, int64_t number);
  void set_flag(std::string_view key, bool flag);
  /// The value is a node of the source.
  void set_part(std::string_view key, uint32_t node);
  /// Adds constants where the payload has no value yet (`with_constants`).
  void add_constants(std::span<const ConstantRow> rows);
  /// Adds a member of the source to the extras. `key` is the node of its key.
  void add_extra(uint32_t key);

  /// The payload as JSON. `under` is the key of the extras inside `extra`; `end` is written after the object.
  std::string text(JsonStyle style, std::string_view under, std::string_view end) const;

 private:
  /// The texts are views into a document that is kept alive, or into `memory_`.
  struct Member {
    std::string_view key;  ///< a key of a table, so nothing in it has to be escaped
    std::string_view value;
  };
  struct Extra {
    std::string_view key;  ///< with its quotes
    std::string_view value;
  };

  void put(std::string_view key, std::string_view value);
  void put_scalar(std::string_view key, std::string_view json);
  std::string_view text_of(const JsonDocument& document, uint32_t node);
  std::string_view quoted(std::string_view text);
  char* allocate(size_t size) { return static_cast<char*>(memory_.allocate(size, 1)); }
  std::string_view copied(std::string_view text);
  Json object() const;
  void replace(Json object);
  size_t size_with(std::string_view under, std::string_view end) const;
  char* write(char* out, std::string_view under, std::string_view end) const;
  char* write_extras(char* out, std::string_view under) const;

  const Json& source_;
  std::array<std::byte, 2048> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<Member> members_{&memory_};
  size_t before_ = 0;  ///< the number of members before the current table
  std::pmr::vector<Extra> extras_{&memory_};
  std::vector<Json> kept_;  ///< the documents that members are views of
};

}  // namespace grapnel
