#include "discover/find/ask_setting.h"

#include <algorithm>

#include "discover/find/overrides.h"

namespace grapnel {

namespace {

/// No agent waits longer for a hook than this.
constexpr std::chrono::milliseconds kLongestWait = std::chrono::minutes(60);

/// A duration in the spelling of all settings; a bare number is seconds. Nothing if it is none, or too long.
std::optional<std::chrono::milliseconds> wait_in(const Json& value) {
  const std::string text = value.is_string() ? *value.as_string() : value ? value.dump() : "";
  const auto wait = parse_duration(text);
  return wait && *wait <= kLongestWait ? wait : std::nullopt;
}

bool is_place(const Json& place) {
  constexpr auto kPlaces = std::to_array<std::string_view>({"agent", "page", "fleet"});
  return std::ranges::any_of(kPlaces, [&](std::string_view known) { return place.equals_string(known); });
}

}  // namespace

AskSetting read_ask_setting(const PlaceRoots& roots) {
  const GrapnelSettings own = read_grapnel_settings(roots);
  const Json policy = read_policy_settings(roots);
  const auto value = [&](std::string_view key) {
    return own.managed[key] ? own.managed[key] : policy[key] ? policy[key] : own.user[key];
  };
  const Json place = value("ask");
  const bool in_fleet = place.equals_string("fleet");
  return {.in_page = in_fleet || place.equals_string("page"),
          .in_fleet = in_fleet,
          .wait = wait_in(value("ask_wait")).value_or(AskSetting::kUsualWait)};
}

std::string mistake_in_policy_settings(const Json& settings) {
  for (const JsonMember& member : settings.members()) {
    if (std::ranges::find(kPolicySettings, member.key) == kPolicySettings.end())
      return "'" + member.key + "' is no setting of a policy; there are ask and ask_wait";
  }
  if (settings["ask"] && !is_place(settings["ask"])) return "write ask: fleet, ask: page or ask: agent";
  if (settings["ask_wait"] && !wait_in(settings["ask_wait"])) return "write ask_wait: 60s, at most an hour";
  return "";
}

std::vector<ConfigProblem> ask_problems(const GrapnelSettings& settings, const PlaceRoots& roots) {
  const auto paths = grapnel_settings_files(roots);
  std::vector<ConfigProblem> out;
  const auto check = [&](const Json& file, const std::string& path) {
    const Json place = file["ask"];
    if (place && !is_place(place)) {
      out.push_back({ConfigProblem::Severity::Error,
                     "'ask' has a value that is not known, so the agent asks",
                     {path, 0, 0},
                     "write ask: page, ask: fleet or ask: agent"});
    }
    if (file["ask_wait"] && !wait_in(file["ask_wait"])) {
      out.push_back({ConfigProblem::Severity::Error,
                     "'ask_wait' must be a time of at most an hour, so 60 s are waited",
                     {path, 0, 0},
                     "write ask_wait: 60s"});
    }
  };
  check(settings.managed, paths[0]);
  check(settings.user, paths[1]);
  return out;
}

}  // namespace grapnel
