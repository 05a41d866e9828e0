#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "history/events.h"
#include "history/hook_totals.h"
#include "history/journal_reader.h"
#include "history/query_text.h"
#include "history/series.h"
#include "history/timeline.h"

// Times what a page asks the journal, in one process that has it open, as `grapnel ui` has.
//
//   journal_bench DIRECTORY
//
// Prints one line for each question: its name, and the shortest of some runs in milliseconds, because other work of the
// machine only ever makes a run longer; first the time, then the processor time. The last line is the resident memory
// at the end, in MiB.

namespace {

using namespace grapnel;

constexpr int kRuns = 7;

bool has_failed = false;

/// A failure or an empty answer must not pass for a fast one.
void check(bool is_good, const char* name) {
  if (is_good) return;
  std::fprintf(stderr, "journal_bench: %s: no answer\n", name);
  has_failed = true;
}

void time(const char* name, const std::function<bool()>& ask) {
  double shortest = 1e9, least = 1e9;
  for (int i = 0; i < kRuns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t before = std::clock();
    check(ask(), name);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    shortest = std::min(shortest, took.count());
    least = std::min(least, static_cast<double>(std::clock() - before) * 1000 / CLOCKS_PER_SEC);
  }
  std::printf("%s\t%.2f\t%.2f\n", name, shortest, least);
}

long resident_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtol(line.c_str() + 6, nullptr, 10) / 1024;
  }
  return 0;
}

TimelineRequest request_of(const TimeSpan& span, const char* text) {
  TimelineRequest request{.span = span, .query = read_query_text(text).value_or(JournalQuery{})};
  request.step = (span.to - span.from) / 1400 * 6;
  return request;
}

void ask_all(JournalReader& journal) {
  const auto newest = journal.find({.limit = 1});
  if (!newest || newest->empty()) return check(false, "newest event");
  const int64_t now = ms_of(newest->front().record["time"].as_string().value_or("")) + 1;
  const TimeSpan everything{now - int64_t{90} * 86400000, now}, week{now - int64_t{7} * 86400000, now};
  const TimeSpan day{now - int64_t{86400000}, now},
      day_of_old{everything.from + int64_t{40} * 86400000, everything.from + int64_t{41} * 86400000};
  const auto timeline = [&](const char* name, const TimeSpan& span, const char* text) {
    time(name, [&] { return read_timeline(journal, request_of(span, text)).has_value(); });
  };
  timeline("timeline, all", everything, "");
  timeline("timeline, a week", week, "");
  timeline("timeline, a day", day, "");
  timeline("timeline, a day long ago", day_of_old, "");
  timeline("timeline, all, verdict:deny", everything, "verdict:deny");
  timeline("timeline, all, tool:Bash", everything, "tool:Bash");
  timeline("timeline, all, hook:lint", everything, "hook:lint");
  timeline("timeline, all, a word", everything, "terraform");
  time("overview", [&] { return read_overview(journal, {}, {}, 300).has_value(); });
  time("overview of a day", [&] { return read_overview(journal, day, {}, 300).has_value(); });
  time("sessions", [&] { return !read_sessions(journal, day, 60).value_or(std::vector<SessionSummary>{}).empty(); });
  const std::string id =
      journal.find({.limit = 5000}).value_or(std::vector<JournalEntry>{}).front().record["id"].as_string().value_or("");
  time("id look-up",
       [&] { return journal.ids_like(id.substr(0, 8)).value_or(std::vector<std::string>{}).size() == 1; });
  time("event by id", [&] { return !journal.find({.id = id}).value_or(std::vector<JournalEntry>{}).empty(); });
  time("neighbours", [&] { return find_neighbours(journal, id).has_value(); });
  time("event after the call", [&] { return find_after_call(journal, id).has_value(); });
  const auto events = [&](const char* name, const char* text) {
    time(name, [&] { return read_events(journal, read_query_text(text).value_or(JournalQuery{}), 100).has_value(); });
  };
  events("100 events", "");
  events("100 events, verdict:deny", "verdict:deny");
  events("100 events, verdict:ask agent:gemini", "verdict:ask agent:gemini");
  events("100 events, hook:notify", "hook:notify");
  events("100 events, a word", "terraform");
  events("100 events, a word that is not there", "xyzzy");
  time("hook totals", [&] { return !read_hook_totals(journal, {}).value_or(std::vector<HookTotals>{}).empty(); });
  time("hook totals of a week", [&] { return read_hook_totals(journal, {.since = time_of(week.from)}).has_value(); });
  time("hook activity", [&] { return read_hook_activity(journal, day, 24).has_value(); });
  time("series", [&] { return read_series(journal, {}, {}).has_value(); });
}

}  // namespace

int main(int argc, char** argv) {
  auto journal = argc == 2 ? JournalReader::open(argv[1]) : fail(Errc::BadInput, "usage: journal_bench DIRECTORY");
  if (journal) {
    if (const auto done = journal->refresh(); !done) journal = std::unexpected(done.error());
  }
  if (!journal) {
    std::fprintf(stderr, "%s\n", journal.error().message.c_str());
    return 2;
  }
  ask_all(*journal);
  std::printf("memory\t%ld\n", resident_mib());
  return has_failed ? 1 : 0;
}
