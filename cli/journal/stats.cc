#include <algorithm>
#include <map>

#include "cli/hook_text.h"
#include "cli/journal/history.h"
#include "cli/journal/journal_verbs.h"
#include "cli/table.h"

namespace grapnel::cli {

namespace {

/// The numbers of one hook, over all events that match.
struct HookStats {
  std::string name;
  size_t runs = 0;  ///< including those that failed
  size_t failures = 0;
  size_t denials = 0;
  size_t asks = 0;
  size_t would_deny = 0;  ///< times that it only observed
  size_t would_ask = 0;
  size_t skipped = 0;
  std::vector<std::chrono::microseconds> times;  ///< sorted
  std::chrono::microseconds total{0};
  std::string last;

  /// The time that `percent` of 100 runs do not exceed. 100 gives the longest time.
  std::chrono::microseconds percentile(size_t percent) const {
    return times.empty() ? std::chrono::microseconds(0) : times[(times.size() - 1) * percent / 100];
  }
};

/// Adds one share of a hook in an event.
void count(HookStats& stats, const HookRunEntry& run) {
  if (run.fate == to_string(HookFate::Kind::Skipped)) {
    ++stats.skipped;
    return;
  }
  // It has only started. Its end is recorded separately, and counted then.
  if (run.fate == to_string(HookFate::Kind::Detached)) return;
  ++stats.runs;
  if (run.fate == to_string(HookFate::Kind::Failed)) ++stats.failures;
  if (run.verdict == to_string(Verdict::Deny)) ++stats.denials;
  if (run.verdict == to_string(Verdict::Ask)) ++stats.asks;
  if (run.would == to_string(Verdict::Deny)) ++stats.would_deny;
  if (run.would == to_string(Verdict::Ask)) ++stats.would_ask;
  stats.times.push_back(run.took);
  stats.total += run.took;
  stats.last = run.time;
}

/// The numbers of all hooks, sorted by the total time that they took.
std::vector<HookStats> stats_of(const std::vector<HookRunEntry>& runs) {
  std::map<std::string, HookStats> by_name;
  for (const HookRunEntry& run : runs) count(by_name[run.hook], run);
  std::vector<HookStats> all;
  for (auto& [name, stats] : by_name) {
    stats.name = name;
    std::ranges::sort(stats.times);
    all.push_back(std::move(stats));
  }
  std::ranges::stable_sort(all, std::greater(), &HookStats::total);
  return all;
}

Json to_json(const HookStats& stats) {
  const auto number = [](auto value) { return Json::number(static_cast<int64_t>(value)); };
  return Json::object({{"name", Json::string(stats.name)},
                       {"runs", number(stats.runs)},
                       {"failures", number(stats.failures)},
                       {"denials", number(stats.denials)},
                       {"asks", number(stats.asks)},
                       {"would_deny", number(stats.would_deny)},
                       {"would_ask", number(stats.would_ask)},
                       {"skipped", number(stats.skipped)},
                       {"p50_us", number(stats.percentile(50).count())},
                       {"p95_us", number(stats.percentile(95).count())},
                       {"max_us", number(stats.percentile(100).count())},
                       {"total_us", number(stats.total.count())},
                       {"last", stats.last.empty() ? Json::null() : Json::string(stats.last)}});
}

std::string count_or_blank(size_t count) {
  return count == 0 ? "" : std::to_string(count);
}

/// The table for people. Columns that are empty for all hooks are left out.
void print_table(Invocation& in, const std::vector<HookStats>& all) {
  const auto number = [](std::string_view title) { return Column{title, 0, Keep::Start, true}; };
  Table table({{"hook", 12},
               number("runs"),
               number("failed"),
               number("denied"),
               number("asked"),
               number("would deny"),
               number("would ask"),
               number("skipped"),
               number("p50"),
               number("p95"),
               number("total")});
  for (const HookStats& stats : all) {
    // A hook that was only skipped has no times.
    const auto time = [&](std::chrono::microseconds took) { return stats.runs == 0 ? "-" : cost_text(took); };
    table.add({{stats.name},
               {std::to_string(stats.runs)},
               {count_or_blank(stats.failures), Style::Red},
               {count_or_blank(stats.denials)},
               {count_or_blank(stats.asks)},
               {count_or_blank(stats.would_deny), Style::Yellow},
               {count_or_blank(stats.would_ask), Style::Yellow},
               {count_or_blank(stats.skipped)},
               {time(stats.percentile(50))},
               {time(stats.percentile(95))},
               {time(stats.total)}});
  }
  in.console.out(table.text(in.console));
}

/// Enabled hooks that never ran although they had many chances. Of the filters only the name applies; the histories
/// always cover all events.
std::vector<HookHistory> silent_ones(JournalReader& journal, const JournalQuery& query) {
  std::vector<HookHistory> out;
  const auto histories = read_histories(journal);
  if (!histories) return out;
  for (const auto& [name, history] : *histories) {
    if (history.is_silent() && (query.hook.empty() || query.hook == name)) out.push_back(history);
  }
  return out;
}

Json report_json(const std::vector<HookStats>& all, const std::vector<HookHistory>& silent,
                 const JournalHealth& health) {
  std::vector<Json> hooks;
  for (const HookStats& stats : all) hooks.push_back(to_json(stats));
  std::vector<Json> never;
  for (const HookHistory& history : silent) {
    never.push_back(Json::object({{"name", Json::string(history.name)},
                                  {"own_events", Json::number(static_cast<int64_t>(history.own_events))}}));
  }
  return Json::object({{"hooks", Json::array(hooks)},
                       {"never_fired", Json::array(never)},
                       {"records", Json::number(health.records)},
                       {"lost", Json::number(health.lost)},
                       {"lost_since", health.lost_since.empty() ? Json() : Json::string(health.lost_since)}});
}

}  // namespace

Result<Json> stats_json(JournalReader& journal, const JournalQuery& query) {
  const auto runs = journal.find_runs(query);
  if (!runs) return std::unexpected(runs.error());
  return report_json(stats_of(*runs), silent_ones(journal, query), journal.health().value_or(JournalHealth{}));
}

int run_stats(Invocation& in) {
  auto journal = open_journal(in);
  if (!journal) {
    in.console.say(printable(journal.error().to_string()));
    return kInternal;
  }
  const auto query = read_filters(in, *journal);
  if (!query) return report_input(in.console, query.error().message);
  if (in.args.has("--json")) {
    const auto json = stats_json(*journal, *query);
    if (json) in.console.out(json->dump(JsonStyle::Pretty) + "\n");
    if (!json) in.console.say(printable(json.error().to_string()));
    return json ? kOk : kInternal;
  }
  const auto runs = journal->find_runs(*query);
  if (!runs) {
    in.console.say(printable(runs.error().to_string()));
    return kInternal;
  }
  const std::vector<HookStats> all = stats_of(*runs);
  const std::vector<HookHistory> silent = silent_ones(*journal, *query);
  if (all.empty()) {
    in.console.out("No hook took part in a matching event.\n");
  } else {
    print_table(in, all);
  }
  for (const HookHistory& history : silent) {
    in.console.out(in.console.styled(Style::Yellow, printable(history.name) + " " + silence_text(history)) +
                   "; `grapnel why --hook` explains it\n");
  }
  return kOk;
}

}  // namespace grapnel::cli
