#pragma once

#include <chrono>
#include <vector>

#include "discover/find/grapnel_settings.h"

namespace grapnel {

/// Where people want to be asked: `ask: page` in `settings.yaml` lets an Ask wait for an answer in the page or in
/// `grapnel approve`, for as long as `ask_wait` says. `ask: agent`, the default, leaves it to the agent.
struct AskSetting {
  static constexpr std::chrono::milliseconds kUsualWait = std::chrono::seconds(60);

  bool in_page = false;
  std::chrono::milliseconds wait = kUsualWait;
};

/// What the files say; the administrator's has the last word. A value that is not known counts as the default.
AskSetting read_ask_setting(const GrapnelSettings& settings);

/// What is wrong with it, for people.
std::vector<ConfigProblem> ask_problems(const GrapnelSettings& settings, const PlaceRoots& roots);

}  // namespace grapnel
