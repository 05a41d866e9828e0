#include "cli/fleet/queries.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kPage = 500;
constexpr int64_t kMachinePage = 2000;
constexpr size_t kMaxAnswer = size_t{1} << 20;

struct TextFilter {
  std::string_view key;
  std::string fleet::RecordFilter::* to;
};
constexpr auto kTextFilters = std::to_array<TextFilter>({
    {"machine", &fleet::RecordFilter::machine},
    {"since", &fleet::RecordFilter::since},
    {"until", &fleet::RecordFilter::until},
    {"verdict", &fleet::RecordFilter::verdict},
    {"event", &fleet::RecordFilter::event},
    {"tool", &fleet::RecordFilter::tool},
    {"hook", &fleet::RecordFilter::hook},
    {"session", &fleet::RecordFilter::session},
    {"text", &fleet::RecordFilter::text},
    {"id", &fleet::RecordFilter::id},
    {"agent", &fleet::RecordFilter::agent},
});

Json number(int64_t value) {
  return Json::number(value);
}

Json error_json(const std::string& message) {
  return Json::object({{"error", Json::string(message)}});
}

/// A page of records. It begins at the newest, and stops before the answer becomes too long.
Json answer_log(fleet::CentralStore& store, const Json& question) {
  fleet::RecordFilter filter = filter_from(question["filter"]);
  filter.limit = filter.limit <= 0 ? kPage : std::min(filter.limit, kPage);
  auto found = store.find(filter);
  if (!found) return error_json(found.error().message);
  std::vector<Json> out;
  size_t bytes = 0;
  int64_t before = 0;
  for (auto one = found->rbegin(); one != found->rend(); ++one) {
    const Json json = Json::object(
        {{"number", number(one->number)}, {"machine", Json::string(one->machine)}, {"record", one->record}});
    bytes += json.dump().size();
    if (bytes > kMaxAnswer && !out.empty()) break;
    before = one->number;
    out.push_back(json);
  }
  const bool is_all = out.size() == found->size() && static_cast<int64_t>(out.size()) < filter.limit;
  return Json::object({{"records", Json::array(out)}, {"before", number(is_all ? 0 : before)}});
}

/// A page of records for somebody who wants all of them, oldest first, and had everything up to a row.
Json answer_export(fleet::CentralStore& store, const Json& question) {
  fleet::RecordFilter filter = filter_from(question["filter"]);
  const auto goes_on = store.goes_on_behind(filter.after, question["hash"].as_string().value_or(""));
  if (!goes_on) return error_json(goes_on.error().message);
  if (!*goes_on) filter.after = 0;
  filter.forward = true;
  filter.limit = filter.limit <= 0 ? kPage : std::min(filter.limit, kPage);
  const auto found = store.find(filter);
  if (!found) return error_json(found.error().message);
  std::vector<Json> out;
  size_t bytes = 0;
  for (const fleet::CentralRecord& one : *found) {
    bytes += one.record.raw().size();
    if (bytes > kMaxAnswer && !out.empty()) break;
    out.push_back(Json::object({{"number", number(one.number)},
                                {"machine", Json::string(one.machine)},
                                {"hash", Json::string(one.hash)},
                                {"record", one.record}}));
  }
  return Json::object({{"records", Json::array(out)}, {"begins_again", Json::boolean(!*goes_on)}});
}

Json answer_stats(fleet::CentralStore& store, const Json& question) {
  const auto counts = store.count_hooks(filter_from(question["filter"]));
  if (!counts) return error_json(counts.error().message);
  std::vector<Json> hooks;
  for (const fleet::HookCounts& hook : *counts) {
    hooks.push_back(Json::object({{"name", Json::string(hook.name)},
                                  {"runs", number(hook.runs)},
                                  {"failures", number(hook.failures)},
                                  {"denials", number(hook.denials)},
                                  {"asks", number(hook.asks)},
                                  {"would_deny", number(hook.would_deny)},
                                  {"would_ask", number(hook.would_ask)},
                                  {"skipped", number(hook.skipped)},
                                  {"machines", number(hook.machines)},
                                  {"last", Json::string(hook.last)}}));
  }
  return Json::object({{"hooks", Json::array(hooks)}});
}

/// A page of machines in the order of their names, behind the one that the question names.
Json answer_machines(fleet::CentralStore& store, const Json& question) {
  const auto machines = store.machines(question["after"].as_string().value_or(""), kMachinePage);
  const auto count = store.count_arrived();
  if (!machines || !count) return error_json("the central store cannot be read");
  std::vector<Json> out;
  size_t bytes = 0;
  for (const fleet::MachineRow& row : *machines) {
    out.push_back(Json::object({{"machine", Json::string(row.name)},
                                {"seen", row.seen.empty() ? Json::null() : Json::string(row.seen)},
                                {"joined", row.joined.empty() ? Json::null() : Json::string(row.joined)},
                                {"records", number(row.records)},
                                {"state", row.state ? row.state : Json::object()}}));
    bytes += out.back().dump().size();
    if (bytes > kMaxAnswer) break;
  }
  const bool is_all = static_cast<int64_t>(machines->size()) < kMachinePage && out.size() == machines->size();
  return Json::object({{"machines", Json::array(out)},
                       {"records", number(*count)},
                       {"after", is_all ? Json() : Json::string((*machines)[out.size() - 1].name)}});
}

Json answer_to(fleet::CentralStore& store, const Json& question) {
  const std::string what = question["what"].as_string().value_or("");
  if (what == "log") return answer_log(store, question);
  if (what == "export") return answer_export(store, question);
  if (what == "stats") return answer_stats(store, question);
  if (what == "machines") return answer_machines(store, question);
  if (what == "registry") {
    const auto registry = store.registry(question["digest"].as_string().value_or(""));
    return registry ? Json::object({{"registry", *registry}}) : error_json(registry.error().message);
  }
  if (what == "key") {
    const auto key = store.key_of(question["machine"].as_string().value_or(""));
    return key ? Json::object({{"key", Json::string(*key)}}) : error_json(key.error().message);
  }
  return error_json("there is no such question");
}

}  // namespace

std::string answer_query(fleet::CentralStore& store, const std::string& body) {
  return answer_to(store, Json::parse(body).value_or(Json())).dump();
}

Json filter_json(const fleet::RecordFilter& filter) {
  Json out = Json::object({{"limit", number(filter.limit)},
                           {"before", number(filter.before)},
                           {"after", number(filter.after)},
                           {"would", Json::boolean(filter.would)}});
  for (const TextFilter& row : kTextFilters) {
    if (!(filter.*row.to).empty()) out = out.with(row.key, Json::string(filter.*row.to));
  }
  return out;
}

fleet::RecordFilter filter_from(const Json& json) {
  fleet::RecordFilter out;
  out.limit = json["limit"].as_integer().value_or(0);
  out.before = json["before"].as_integer().value_or(0);
  out.after = json["after"].as_integer().value_or(0);
  out.would = json["would"].as_bool().value_or(false);
  for (const TextFilter& row : kTextFilters) out.*row.to = json[row.key].as_string().value_or("");
  return out;
}

Result<Json> ask_collector(Courier& courier, const Json& question, std::chrono::milliseconds patience) {
  const auto answer = courier.request("query", question.dump(), patience);
  if (!answer) return fail(answer.error().code, "no collector answers: " + answer.error().message);
  auto json = Json::parse(answer->body);
  if (!json) return std::unexpected(json.error());
  if ((*json)["error"]) return fail(Errc::Refused, "the collector says: " + (*json)["error"].as_string().value_or(""));
  return json;
}

Result<Json> ask_for_machines(Courier& courier) {
  Json question = Json::object({{"what", Json::string("machines")}});
  std::vector<Json> machines;
  for (;;) {
    auto page = ask_collector(courier, question);
    if (!page) return page;
    std::ranges::copy((*page)["machines"].elements(), std::back_inserter(machines));
    if (!(*page)["after"].is_string())
      return Json::object({{"machines", Json::array(machines)}, {"records", (*page)["records"]}});
    question = question.with("after", (*page)["after"]);
  }
}

Result<std::vector<fleet::CentralRecord>> ask_for_records(Courier& courier, fleet::RecordFilter filter) {
  std::vector<fleet::CentralRecord> out;
  const int64_t wanted = filter.limit;
  for (;;) {
    filter.limit = wanted == 0 ? 0 : wanted - static_cast<int64_t>(out.size());
    const auto page =
        ask_collector(courier, Json::object({{"what", Json::string("log")}, {"filter", filter_json(filter)}}));
    if (!page) return std::unexpected(page.error());
    for (const Json& one : (*page)["records"].elements()) {
      out.push_back({one["number"].as_integer().value_or(0), one["machine"].as_string().value_or(""), one["record"]});
    }
    filter.before = (*page)["before"].as_integer().value_or(0);
    if (filter.before <= 1 || (wanted > 0 && static_cast<int64_t>(out.size()) >= wanted)) break;
  }
  std::ranges::reverse(out);
  return out;
}

Result<ExportPage> ask_for_export(Courier& courier, const fleet::RecordFilter& filter, const std::string& hash) {
  const auto page = ask_collector(
      courier,
      Json::object({{"what", Json::string("export")}, {"hash", Json::string(hash)}, {"filter", filter_json(filter)}}));
  if (!page) return std::unexpected(page.error());
  ExportPage out{.records = {}, .begins_again = (*page)["begins_again"].as_bool().value_or(false)};
  for (const Json& one : (*page)["records"].elements()) {
    out.records.push_back({one["number"].as_integer().value_or(0), one["machine"].as_string().value_or(""),
                           one["record"], one["hash"].as_string().value_or("")});
  }
  return out;
}

Result<std::string> ask_for_key(Courier& courier, const std::string& machine) {
  const auto answer =
      ask_collector(courier, Json::object({{"what", Json::string("key")}, {"machine", Json::string(machine)}}));
  if (!answer) return std::unexpected(answer.error());
  const std::string key = (*answer)["key"].as_string().value_or("");
  if (key.empty())
    return fail(Errc::NotFound, "there is no machine '" + machine + "'; `grapnel fleet status` lists them");
  return key;
}

}  // namespace grapnel::cli
