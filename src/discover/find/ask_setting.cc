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

}  // namespace

AskSetting read_ask_setting(const GrapnelSettings& settings) {
  return {.in_page = settings["ask"].equals_string("page"),
          .wait = wait_in(settings["ask_wait"]).value_or(AskSetting::kUsualWait)};
}

std::vector<ConfigProblem> ask_problems(const GrapnelSettings& settings, const PlaceRoots& roots) {
  const auto paths = grapnel_settings_files(roots);
  std::vector<ConfigProblem> out;
  const auto check = [&](const Json& file, const std::string& path) {
    const Json place = file["ask"];
    if (place && !place.equals_string("page") && !place.equals_string("agent")) {
      out.push_back({ConfigProblem::Severity::Error,
                     "'ask' has a value that is not known, so the agent asks",
                     {path, 0, 0},
                     "write ask: page or ask: agent"});
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
