#include "bridge/opencode_plugin.h"

#include <gtest/gtest.h>

#include "bridge/fire_support.h"

/// The plug-in under node, in a host that calls it as OpenCode does, with the real `grapnel fire` behind it.
namespace grapnel::testing {

namespace {

class OpencodePlugin : public ::testing::Test {
 protected:
  /// What became of each step, one line of JSON for each.
  std::vector<Json> play(const std::string& steps, const PluginOptions& options = {GRAPNEL_COMMAND, false}) const {
    world_.dir().put("plugin.mjs", opencode_plugin(options));
    ChildSpec host = world_.fire({}, steps);
    host.path = GRAPNEL_NODE;
    host.argv = {"node", GRAPNEL_OPENCODE_HOST, world_.dir() / "plugin.mjs", world_.dir() / "project"};
    const Fired ended = BridgeWorld::run({host}).front();
    EXPECT_EQ(ended.exit, 0) << ended.err;
    std::vector<Json> out;
    for (size_t at = 0; at < ended.out.size();) {
      const size_t end = std::min(ended.out.find('\n', at), ended.out.size());
      out.push_back(Json::parse(ended.out.substr(at, end - at)).value_or(Json()));
      at = end + 1;
    }
    return out;
  }
  void put_rule(const std::string& rule) const { world_.put_rules("version: 1\nhooks:\n" + rule); }

  BridgeWorld world_;
};

std::string call(const std::string& command) {
  return R"({"hook":"tool.execute.before","input":{"tool":"bash","sessionID":"s","callID":"c"},)"
         R"("output":{"args":{"command":")" +
         command + R"(","timeout":5}}})";
}

TEST_F(OpencodePlugin, ThrowsToDeny) {
  put_rule("  - {name: r, on: PreToolUse, when: {command: rm}, deny: not here}\n");
  const auto steps = play("[" + call("rm x") + "," + call("ls") + "]");
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0]["thrown"].as_string(), "not here");
  EXPECT_FALSE(steps[1]["thrown"]);
  EXPECT_EQ(steps[1]["output"]["args"].dump(), R"({"command":"ls","timeout":5})");
}

TEST_F(OpencodePlugin, ChangesArgumentsInPlace) {
  put_rule("  - {name: r, on: PreToolUse, when: {tool: shell}, rewrite: {input: {/command: ls -l}}}\n");
  const auto steps = play("[" + call("ls") + "]");
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0]["output"]["args"]["command"].as_string(), "ls -l");
  EXPECT_EQ(steps[0]["inPlace"].as_bool(), true) << "another object would not be looked at";
}

TEST_F(OpencodePlugin, TellsContextAndFeedback) {
  put_rule(
      "  - {name: start, on: SessionStart, inject: be brief}\n"
      "  - {name: prompt, on: UserPromptSubmit, inject: mind the gap}\n"
      "  - {name: after, on: PostToolUse, deny: look again}\n");
  const auto steps = play(R"([
    {"event":{"type":"session.created","properties":{"info":{"id":"s"}}}},
    {"hook":"experimental.chat.system.transform","input":{"sessionID":"s"},"output":{"system":["first"]}},
    {"hook":"chat.message","input":{"sessionID":"s","agent":"build"},"output":{"parts":[{"type":"text","text":"hi"}]}},
    {"hook":"tool.execute.after","input":{"tool":"bash","sessionID":"s","callID":"c","args":{"command":"ls"}},
     "output":{"title":"ls","output":"a","metadata":{}}}])");
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[1]["output"]["system"].dump(), R"(["first","be brief"])");
  EXPECT_EQ(steps[2]["output"]["parts"].at(0)["text"].as_string(), "hi\n\nmind the gap");
  EXPECT_EQ(steps[3]["output"]["output"].as_string(), "a\n\nlook again");
}

TEST_F(OpencodePlugin, KeepsASessionGoingThatIsNotDone) {
  put_rule("  - {name: gate, on: Stop, deny: run the tests, max_blocks: 1}\n");
  const std::string idle = R"({"event":{"type":"session.idle","properties":{"sessionID":"s"}}})";
  const auto steps = play("[" + idle + R"(,
    {"hook":"chat.message","input":{"sessionID":"s"},"output":{"parts":[{"type":"text","text":"run the tests"}]}},)" +
                          idle + "]");
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0]["told"].dump(), R"([{"prompt":"s","text":"run the tests"}])");
  // What we said ourselves opens no new turn, so the gate gives up, and the person learns it.
  EXPECT_EQ(steps[2]["told"].dump(),
            R"([{"toast":"hook 'gate' has closed this gate as often as it may in one turn, and it now opens"}])");
}

TEST_F(OpencodePlugin, IsSeenToFail) {
  const auto passing = play("[" + call("ls") + "]", {"/nowhere/grapnel", false});
  ASSERT_EQ(passing.size(), 1U);
  EXPECT_FALSE(passing[0]["thrown"]);
  EXPECT_NE(passing[0]["told"].dump().find("no hook decided"), std::string::npos);
  const auto blocking = play("[" + call("ls") + "]", {"/nowhere/grapnel", true});
  ASSERT_EQ(blocking.size(), 1U);
  EXPECT_NE(blocking[0]["thrown"].as_string().value_or("").find("no hook decided"), std::string::npos);
}

}  // namespace

}  // namespace grapnel::testing
