#pragma once

#include <unordered_map>
#include <vector>

#include "history/database.h"
#include "history/stored_lines.h"
#include "history/timeline.h"

namespace grapnel {

/// A mark whose id and label are not read yet.
struct DraftMark {
  Mark mark;
  int64_t number = 0;  ///< of the record
  LinePlace place;
};

/// The marks of one lane. Events are added in the order of their time.
class LaneMarks {
 public:
  /// The numbers of the names of events that marks know.
  struct Kinds {
    int64_t before_call = 0;
    int64_t after_call = 0;
    int64_t after_failed_call = 0;
  };
  LaneMarks(const Kinds& kinds, int64_t step) : kinds_(&kinds), step_(step) {}

  /// The columns of `records` that `add` reads, in this order.
  static constexpr const char* kColumns =
      "r.number, r.file, r.offset, r.length, r.id, r.session, r.time, r.event, r.call_start, r.verdict, r.flags, "
      "r.subagent";
  static constexpr int kSessionColumn = 5;
  static constexpr int kTimeColumn = 6;
  static constexpr int kVerdictColumn = 9;
  static constexpr int kSubagentColumn = 11;
  /// Records of async hooks are no events.
  static bool is_event(const Statement& row);
  void add(const Statement& row);

  int64_t events() const { return events_; }
  const std::vector<DraftMark>& marks() const { return marks_; }
  /// Adds the marks of another lane.
  void add_all(const LaneMarks& other);
  /// Merges marks that are nearer than a longer step.
  void merge(int64_t step);

 private:
  void put(DraftMark draft);

  const Kinds* kinds_;
  int64_t step_;
  int64_t events_ = 0;
  std::vector<DraftMark> marks_;
  size_t last_[4] = {};                             ///< the index of the last mark of each row, and 1
  std::unordered_map<int64_t, size_t> open_calls_;  ///< by the number of the record before the call
};

}  // namespace grapnel
