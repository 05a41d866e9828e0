#include "agent/call_ids.h"

#include <gtest/gtest.h>

namespace grapnel::agent {
namespace {

std::vector<llm::ModelPart> calls(const std::vector<std::string>& ids) {
  std::vector<llm::ModelPart> parts = {llm::TextPart{"I shall see."}};
  for (const std::string& id : ids) parts.emplace_back(llm::ToolCallPart{id, "Bash", Json::object(), ""});
  return parts;
}

std::vector<std::string> ids_of(const std::vector<llm::ModelPart>& parts) {
  std::vector<std::string> ids;
  for (const llm::ModelPart& part : parts) {
    if (const auto* call = std::get_if<llm::ToolCallPart>(&part)) ids.push_back(call->id);
  }
  return ids;
}

TEST(CallIds, EveryCallHasAnIdOfItsOwn) {
  const struct {
    const char* note;
    std::vector<std::string> told;
    std::vector<std::string> want;
  } steps[] = {
      {"new ids stay", {"call_0", "call_1"}, {"call_0", "call_1"}},
      {"used ones get a number", {"call_0", "call_1"}, {"call_0_2", "call_1_2"}},
      {"and another", {"call_0"}, {"call_0_3"}},
      {"also within one answer", {"same", "same"}, {"same", "same_2"}},
      {"a number may be taken", {"same_2", "same"}, {"same_2_2", "same_3"}},
  };
  CallIds ids;
  for (const auto& step : steps) {
    SCOPED_TRACE(step.note);
    std::vector<llm::ModelPart> parts = calls(step.told);
    ids.make_unique(parts);
    EXPECT_EQ(ids_of(parts), step.want);
  }
}

TEST(CallIds, ACallOfAResumedConversationIsKnown) {
  CallIds ids;
  ids.note({{llm::ModelRole::Assistant, calls({"call_0"})}});
  std::vector<llm::ModelPart> parts = calls({"call_0"});
  ids.make_unique(parts);
  EXPECT_EQ(ids_of(parts), std::vector<std::string>{"call_0_2"});
}

}  // namespace
}  // namespace grapnel::agent
