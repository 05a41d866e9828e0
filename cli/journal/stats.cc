#include <algorithm>
#include <map>

#include "cli/hook_text.h"
#include "cli/journal/history.h"
#include "cli/journal/journal_verbs.h"

namespace grapnel::cli {

namespace {

/// The longest bar, for the hook that took the most time in total.
constexpr size_t kBarWidth = 20;

/// The numbers of one hook, over all events that match.
struct HookStats {
  std::string name;
  size_t runs = 0;  ///< including those that failed
  size_t failures = 0;
  size_t denials = 0;
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
                       {"skipped", number(stats.skipped)},
                       {"p50_us", number(stats.percentile(50).count())},
                       {"p95_us", number(stats.percentile(95).count())},
                       {"max_us", number(stats.percentile(100).count())},
                       {"total_us", number(stats.total.count())},
                       {"last", stats.last.empty() ? Json::null() : Json::string(stats.last)}});
}

/// How many columns UTF-8 text takes: bytes that continue a character are not counted.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// The text, aligned to the right.
std::string right(const std::string& text, size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ') + text;
}

/// A bar that compares a time with the longest one. Every time but 0 is visible.
std::string bar(std::chrono::microseconds part, std::chrono::microseconds whole) {
  if (whole.count() == 0 || part.count() == 0) return "";
  const auto length = static_cast<size_t>(part.count()) * kBarWidth / static_cast<size_t>(whole.count());
  std::string out;
  for (size_t i = 0; i < std::max<size_t>(length, 1); ++i) out += "█";
  return out;
}

/// The table for people. Its columns are as wide as the longest name needs.
void print_table(Invocation& in, const std::vector<HookStats>& all) {
  size_t name_width = 4;
  for (const HookStats& stats : all) name_width = std::max(name_width, width_of(printable(stats.name)));
  const std::string head = "hook" + std::string(name_width - 4, ' ') +
                           "   runs  failed  denied  skipped       p50       p95       max  total";
  in.console.out(in.console.styled(Style::Bold, head) + "\n");
  for (const HookStats& stats : all) {
    const std::string name = printable(stats.name);
    std::string row = name + std::string(name_width - width_of(name), ' ') + right(std::to_string(stats.runs), 7) +
                      right(std::to_string(stats.failures), 8) + right(std::to_string(stats.denials), 8) +
                      right(std::to_string(stats.skipped), 9);
    // A hook that was only skipped has no times.
    for (const size_t percent : {50, 95, 100}) {
      row += right(stats.runs == 0 ? "-" : cost_text(stats.percentile(percent)), 10);
    }
    const std::string chart = bar(stats.total, all.front().total);
    if (!chart.empty()) row += "  " + chart + " " + cost_text(stats.total);
    in.console.out(row + "\n");
  }
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

void print_json(Invocation& in, const std::vector<HookStats>& all, const std::vector<HookHistory>& silent,
                const JournalHealth& health) {
  std::vector<Json> hooks;
  for (const HookStats& stats : all) hooks.push_back(to_json(stats));
  std::vector<Json> never;
  for (const HookHistory& history : silent) {
    never.push_back(Json::object({{"name", Json::string(history.name)},
                                  {"own_events", Json::number(static_cast<int64_t>(history.own_events))}}));
  }
  const Json json =
      Json::object({{"hooks", Json::array(hooks)},
                    {"never_fired", Json::array(never)},
                    {"records", Json::number(health.records)},
                    {"lost", Json::number(health.lost)},
                    {"lost_since", health.lost_since.empty() ? Json() : Json::string(health.lost_since)}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
}

}  // namespace

int run_stats(Invocation& in) {
  const auto query = read_filters(in);
  if (!query) return report_input(in.console, query.error().message);
  auto journal = open_journal(in);
  const auto runs = journal ? journal->find_runs(*query) : std::unexpected(journal.error());
  if (!runs) {
    in.console.say(printable(runs.error().to_string()));
    return kInternal;
  }
  const std::vector<HookStats> all = stats_of(*runs);
  const std::vector<HookHistory> silent = silent_ones(*journal, *query);
  if (in.args.has("--json")) {
    print_json(in, all, silent, journal->health().value_or(JournalHealth{}));
    return kOk;
  }
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
