#include "agent/call_ids.h"

namespace grapnel::agent {

void CallIds::note(const std::vector<llm::ModelMessage>& messages) {
  const std::lock_guard lock(lock_);
  for (const llm::ModelMessage& message : messages) {
    for (const llm::ModelPart& part : message.parts) {
      if (const auto* call = std::get_if<llm::ToolCallPart>(&part)) used_.insert(call->id);
    }
  }
}

void CallIds::make_unique(std::vector<llm::ModelPart>& parts) {
  const std::lock_guard lock(lock_);
  for (llm::ModelPart& part : parts) {
    auto* call = std::get_if<llm::ToolCallPart>(&part);
    if (call == nullptr || call->id.empty()) continue;
    const std::string told = call->id;
    for (int number = 2; !used_.insert(call->id).second; ++number) call->id = told + "_" + std::to_string(number);
  }
}

}  // namespace grapnel::agent
