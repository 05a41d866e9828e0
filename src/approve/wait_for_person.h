#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "grapnel/person.h"

#include "approve/listener.h"
#include "base/environment.h"

namespace grapnel {

struct PersonWait {
  std::chrono::milliseconds patience{0};
  PeerObjection objection;                ///< to a process that wants to answer
  std::vector<std::string> secrets = {};  ///< patterns that are masked, besides the usual ones
  /// A pipe to whoever reads the decision, or -1. If its reader goes away, nobody waits any more.
  int reader = -1;
  Reach reach = Reach::Here;  ///< who may answer
};

/// Publishes the question and waits for an answer. It ends at once when there is no listener, when the last one goes,
/// on `stop`, and when too many questions wait already. Whatever goes wrong is no answer.
PersonAnswer wait_for_person(const Environment& env, const PersonQuestion& question, const PersonWait& wait,
                             const std::stop_token& stop);

}  // namespace grapnel
