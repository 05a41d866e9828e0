#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "match/matcher.h"

/// Which of many matchers fit a subject, at a cost that does not grow with their number.
///
/// Names are looked up in a hash table, and matchers that fit everything are merged in without being asked. All others
/// are asked once per subject, and the answer is remembered. Subjects are tool names and the like, so few differ; from
/// a stream of ever new ones, only the first ones are remembered, and the others are asked for again. Answers are kept
/// once each, however many subjects share them: that is why a reference to one can be handed out for good.
namespace grapnel {

/// Built once, then immutable but for what it remembers. Thread: any.
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

  /// The ids of all matchers that fit, ascending, each once. Valid as long as the index is.
  const std::vector<uint32_t>& candidates(std::string_view subject) const;

  /// How many subjects are remembered.
  size_t remembered() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grapnel
