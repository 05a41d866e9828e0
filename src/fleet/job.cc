#include "fleet/job.h"

#include <algorithm>
#include <array>

#include "fleet/member_text.h"
#include "fleet/subjects.h"

namespace grapnel::fleet {

namespace {

constexpr auto kEventMembers = std::to_array<std::string_view>(
    {"id", "time", "event", "dialect", "session", "cwd", "project", "tool", "subject", "payload"});
/// In the order of `JobState::Kind`.
constexpr auto kStates = std::to_array<std::string_view>({"open", "failing", "done", "dead"});

}  // namespace

std::string Job::to_text() const {
  return Json::object({{"v", Json::number(int64_t{1})},
                       {"id", Json::string(id)},
                       {"hook", Json::string(hook)},
                       {"channel", Json::string(channel)},
                       {"bundle", Json::string(bundle)},
                       {"version", Json::number(version)},
                       {"event", event}})
      .dump();
}

std::optional<Job> Job::parse(const std::string& text) {
  const Json json = Json::parse(text).value_or(Json());
  Job out{member_text(json, "id"),
          member_text(json, "hook"),
          member_text(json, "channel"),
          member_text(json, "bundle"),
          json["version"].as_integer().value_or(0),
          json["event"]};
  const bool is_job = json["v"].as_integer() == 1 && is_name(out.id) && !out.hook.empty() && is_name(out.channel);
  return is_job && out.event.is_object() ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Job> job_in(const Json& record, size_t place) {
  const Json wanted = record["jobs"].at(place);
  Job out{
      .id = member_text(wanted, "id"), .hook = member_text(wanted, "hook"), .channel = {}, .bundle = {}, .event = {}};
  if (!is_name(out.id) || out.hook.empty()) return std::nullopt;
  out.event = Json::object();
  for (const std::string_view key : kEventMembers) {
    const Json value = key == "payload" && wanted["payload"] ? wanted["payload"] : record[key];
    if (value) out.event = out.event.with(key, value);
  }
  return out;
}

std::string JobState::to_text() const {
  return Json::object(
             {{"state", Json::string(kStates[static_cast<size_t>(kind)])}, {"failures", Json::number(failures)}})
      .dump();
}

JobState JobState::parse(const std::string& text) {
  const Json json = Json::parse(text).value_or(Json());
  const auto* const found = std::ranges::find(kStates, json["state"].as_string().value_or(""));
  if (found == kStates.end()) return {};
  return {static_cast<Kind>(found - kStates.begin()), json["failures"].as_integer().value_or(0)};
}

}  // namespace grapnel::fleet
