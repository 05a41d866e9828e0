#include <algorithm>
#include <ranges>

#include "base/error.h"
#include "cli/helper_program.h"
#include "cli/journal/journal_verbs.h"
#include "cli/ui/api.h"
#include "cli/ui/query.h"
#include "history/hook_totals.h"
#include "history/series.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::seconds kListPatience{30};
constexpr size_t kSparkSteps = 24;
constexpr int64_t kSparkMs = int64_t{24} * 60 * 60 * 1000;  ///< the last day

Json number_list(const auto& values) {
  std::vector<Json> out;
  for (const int64_t value : values) out.push_back(Json::number(value));
  return Json::array(out);
}

/// What the journal knows of one hook.
Json totals_json(const HookTotals& totals, const std::vector<HookActivity>& activity) {
  const auto spark = std::ranges::find(activity, totals.name, &HookActivity::name);
  return Json::object(
      {{"runs", Json::number(totals.runs)},
       {"failed", Json::number(totals.failures)},
       {"denied", Json::number(totals.denials)},
       {"asked", Json::number(totals.asks)},
       {"skipped", Json::number(totals.skipped)},
       {"last", totals.last.empty() ? Json::null() : Json::string(totals.last)},
       {"p50_us", Json::number(int64_t{totals.p50.count()})},
       {"p95_us", Json::number(int64_t{totals.p95.count()})},
       {"spark", number_list(spark == activity.end() ? std::vector<int64_t>(kSparkSteps) : spark->runs)}});
}

/// The charts show so many hooks, those with most runs.
constexpr size_t kMaxSeries = 40;

Json series_json(const JournalSeries& series) {
  std::vector<Json> hooks;
  for (const HookSeries& hook : series.hooks | std::views::take(kMaxSeries)) {
    hooks.push_back(Json::object({{"name", Json::string(hook.name)},
                                  {"runs", number_list(hook.runs)},
                                  {"deny", number_list(hook.denials)},
                                  {"ask", number_list(hook.asks)},
                                  {"failed", number_list(hook.failures)},
                                  {"skipped", number_list(hook.skipped)}}));
  }
  return Json::object(
      {{"from", Json::number(series.from)}, {"step", Json::number(series.step)}, {"hooks", Json::array(hooks)}});
}

Json latency_json(const std::vector<LatencyPoint>& latency) {
  std::vector<Json> points;
  for (const LatencyPoint& point : latency) {
    points.push_back(Json::object({{"t", Json::number(point.at)},
                                   {"p50", Json::number(point.p50_us)},
                                   {"p95", Json::number(point.p95_us)},
                                   {"p99", Json::number(point.p99_us)}}));
  }
  return Json::array(points);
}

}  // namespace

Answer list_hooks(Ui& ui, const HttpRequest&) {
  const auto listed = run_helper_program(ui.env, "grapnel-engine", {"list", "--json"}, kListPatience);
  if (!listed) return std::unexpected(listed.error());
  const Json list = Json::parse(*listed).value_or(Json());
  const int64_t now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    const auto totals = read_hook_totals(reader, {});
    if (!totals) return std::unexpected(totals.error());
    const auto activity = read_hook_activity(reader, {now - kSparkMs, now}, kSparkSteps);
    if (!activity) return std::unexpected(activity.error());
    std::vector<Json> hooks;
    for (const Json& hook : list["hooks"].elements()) {
      const auto own = std::ranges::find(*totals, text_of(hook, "name"), &HookTotals::name);
      const HookTotals none{.name = text_of(hook, "name"), .last = ""};
      hooks.push_back(hook.merged(totals_json(own == totals->end() ? none : *own, *activity)));
    }
    return Json::object({{"hooks", Json::array(hooks)}, {"project", list["project"]}});
  });
}

Answer show_stats(Ui& ui, const HttpRequest& request) {
  const auto query = query_of(request);
  if (!query) return std::unexpected(query.error());
  const std::chrono::minutes offset(number_in(request, "utc_offset").value_or(0));
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    const auto stats = stats_json(reader, *query);
    if (!stats) return std::unexpected(stats.error());
    const auto series = read_series(reader, span_of(request), *query, offset);
    if (!series) return std::unexpected(series.error());
    std::vector<Json> heat;
    for (const auto& day : series->heat) heat.push_back(number_list(day));
    return Json::object({{"stats", *stats},
                         {"series", series_json(*series)},
                         {"latency", latency_json(series->latency)},
                         {"heat", Json::array(heat)},
                         {"events", Json::number(series->events)},
                         {"rewrites", Json::number(series->rewrites)},
                         {"injects", Json::number(series->injects)},
                         {"fail_open", Json::number(series->fail_open)},
                         {"degraded", Json::number(series->degraded)},
                         {"lost", Json::number(series->lost)}});
  });
}

}  // namespace grapnel::cli
