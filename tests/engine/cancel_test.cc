#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

using Cancel = EngineTest;

TEST_F(Cancel, GivesUpAnEventAndItsChildren) {
  auto engine = engine_with("gemini", R"({"hooks":{"BeforeTool":[{"sequential":true,"hooks":[
      {"type":"command","command":"touch started; exec sleep 600","name":"first"},{"type":"command","command":"true","name":"second"}]}]}})");
  std::stop_source stop;
  std::future<Decision> pending = engine->fire_async(pre_tool("Bash", "{}"), stop.get_token());
  EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(dir_ / "project/started"); }));
  stop.request_stop();
  const Decision decision = pending.get();
  EXPECT_EQ(decision.verdict(), Verdict::Pass);
  EXPECT_EQ(decision.origin, Origin::Engine);
  ASSERT_EQ(decision.hooks.size(), 2u);
  EXPECT_EQ(decision.hooks[0].detail, "cancelled");
  EXPECT_EQ(decision.hooks[1].detail, "the event was cancelled");
}

TEST_F(Cancel, BeforeTheStartRunsNothing) {
  auto engine =
      engine_with("gemini", R"({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"touch ran"}]}]}})");
  std::stop_source stop;
  stop.request_stop();
  engine->fire(pre_tool("Bash", "{}"), stop.get_token());
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/ran"));
}

TEST_F(Cancel, LeavesTheNextEventAlone) {
  auto engine =
      engine_with("gemini", R"({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"exit 2"}]}]}})");
  std::stop_source stop;
  stop.request_stop();
  engine->fire(pre_tool("Bash", "{}"), stop.get_token());
  EXPECT_TRUE(engine->fire(pre_tool("Bash", "{}")).denied());
}

}  // namespace
}  // namespace grapnel::testing
