#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "match/matcher.h"

/// Finds the matchers that match a subject, among many, at a cost that does not grow with their number.
///
/// Names are looked up in a hash table, and matchers that match everything are added without being asked. All others
/// are asked once for each subject, and the answer is remembered. Subjects are tool names and the like, so there are
/// few different ones; if there are many, only the first ones are remembered and the others are asked about again.
/// Equal answers are stored once, however many subjects share them, so a reference to an answer stays valid as long as
/// the index lives.
namespace grapnel {

/// Built once, and then immutable except for its memory. Thread: any.
class NameIndex {
 public:
  struct Entry {
    Matcher matcher;
    uint32_t id = 0;
  };
  /// How many subjects are remembered, and how long they may be.
  struct Limits {
    size_t subjects = 4096;
    size_t subject_bytes = 512;
  };

  explicit NameIndex(std::vector<Entry> entries) : NameIndex(std::move(entries), Limits{}) {}
  NameIndex(std::vector<Entry> entries, const Limits& limits);
  NameIndex(NameIndex&&) noexcept;
  NameIndex& operator=(NameIndex&&) noexcept;
  ~NameIndex();

  /// The ids of all matchers that match, in ascending order and without duplicates. Valid as long as the index lives.
  const std::vector<uint32_t>& candidates(std::string_view subject) const;

  /// How many subjects are remembered.
  size_t remembered() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grapnel
