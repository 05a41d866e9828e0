#pragma once

#include <functional>
#include <map>
#include <string>

/// The scenarios that are also measured with peers: each with Grapnel and, if it starts processes, with the floor.
namespace grapnel::bench {

struct Scenario {
  size_t batch = 1;  ///< how many runs make one sample; more than one for work that takes less than a microsecond
  std::function<std::function<void()>()> prepare;  ///< called at the first use
  std::string follows = {};                        ///< runs this scenario, untimed, before each sample
  bool is_on_one_core = false;                     ///< the host and its children stay on one core
};

/// All scenarios by name, `scenario/by-whom`. `grapnel` is the path of the command, for the scenarios that start it.
std::map<std::string, Scenario> scenarios(const std::string& grapnel);

}  // namespace grapnel::bench
