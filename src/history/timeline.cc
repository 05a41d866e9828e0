#include "history/timeline.h"

#include <algorithm>
#include <map>

#include "grapnel/event.h"

#include "base/text.h"
#include "history/journal_reader.h"
#include "history/marks.h"
#include "history/overview.h"
#include "history/record_scan.h"

namespace grapnel {

namespace {

constexpr size_t kMaxLabel = 160;
/// If a query leaves at most this many records, they are read, and tell which sessions have lanes. Otherwise the newest
/// sessions are searched one after the other, up to some number.
constexpr int64_t kFewRecords = 60000;
constexpr size_t kMaxSearched = 400;

struct DraftLane {
  int64_t session = 0;
  int64_t newest = 0;
  LaneMarks marks;
  std::map<int64_t, LaneMarks> subagents = {};  ///< by the number of the subagent's name

  int64_t events() const {
    int64_t all = marks.events();
    for (const auto& [subagent, own] : subagents) all += own.events();
    return all;
  }
  size_t count_marks() const {
    size_t all = marks.marks().size();
    for (const auto& [subagent, own] : subagents) all += own.marks().size();
    return all;
  }
  void merge(int64_t step) {
    marks.merge(step);
    for (auto& [subagent, own] : subagents) own.merge(step);
  }
  /// Leaves lanes to the subagents that were busy last.
  void keep_subagents(size_t count) {
    const auto newest_of = [](const auto& one) { return one->second.marks().back().mark.at; };
    std::erase_if(subagents, [](const auto& one) { return one.second.marks().empty(); });
    std::vector<decltype(subagents)::iterator> all;
    for (auto it = subagents.begin(); it != subagents.end(); ++it) all.push_back(it);
    std::ranges::stable_sort(all, std::greater(), newest_of);
    for (size_t i = count; i < all.size(); ++i) {
      marks.add_all(all[i]->second);
      subagents.erase(all[i]);
    }
  }
};

Result<int64_t> number_of(Database& database, std::string_view name) {
  auto select = database.prepare("SELECT number FROM names WHERE text = ?1");
  if (!select) return std::unexpected(select.error());
  const auto row = select->bind(1, name).step();
  if (!row) return std::unexpected(row.error());
  return *row ? select->number(0) : -1;
}

Result<LaneMarks::Kinds> find_kinds(Database& database) {
  LaneMarks::Kinds kinds;
  for (const auto& [number, kind] :
       {std::pair(&kinds.before_call, EventKind::PreToolUse), std::pair(&kinds.after_call, EventKind::PostToolUse),
        std::pair(&kinds.after_failed_call, EventKind::PostToolUseFailure)}) {
    const auto found = number_of(database, to_string(kind));
    if (!found) return std::unexpected(found.error());
    *number = *found;
  }
  return kinds;
}

/// Reads the lanes of one request.
class LaneReader {
 public:
  LaneReader(JournalReader& journal, Database& database, const TimelineRequest& request, const TimeSpan& span)
      : journal_(journal), database_(database), request_(request), span_(span), query_(request.query) {
    query_.since = time_of(span.from);
    query_.until = time_of(span.to);
    query_.limit = 0;
  }

  /// Lanes and overview. Conditions that only records can answer are checked once for both.
  Result<void> read(Timeline& timeline) {
    const auto kinds = find_kinds(database_);
    if (!kinds) return std::unexpected(kinds.error());
    kinds_ = *kinds;
    JournalQuery always = query_;
    always.since.clear();
    always.until.clear();
    const auto everything = RecordScan::plan(database_, always);
    if (!everything) return std::unexpected(everything.error());
    const auto read = everything->is_of_hours() ? read_by_hours(timeline) : read_all(*everything, timeline);
    if (!read) return read;
    limit(timeline);
    return finish(timeline);
  }

 private:
  Result<void> read_by_hours(Timeline& timeline) {
    auto overview = read_overview(journal_, {}, request_.query, request_.overview_steps);
    if (!overview) return std::unexpected(overview.error());
    timeline.overview = std::move(*overview);
    const auto scan = RecordScan::plan(database_, query_);
    if (!scan) return std::unexpected(scan.error());
    const auto size = scan->size();
    if (!size) return std::unexpected(size.error());
    if (*size > kFewRecords) return read_sessions_in_turn();
    return add_all(*scan);
  }

  Result<void> add_all(const RecordScan& scan) {
    const auto take = [&](const Statement& row) -> Result<bool> {
      add(row);
      return true;
    };
    return scan.run(LaneMarks::kColumns, take, RecordScan::Order::OldestFirst);
  }

  Result<void> read_all(const RecordScan& scan, Timeline& timeline) {
    timeline.overview = empty_overview({timeline.first, timeline.last + 1}, request_.overview_steps, false);
    return scan.run(
        LaneMarks::kColumns,
        [&](const Statement& row) -> Result<bool> {
          const int64_t time = row.number(LaneMarks::kTimeColumn);
          if (LaneMarks::is_event(row)) add_events(timeline.overview, time, row.number(LaneMarks::kVerdictColumn), 1);
          if (time >= span_.from && time < span_.to) add(row);
          return true;
        },
        RecordScan::Order::OldestFirst);
  }

  void add(const Statement& row) {
    const int64_t session = row.number(LaneMarks::kSessionColumn);
    const auto [at, is_new] = by_session_.try_emplace(session, lanes_.size());
    if (is_new) lanes_.push_back({session, 0, LaneMarks(kinds_, request_.step)});
    DraftLane& lane = lanes_[at->second];
    lane.newest = std::max(lane.newest, row.number(LaneMarks::kTimeColumn));
    const int64_t subagent = row.number(LaneMarks::kSubagentColumn);
    if (subagent == 0) return lane.marks.add(row);
    lane.subagents.try_emplace(subagent, kinds_, request_.step).first->second.add(row);
  }

  Result<void> read_sessions_in_turn() {
    const auto sessions = read_sessions(journal_, span_, kMaxSearched);
    if (!sessions) return std::unexpected(sessions.error());
    is_cut_ = sessions->size() == kMaxSearched;
    for (const SessionSummary& session : *sessions) {
      if (lanes_.size() > request_.max_lanes) return {};  // one more tells that there are too many
      if (auto done = read_session(session); !done) return done;
    }
    return {};
  }

  Result<void> read_session(const SessionSummary& session) {
    const auto scan = RecordScan::plan(database_, query_, session.number);
    if (!scan) return std::unexpected(scan.error());
    return add_all(*scan);
  }

  /// Leaves out lanes, and merges marks, until the request's limits hold.
  void limit(Timeline& timeline) {
    std::erase_if(lanes_, [](const DraftLane& lane) { return lane.events() == 0; });
    std::ranges::stable_sort(lanes_, std::greater(), &DraftLane::newest);
    timeline.truncated = is_cut_ || lanes_.size() > request_.max_lanes;
    if (lanes_.size() > request_.max_lanes)
      lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(request_.max_lanes), lanes_.end());
    for (DraftLane& lane : lanes_) lane.keep_subagents(request_.max_subagents);
    size_t lanes = lanes_.size();
    for (const DraftLane& lane : lanes_) lanes += lane.subagents.size();
    const auto count = [&] {
      size_t marks = 0;
      for (const DraftLane& lane : lanes_) marks += lane.count_marks();
      return marks;
    };
    int64_t step = std::max<int64_t>(request_.step, 1);
    while (count() > std::max(request_.max_marks, lanes * 3)) {
      timeline.truncated = true;
      step *= 2;
      for (DraftLane& lane : lanes_) lane.merge(step);
    }
  }

  /// Reads what only the lines have.
  Result<void> finish(Timeline& timeline) {
    std::vector<int64_t> numbers;
    for (const DraftLane& lane : lanes_) numbers.push_back(lane.session);
    const auto sessions = find_sessions(journal_, numbers);
    if (!sessions) return std::unexpected(sessions.error());
    for (const DraftLane& draft : lanes_) {
      const auto session = std::ranges::find(*sessions, draft.session, &SessionSummary::number);
      if (session == sessions->end()) continue;
      Lane lane{*session, draft.marks.events()};
      if (auto done = finish_marks(draft.marks, lane.marks); !done) return done;
      if (auto done = finish_subagents(draft, lane); !done) return done;
      timeline.lanes.push_back(std::move(lane));
    }
    return {};
  }

  Result<void> finish_subagents(const DraftLane& draft, Lane& lane) {
    auto name = database_.prepare("SELECT text FROM names WHERE number = ?1");
    if (!name) return std::unexpected(name.error());
    for (const auto& [number, marks] : draft.subagents) {
      if (const auto row = name->bind(1, number).step(); !row) return std::unexpected(row.error());
      const auto subagent = std::ranges::find(lane.session.subagents, name->text(0), &SubagentSummary::id);
      name->reset();
      if (subagent == lane.session.subagents.end()) continue;
      SubagentLane& own = lane.subagents.emplace_back(*subagent, marks.events());
      if (auto done = finish_marks(marks, own.marks); !done) return done;
    }
    std::ranges::stable_sort(lane.subagents, {}, [](const SubagentLane& one) { return one.marks.front().at; });
    return {};
  }

  Result<void> finish_marks(const LaneMarks& drafts, std::vector<Mark>& marks) {
    auto subject = database_.prepare("SELECT text, rewritten FROM subjects WHERE record = ?1");
    if (!subject) return std::unexpected(subject.error());
    for (const DraftMark& draft : drafts.marks()) {
      Mark& mark = marks.emplace_back(draft.mark);
      mark.id = journal_.lines().read_id(database_, draft.place);
      if (mark.verdict < Verdict::Ask && mark.kind != Mark::Kind::Rewrite) continue;
      const auto row = subject->bind(1, draft.number).step();
      if (!row) return std::unexpected(row.error());
      if (*row) mark.label = label_of(mark.kind, subject->text(0), subject->text(1));
      subject->reset();
    }
    return {};
  }

  static std::string label_of(Mark::Kind kind, std::string subject, const std::string& rewritten) {
    if (kind == Mark::Kind::Rewrite && !rewritten.empty()) subject += " → " + rewritten;
    const size_t end = text::find_character(subject, kMaxLabel);
    return end < subject.size() ? subject.substr(0, end) + "…" : subject;
  }

  JournalReader& journal_;
  Database& database_;
  const TimelineRequest& request_;
  TimeSpan span_;
  JournalQuery query_;
  LaneMarks::Kinds kinds_;
  std::vector<DraftLane> lanes_;
  std::map<int64_t, size_t> by_session_;
  bool is_cut_ = false;
};

/// How many sessions have no event in the span, and the times of the first and the last event.
Result<void> read_bounds(Database& database, Timeline& timeline) {
  auto select = database.prepare(
      "SELECT coalesce(min(first), 0), coalesce(max(last), 0), count(DISTINCT session), "
      "count(DISTINCT CASE WHEN last >= ?1 AND first < ?2 THEN session END) FROM session_files WHERE events > 0");
  if (!select) return std::unexpected(select.error());
  if (const auto row = select->bind(1, timeline.span.from).bind(2, timeline.span.to).step(); !row) {
    return std::unexpected(row.error());
  }
  timeline.first = select->number(0);
  timeline.last = select->number(1);
  timeline.quiet_sessions = select->number(2) - select->number(3);
  return {};
}

Result<Timeline> timeline_of(JournalReader& journal, Database& database, const TimelineRequest& request) {
  Timeline timeline{.span = request.span};
  if (auto done = read_bounds(database, timeline); !done) return std::unexpected(done.error());
  if (request.span == TimeSpan{}) {
    timeline.span = {timeline.first, timeline.last + 1};
    timeline.quiet_sessions = 0;
  }
  if (timeline.last == 0) return timeline;
  TimelineRequest wish = request;
  if (wish.steps > 0) wish.step = (timeline.span.to - timeline.span.from) / wish.steps;
  if (auto done = LaneReader(journal, database, wish, timeline.span).read(timeline); !done) {
    return std::unexpected(done.error());
  }
  for (const auto& counts : timeline.overview.counts) {
    for (const int64_t count : counts) timeline.total += count;
  }
  return timeline;
}

}  // namespace

Result<Timeline> read_timeline(JournalReader& journal, const TimelineRequest& request) {
  return journal.query([&](Database& database) { return timeline_of(journal, database, request); });
}

}  // namespace grapnel
