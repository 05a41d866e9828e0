#pragma once

#include <functional>
#include <map>
#include <string>

/// What is measured beside peers: each scenario by Grapnel and, where it starts processes, by the floor.
namespace grapnel::bench {

struct Scenario {
  size_t batch = 1;  ///< how many make one sample: what takes less than a microsecond is measured in bulk
  std::function<std::function<void()>()> prepare;  ///< called at the first use
  std::string follows = {};                        ///< runs this scenario, untimed, before each sample
  bool is_on_one_core = false;                     ///< the host and its children stay on one core
};

/// By name, `what/by-whom`. `grapnel` is the command, for the scenarios that start it.
std::map<std::string, Scenario> scenarios(const std::string& grapnel);

}  // namespace grapnel::bench
