#include "history/marks.h"

#include <algorithm>
#include <utility>

#include "history/schema.h"

namespace grapnel {

namespace {

/// Adds the second mark to the first. The strictest of all events gives the mark its look.
void absorb(DraftMark& into, const DraftMark& other) {
  into.mark.count += other.mark.count;
  into.mark.to = std::max(into.mark.to, other.mark.to);
  if (other.mark.verdict == into.mark.verdict) into.mark.strictest += other.mark.strictest;
  if (other.mark.verdict <= into.mark.verdict) return;
  into.mark.verdict = other.mark.verdict;
  into.mark.strictest = other.mark.strictest;
  into.mark.kind = other.mark.kind;
  into.number = other.number;
  into.place = other.place;
}

}  // namespace

std::string_view to_string(Mark::Kind kind) {
  switch (kind) {
    case Mark::Kind::Rewrite:
      return "rewrite";
    case Mark::Kind::Inject:
      return "inject";
    case Mark::Kind::Verdict:
      return "verdict";
    case Mark::Kind::Failed:
      return "failed";
    case Mark::Kind::Tool:
      return "tool";
  }
  return "";
}

int row_of(Mark::Kind kind) {
  if (kind == Mark::Kind::Failed) return 3;
  return kind == Mark::Kind::Rewrite || kind == Mark::Kind::Inject ? 1 : 2;
}

void LaneMarks::put(DraftMark draft) {
  size_t& last = last_[row_of(draft.mark.kind)];
  if (last > 0 && draft.mark.at - marks_[last - 1].mark.at < step_) {
    absorb(marks_[last - 1], draft);
  } else {
    marks_.push_back(std::move(draft));
    last = marks_.size();
  }
}

bool LaneMarks::is_event(const Statement& row) {
  return (row.number(10) & kBackground) == 0;
}

void LaneMarks::add(const Statement& row) {
  if (!is_event(row)) return;
  const int64_t flags = row.number(10);
  ++events_;
  const int64_t number = row.number(0), time = row.number(kTimeColumn), event = row.number(7), start = row.number(8);
  const auto verdict = static_cast<Verdict>(row.number(kVerdictColumn));
  const LinePlace place{row.number(1), static_cast<size_t>(row.number(2)), static_cast<size_t>(row.number(3)),
                        row.number(4)};
  const auto put_kind = [&](Mark::Kind kind) { put({{.at = time, .verdict = verdict, .kind = kind}, number, place}); };
  if ((flags & kRewritten) != 0) put_kind(Mark::Kind::Rewrite);
  if ((flags & kInjected) != 0) put_kind(Mark::Kind::Inject);
  if ((flags & kHookFailed) != 0) put_kind(Mark::Kind::Failed);
  // The end of a call belongs to the mark of its start.
  const bool is_after = event == kinds_->after_call || event == kinds_->after_failed_call;
  if (const auto open = is_after ? open_calls_.find(start) : open_calls_.end(); open != open_calls_.end()) {
    Mark& mark = marks_[open->second].mark;
    mark.to = std::max(mark.to, time);
    open_calls_.erase(open);
    if (verdict < Verdict::Ask) return;
  }
  const bool is_call = event == kinds_->before_call && verdict < Verdict::Ask;
  put_kind(is_call ? Mark::Kind::Tool : Mark::Kind::Verdict);
  if (event == kinds_->before_call) open_calls_[number] = last_[row_of(Mark::Kind::Verdict)] - 1;
}

void LaneMarks::add_all(const LaneMarks& other) {
  events_ += other.events_;
  marks_.insert(marks_.end(), other.marks_.begin(), other.marks_.end());
  std::ranges::stable_sort(marks_, {}, [](const DraftMark& draft) { return draft.mark.at; });
  merge(step_);
}

void LaneMarks::merge(int64_t step) {
  step_ = step;
  std::vector<DraftMark> old = std::exchange(marks_, {});
  std::ranges::fill(last_, 0);
  for (DraftMark& draft : old) put(std::move(draft));
}

}  // namespace grapnel
