#pragma once

#include <cstdint>
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

  /// A key of a table: plain or, with a slash in front, a JSON pointer.
  void set(std::string_view key, const Json& value);
  /// A node of the source. Not for pointers.
  void set_part(std::string_view key, uint32_t node) { put(key, {source_, node}); }
  void add_constants(std::span<const ConstantRow> rows);
  /// A member of the source that goes under `extra`, by the node of its key.
  void add_extra(uint32_t key) { extras_.push_back(key); }

  /// `under` is what the extras stand under.
  std::string text(JsonStyle style, std::string_view under, std::string_view end) const;

 private:
  /// A value in a document that somebody keeps.
  struct Part {
    const JsonDocument* document;
    uint32_t node;
  };
  struct Member {
    std::string_view key;  ///< of a table, so without anything to escape
    Part value;
  };

  void put(std::string_view key, Part value);
  Part keep(const Json& value);
  Json object() const;
  void replace(const Json& object);
  size_t size_hint() const;
  void append_extras(std::string& out, std::string_view under) const;

  const JsonDocument* source_;
  std::vector<Member> members_;
  std::vector<uint32_t> extras_;
  std::vector<Json> made_;  ///< keeps what is no part of the source
};

}  // namespace grapnel
