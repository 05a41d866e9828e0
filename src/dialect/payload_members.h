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

namespace grapnel {

/// A payload under construction: members that are parts of the event's, which are spliced, and others made for it.
/// Setting a member in a `Json` reads all of it again, so it becomes text at the end.
class PayloadMembers {
 public:
  /// Borrows the payload that parts are of.
  explicit PayloadMembers(const Json& source);

  /// What is set from now on has keys of another table. Keys of one table are different.
  void begin_table() { before_ = members_.size(); }
  /// A key of a table: plain or, with a slash in front, a JSON pointer.
  void set(std::string_view key, Json value);
  void set_string(std::string_view key, std::string_view text);
  void set_number(std::string_view key, int64_t number);
  void set_flag(std::string_view key, bool flag);
  /// A node of the source.
  void set_part(std::string_view key, uint32_t node);
  void add_constants(std::span<const ConstantRow> rows);
  /// A member of the source that goes under `extra`, by the node of its key.
  void add_extra(uint32_t key);

  /// `under` is what the extras stand under.
  std::string text(JsonStyle style, std::string_view under, std::string_view end) const;

 private:
  /// Texts are in a document that somebody keeps, or in `memory_`.
  struct Member {
    std::string_view key;  ///< of a table, so without anything to escape
    std::string_view value;
  };
  struct Extra {
    std::string_view key;  ///< quoted
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
  size_t before_ = 0;  ///< how many of them there were before the table
  std::pmr::vector<Extra> extras_{&memory_};
  std::vector<Json> kept_;  ///< whose documents members are in
};

}  // namespace grapnel
