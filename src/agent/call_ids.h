#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "grapnel_agent/model.h"

namespace grapnel::agent {

/// Gives every tool call of a session an id of its own. Hooks, the UI and the transcript tell calls apart by their ids,
/// but some providers use the same ids again in every answer (`call_0`, `call_1`). A call keeps the provider's id if it
/// is new in the session; a repeated one gets a number: `call_0_2`. The provider then reads the new id both in the call
/// and in its result. Thread: any.
class CallIds {
 public:
  /// Notes the calls of a conversation that is continued.
  void note(const std::vector<llm::ModelMessage>& messages);
  /// Renames the calls among these parts, which the model has just sent, whose id has been used before.
  void make_unique(std::vector<llm::ModelPart>& parts);

 private:
  std::mutex lock_;
  std::set<std::string> used_;
};

}  // namespace grapnel::agent
