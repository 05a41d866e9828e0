#include "base/error.h"
#include "cli/helper_program.h"
#include "cli/journal/journal_verbs.h"
#include "cli/ui/api.h"
#include "cli/ui/query.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::seconds kListPatience{30};

}  // namespace

Answer list_hooks(Ui& ui, const HttpRequest&) {
  const auto listed = run_helper_program(ui.env, "grapnel-engine", {"list", "--json"}, kListPatience);
  if (!listed) return std::unexpected(listed.error());
  const Json list = Json::parse(*listed).value_or(Json());
  const auto stats = ui.journal.with([](JournalReader& reader) { return stats_json(reader, {}); });
  if (!stats) return std::unexpected(stats.error());
  std::vector<Json> hooks;
  for (const Json& hook : list["hooks"].elements()) {
    Json row = hook;
    for (const Json& counted : (*stats)["hooks"].elements()) {
      if (counted["name"] == hook["name"]) row = row.merged(counted.without("name"));
    }
    hooks.push_back(row);
  }
  return Json::object({{"hooks", Json::array(hooks)}, {"project", list["project"]}});
}

Answer show_stats(Ui& ui, const HttpRequest& request) {
  const auto query = query_of(request);
  if (!query) return std::unexpected(query.error());
  const auto stats = ui.journal.with([&](JournalReader& reader) { return stats_json(reader, *query); });
  if (!stats) return std::unexpected(stats.error());
  return Json::object({{"stats", *stats}});
}

}  // namespace grapnel::cli
