#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "discover/find/grapnel_settings.h"

namespace grapnel {

/// Where people want to be asked: `ask: page` in `settings.yaml` lets an Ask wait for an answer in the page or in
/// `grapnel approve`, for as long as `ask_wait` says. `ask: fleet` also lets people elsewhere answer (docs/fleet.md).
/// `ask: agent`, the default, leaves it to the agent.
struct AskSetting {
  static constexpr std::chrono::milliseconds kUsualWait = std::chrono::seconds(60);

  bool in_page = false;
  bool in_fleet = false;  ///< and also in the page
  std::chrono::milliseconds wait = kUsualWait;
};

/// What the files say: the administrator's has the last word, then the policy of the fleet. A value that is not known
/// counts as the default.
AskSetting read_ask_setting(const PlaceRoots& roots);

/// The settings that the policy of a fleet may have, in a `settings.yaml` beside its rules.
inline constexpr auto kPolicySettings = std::to_array<std::string_view>({"ask", "ask_wait"});
/// What is wrong with such settings; "" if nothing is.
std::string mistake_in_policy_settings(const Json& settings);

/// What is wrong with it, for people.
std::vector<ConfigProblem> ask_problems(const GrapnelSettings& settings, const PlaceRoots& roots);

}  // namespace grapnel
