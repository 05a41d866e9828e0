#include "history/timeline.h"

#include <gtest/gtest.h>

#include "history/events.h"
#include "history/hook_totals.h"
#include "history/journal_reader.h"
#include "history/query_text.h"
#include "history/series.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

using testing::make_record;
using testing::TempDir;

/// Noon of a Friday.
constexpr std::string_view kDay = "2026-01-30T12:";

/// One event, as far as it matters here.
struct Happened {
  const char* id;
  const char* clock;  ///< behind `kDay`
  EventKind event = EventKind::PreToolUse;
  Verdict verdict = Verdict::Pass;
  const char* session = "s";
  const char* call = "";
  const char* subject = "make";
  const char* rewritten = "";
  bool failed = false;
  const char* agent = "claude";
  const char* tool = "Bash";
};

Record record_for(const Happened& event) {
  Record record = make_record(event.id, std::string(kDay) + event.clock + "Z");
  record.event = event.event;
  record.verdict = event.verdict;
  record.session_id = event.session;
  record.tool_use_id = event.call;
  record.subject = event.subject;
  record.rewritten_subject = event.rewritten;
  record.dialect = event.agent;
  record.tool = event.tool;
  record.project_dir = "/w/app";
  HookFate fate{.name = event.failed ? "flaky" : "guard", .source = "f:1", .verdict = event.verdict};
  if (event.failed) fate.kind = HookFate::Kind::Failed;
  fate.took = std::chrono::microseconds(100);
  record.hooks.push_back(fate);
  return record;
}

/// A morning with two agents.
const Happened kMorning[] = {
    {.id = "e01", .clock = "00:00.000", .event = EventKind::SessionStart, .subject = ""},
    {.id = "e02", .clock = "00:01.000", .event = EventKind::UserPromptSubmit, .subject = "fix it"},
    {.id = "e03", .clock = "00:10.000", .call = "c1", .subject = "npm ci", .rewritten = "pnpm ci"},
    {.id = "e04", .clock = "00:12.500", .event = EventKind::PostToolUse, .call = "c1", .subject = "pnpm ci"},
    {.id = "e05", .clock = "01:00.000", .verdict = Verdict::Deny, .call = "c2", .subject = "git push --force"},
    {.id = "e06",
     .clock = "02:00.000",
     .verdict = Verdict::Ask,
     .session = "t",
     .call = "c3",
     .agent = "codex",
     .tool = "shell"},
    {.id = "e07",
     .clock = "02:01.000",
     .event = EventKind::PostToolUse,
     .session = "t",
     .call = "c3",
     .failed = true,
     .agent = "codex",
     .tool = "shell"},
    {.id = "e08", .clock = "03:00.000", .event = EventKind::Stop, .subject = ""},
};

class Morning : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto sink = make_file_record_sink(dir_.path());
    for (const Happened& event : kMorning) sink->record(record_for(event));
    auto reader = JournalReader::open(dir_.path());
    ASSERT_TRUE(reader && reader->refresh());
    reader_.emplace(std::move(*reader));
  }
  JournalReader& journal() { return *reader_; }

  static int64_t at(const char* clock) { return ms_of(std::string(kDay) + clock + "Z"); }
  Timeline timeline(const char* text, int64_t step = 1, TimeSpan span = {}) {
    auto found = read_timeline(journal(), {.span = span, .query = read_query_text(text).value(), .step = step});
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(Timeline{});
  }
  std::string ids(const char* text) {
    std::string out;
    const auto page = read_events(journal(), read_query_text(text).value(), 100);
    for (const JournalEntry& entry : page->entries) out += (out.empty() ? "" : " ") + *entry.record["id"].as_string();
    return out;
  }

  TempDir dir_;
  std::optional<JournalReader> reader_;
};

/// `row kind verdict count id label`, one mark a line.
std::string text_of(const std::vector<Mark>& marks) {
  std::string out;
  for (const Mark& mark : marks) {
    out += std::to_string(row_of(mark.kind)) + " " + std::string(to_string(mark.kind)) + " " +
           std::string(to_string(mark.verdict)) + " " + std::to_string(mark.count) + " " + mark.id +
           (mark.label.empty() ? "" : " " + mark.label) + "\n";
  }
  return out;
}

TEST_F(Morning, HasALaneForEachSessionTheNewestFirst) {
  const Timeline found = timeline("");
  ASSERT_EQ(found.lanes.size(), 2u);
  EXPECT_EQ(found.lanes[0].session.session, "s");
  EXPECT_EQ(found.lanes[0].session.agent, "claude");
  EXPECT_EQ(found.lanes[0].session.project, "/w/app");
  EXPECT_EQ(found.lanes[0].session.events, 6);
  EXPECT_EQ(found.lanes[0].session.turns, 1);
  EXPECT_EQ(found.lanes[0].session.deny, 1);
  EXPECT_EQ(found.lanes[1].session.session, "t");
  EXPECT_EQ(found.lanes[1].session.ask, 1);
  EXPECT_EQ(found.lanes[1].session.failed, 1);
  EXPECT_EQ(found.total, 8);
  EXPECT_EQ(found.first, at("00:00.000"));
  EXPECT_EQ(found.last, at("03:00.000"));
  EXPECT_FALSE(found.truncated);
}

TEST(Subagents, HaveLanesOfTheirOwn) {
  const TempDir dir;
  const auto sink = make_file_record_sink(dir.path());
  const auto add = [&](const Happened& event, const char* agent_id, const char* type, const char* parent) {
    Record record = record_for(event);
    record.agent_id = agent_id;
    record.agent_type = type;
    record.parent = parent;
    sink->record(record);
  };
  add({.id = "a1", .clock = "00:00.000"}, "", "", "");
  add({.id = "b1", .clock = "00:10.000", .call = "c"}, "sub-1", "Explore", "s");
  add({.id = "b2", .clock = "00:12.000", .event = EventKind::PostToolUse, .call = "c"}, "sub-1", "Explore", "s");
  add({.id = "c1", .clock = "00:20.000", .verdict = Verdict::Deny}, "sub-2", "Review", "sub-1");
  add({.id = "a2", .clock = "00:30.000"}, "", "", "");
  auto reader = JournalReader::open(dir.path());
  ASSERT_TRUE(reader && reader->refresh());
  const auto found = read_timeline(*reader, {.step = 1});
  ASSERT_TRUE(found && found->lanes.size() == 1);
  const Lane& lane = found->lanes[0];
  EXPECT_EQ(lane.session.events, 5);
  EXPECT_EQ(lane.shown, 2);
  EXPECT_EQ(text_of(lane.marks), "2 tool pass 1 a1\n2 tool pass 1 a2\n");
  ASSERT_EQ(lane.subagents.size(), 2u);
  EXPECT_EQ(lane.subagents[0].subagent.id, "sub-1");
  EXPECT_EQ(lane.subagents[0].subagent.type, "Explore");
  EXPECT_EQ(lane.subagents[0].shown, 2);
  EXPECT_EQ(text_of(lane.subagents[0].marks), "2 tool pass 1 b1\n") << "its end belongs to its start";
  EXPECT_EQ(lane.subagents[1].subagent.parent, "sub-1");
  EXPECT_EQ(text_of(lane.subagents[1].marks), "2 verdict deny 1 c1 make\n");

  // Of more subagents than may have lanes, those that were busy last have one; the session shows the marks of others.
  const auto few = read_timeline(*reader, {.step = 1, .max_subagents = 1});
  ASSERT_TRUE(few && few->lanes.size() == 1 && few->lanes[0].subagents.size() == 1);
  EXPECT_EQ(few->lanes[0].subagents[0].subagent.id, "sub-2");
  EXPECT_EQ(few->lanes[0].shown, 4);
  EXPECT_EQ(text_of(few->lanes[0].marks), "2 tool pass 1 a1\n2 tool pass 1 b1\n2 tool pass 1 a2\n");
}

TEST_F(Morning, MarksWhatHappened) {
  const Timeline found = timeline("");
  ASSERT_EQ(found.lanes.size(), 2u);
  EXPECT_EQ(text_of(found.lanes[0].marks),
            "2 verdict pass 1 e01\n"
            "2 verdict pass 1 e02\n"
            "1 rewrite pass 1 e03 npm ci → pnpm ci\n"
            "2 tool pass 1 e03\n"
            "2 verdict deny 1 e05 git push --force\n"
            "2 verdict pass 1 e08\n");
  EXPECT_EQ(found.lanes[0].marks[3].to, at("00:12.500")) << "from before the call to after it";
  EXPECT_EQ(text_of(found.lanes[1].marks),
            "2 verdict ask 1 e06 make\n"
            "3 failed pass 1 e07\n");
  EXPECT_EQ(found.lanes[1].marks[0].to, at("02:01.000"));
}

TEST_F(Morning, MergesMarksThatAreNear) {
  const Timeline found = timeline("", 10 * 60 * 1000);
  EXPECT_EQ(text_of(found.lanes[0].marks),
            "2 verdict deny 5 e05 git push --force\n"
            "1 rewrite pass 1 e03 npm ci → pnpm ci\n");
  EXPECT_EQ(found.lanes[0].marks[0].strictest, 1) << "one of the five was denied";
}

TEST_F(Morning, CountsStepsInWhateverIsShown) {
  const auto all = read_timeline(journal(), {.step = 1});
  const auto counted = read_timeline(journal(), {.steps = 4});
  ASSERT_TRUE(all && counted);
  EXPECT_EQ(counted->span, all->span) << "everything";
  const auto same = read_timeline(journal(), {.step = (all->span.to - all->span.from) / 4});
  ASSERT_TRUE(same);
  ASSERT_EQ(counted->lanes.size(), same->lanes.size());
  for (size_t i = 0; i < same->lanes.size(); ++i) {
    EXPECT_EQ(text_of(counted->lanes[i].marks), text_of(same->lanes[i].marks));
  }
  EXPECT_LT(counted->lanes[0].marks.size(), all->lanes[0].marks.size());
}

TEST_F(Morning, MergesMoreIfThereAreTooMany) {
  const auto found = read_timeline(journal(), {.step = 1, .max_marks = 6});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->truncated);
  size_t marks = 0;
  int64_t events = 0;
  for (const Lane& lane : found->lanes) {
    marks += lane.marks.size();
    events += lane.shown;
  }
  EXPECT_LE(marks, 6u);
  EXPECT_EQ(events, 8);
}

TEST_F(Morning, LeavesOutLanesBeyondTheLimit) {
  const auto found = read_timeline(journal(), {.step = 1, .max_lanes = 1});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->lanes.size(), 1u);
  EXPECT_EQ(found->lanes[0].session.session, "s");
  EXPECT_TRUE(found->truncated);
}

TEST_F(Morning, ShowsOnlyWhatIsInTheSpan) {
  const Timeline found = timeline("", 1, {at("01:30.000"), at("02:30.000")});
  ASSERT_EQ(found.lanes.size(), 1u);
  EXPECT_EQ(found.lanes[0].session.session, "t");
  EXPECT_EQ(found.total, 8) << "in the whole journal";
  const Timeline none = timeline("", 1, {at("00:00.000") - 5000, at("00:00.000")});
  EXPECT_TRUE(none.lanes.empty());
  EXPECT_EQ(none.quiet_sessions, 2);
}

TEST_F(Morning, ShowsOnlyWhatFits) {
  const Timeline found = timeline("verdict:deny");
  ASSERT_EQ(found.lanes.size(), 1u);
  EXPECT_EQ(text_of(found.lanes[0].marks), "2 verdict deny 1 e05 git push --force\n");
  EXPECT_EQ(found.total, 1);
}

TEST_F(Morning, CountsEventsInSteps) {
  const auto found = read_overview(journal(), {at("00:00.000"), at("04:00.000")}, {}, 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 60000);
  using Counts = std::vector<int64_t>;
  EXPECT_EQ(found->counts[static_cast<size_t>(Verdict::Pass)], (Counts{4, 0, 1, 1}));
  EXPECT_EQ(found->counts[static_cast<size_t>(Verdict::Ask)], (Counts{0, 0, 1, 0}));
  EXPECT_EQ(found->counts[static_cast<size_t>(Verdict::Deny)], (Counts{0, 1, 0, 0}));
}

struct FilterCase {
  const char* text;
  const char* want;
};

const FilterCase kFilters[] = {
    {"", "e08 e07 e06 e05 e04 e03 e02 e01"},
    {"verdict:deny", "e05"},
    {"verdict:deny,ask", "e06 e05"},
    {"-verdict:pass", "e06 e05"},
    {"agent:codex", "e07 e06"},
    {"-agent:codex event:PreToolUse", "e05 e03"},
    {"tool:BASH verdict:deny", "e05"},
    {"tool:shell verdict:deny,ask", "e06 e05"},
    {"-tool:shell", ""},
    {"tool:read", ""},
    {"tool:nothing", ""},
    {"-tool:nothing verdict:deny", "e05"},
    {"session:t", "e07 e06"},
    {"-session:t -event:Stop push", "e05"},
    {"hook:flaky", "e07"},
    {"-hook:guard", "e07"},
    {"hook:flaky,guard verdict:ask", "e06"},
    {"project:/w verdict:deny", "e05"},
    {"project:app verdict:deny", "e05"},
    {"project:ap", ""},
    {"id:e0 verdict:ask", "e06"},
    {"id:e05,e06", "e06 e05"},
    {"PNPM", "e04 e03"},
    {"npm -pnpm", ""},
    {"push force", "e05"},
    {"\"push force\"", ""},
    {"would:any", ""},
};

TEST_F(Morning, IsSearchedByText) {
  for (const FilterCase& c : kFilters) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ids(c.text), c.want);
  }
}

TEST_F(Morning, IsListedPageByPage) {
  JournalQuery query;
  std::string all;
  for (int pages = 0; pages < 5; ++pages) {
    const auto page = read_events(journal(), query, 3);
    ASSERT_TRUE(page);
    for (const JournalEntry& entry : page->entries) all += *entry.record["id"].as_string() + " ";
    all += "| ";
    if (page->next == 0) break;
    query.before = page->next;
  }
  EXPECT_EQ(all, "e08 e07 e06 | e05 e04 e03 | e02 e01 | ");
}

TEST_F(Morning, HasRowsForAList) {
  const auto page = read_events(journal(), {.id = "e06"}, 1);
  ASSERT_TRUE(page);
  ASSERT_EQ(page->entries.size(), 1u);
  const Json row = event_row(page->entries.front());
  EXPECT_EQ(row["agent"].as_string(), "codex");
  EXPECT_EQ(row["answer"].as_string(), "approved");
  EXPECT_EQ(row["verdict"].as_string(), "ask");
  EXPECT_FALSE(row["failed"]);
  EXPECT_EQ(event_row(read_events(journal(), {.id = "e07"}, 1)->entries.front())["failed"].as_string(), "flaky");
}

TEST_F(Morning, LeadsFromEventToEvent) {
  const auto around = find_neighbours(journal(), "e06");
  ASSERT_TRUE(around);
  EXPECT_EQ(around->previous, "e05");
  EXPECT_EQ(around->next, "e07");
  EXPECT_EQ(around->previous_stop, "e05");
  EXPECT_EQ(around->next_stop, "");
  const auto of_claude = find_neighbours(journal(), "e08", read_query_text("agent:claude").value());
  EXPECT_EQ(of_claude->previous, "e05");
  EXPECT_EQ(find_neighbours(journal(), "none").error().code, Errc::NotFound);
}

TEST_F(Morning, KnowsTheEndOfACall) {
  const auto after = find_after_call(journal(), "e03");
  ASSERT_TRUE(after && *after);
  EXPECT_EQ((*after)->id, "e04");
  EXPECT_EQ((*after)->after_ms, 2500);
  EXPECT_FALSE(*find_after_call(journal(), "e05")) << "it was denied";
}

TEST_F(Morning, HasNumbersForCharts) {
  const auto series = read_series(journal(), {}, {});
  ASSERT_TRUE(series);
  EXPECT_EQ(series->events, 8);
  EXPECT_EQ(series->rewrites, 1);
  ASSERT_EQ(series->hooks.size(), 2u);
  EXPECT_EQ(series->hooks[0].name, "guard");
  EXPECT_EQ(series->hooks[0].runs, std::vector<int64_t>{7});
  EXPECT_EQ(series->hooks[0].denials, std::vector<int64_t>{1});
  EXPECT_EQ(series->hooks[0].asks, std::vector<int64_t>{1});
  EXPECT_EQ(series->hooks[0].failures, std::vector<int64_t>{0});
  EXPECT_EQ(series->hooks[1].name, "flaky");
  EXPECT_EQ(series->hooks[1].failures, std::vector<int64_t>{1});
  EXPECT_EQ(series->heat[4][12], 8) << "Friday at noon";
  ASSERT_EQ(series->latency.size(), 1u);
  EXPECT_NEAR(static_cast<double>(series->latency[0].p50_us), 100, 3);
  EXPECT_EQ(read_series(journal(), {}, {}, std::chrono::hours(12))->heat[5][0], 8) << "Saturday far in the east";
  const auto of_codex = read_series(journal(), {}, read_query_text("agent:codex").value());
  EXPECT_EQ(of_codex->events, 2);
  ASSERT_EQ(of_codex->hooks.size(), 2u);
  EXPECT_EQ(of_codex->hooks[0].denials, std::vector<int64_t>{0});
  EXPECT_TRUE(read_series(journal(), {}, read_query_text("hook:none").value())->hooks.empty());
}

TEST_F(Morning, CountsHooks) {
  const auto all = read_hook_totals(journal(), {});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].name, "guard");
  EXPECT_EQ((*all)[0].runs, 7);
  EXPECT_EQ((*all)[0].denials, 1);
  EXPECT_EQ((*all)[0].p50.count(), 100);
  EXPECT_EQ((*all)[1].failures, 1);
  EXPECT_EQ(read_hook_totals(journal(), {.hook = "flaky"})->size(), 1u);
  EXPECT_EQ(read_hook_totals(journal(), {.since = "2026-01-30T12:02:30"})->front().runs, 1);
  EXPECT_EQ(read_hook_totals(journal(), {.session = "t"})->front().runs, 1);
  const auto active = read_hook_activity(journal(), {at("00:00.000"), at("00:00.000") + 24 * 3600 * 1000}, 24);
  ASSERT_TRUE(active);
  ASSERT_EQ(active->size(), 2u);
  EXPECT_EQ((*active)[1].runs[0], 7);
}

TEST(TimeHistogram, IsAtMostThreePercentOff) {
  for (const int64_t us : {int64_t{0}, int64_t{7}, int64_t{15}, int64_t{16}, int64_t{99}, int64_t{1000},
                           int64_t{123456}, int64_t{98765432}}) {
    TimeHistogram times;
    times.add(std::chrono::microseconds(us));
    TimeHistogram copy;
    copy.add_bytes(times.to_bytes());
    EXPECT_EQ(copy.count(), 1);
    EXPECT_NEAR(static_cast<double>(copy.percentile(50).count()), static_cast<double>(us),
                static_cast<double>(us) * 0.032);
  }
}

}  // namespace
}  // namespace grapnel
