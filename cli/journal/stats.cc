#include "cli/hook_text.h"
#include "cli/journal/history.h"
#include "cli/journal/journal_verbs.h"
#include "cli/table.h"
#include "history/hook_totals.h"

namespace grapnel::cli {

namespace {

Json to_json(const HookTotals& stats) {
  const auto number = [](auto value) { return Json::number(static_cast<int64_t>(value)); };
  return Json::object({{"name", Json::string(stats.name)},
                       {"runs", number(stats.runs)},
                       {"failures", number(stats.failures)},
                       {"denials", number(stats.denials)},
                       {"asks", number(stats.asks)},
                       {"would_deny", number(stats.would_deny)},
                       {"would_ask", number(stats.would_ask)},
                       {"skipped", number(stats.skipped)},
                       {"p50_us", number(stats.p50.count())},
                       {"p95_us", number(stats.p95.count())},
                       {"max_us", number(stats.max.count())},
                       {"total_us", number(stats.total.count())},
                       {"last", stats.last.empty() ? Json::null() : Json::string(stats.last)}});
}

std::string count_or_blank(int64_t count) {
  return count == 0 ? "" : std::to_string(count);
}

/// The table for people. Columns that are empty for all hooks are left out.
void print_table(Invocation& in, const std::vector<HookTotals>& all) {
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
  for (const HookTotals& stats : all) {
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
               {time(stats.p50)},
               {time(stats.p95)},
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

Json report_json(const std::vector<HookTotals>& all, const std::vector<HookHistory>& silent,
                 const JournalHealth& health) {
  std::vector<Json> hooks;
  for (const HookTotals& stats : all) hooks.push_back(to_json(stats));
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
  const auto all = read_hook_totals(journal, query);
  if (!all) return std::unexpected(all.error());
  return report_json(*all, silent_ones(journal, query), journal.health().value_or(JournalHealth{}));
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
  const auto all = read_hook_totals(*journal, *query);
  if (!all) {
    in.console.say(printable(all.error().to_string()));
    return kInternal;
  }
  const std::vector<HookHistory> silent = silent_ones(*journal, *query);
  if (all->empty()) {
    in.console.out("No hook took part in a matching event.\n");
  } else {
    print_table(in, *all);
  }
  for (const HookHistory& history : silent) {
    in.console.out(in.console.styled(Style::Yellow, printable(history.name) + " " + silence_text(history)) +
                   "; `grapnel why --hook` explains it\n");
  }
  return kOk;
}

}  // namespace grapnel::cli
