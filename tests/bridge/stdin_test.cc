#include <gtest/gtest.h>

#include "bridge/fire_support.h"

/// Agents that handle the pipe badly: it stays open, breaks, or has too much in it.
namespace grapnel::testing {

namespace {

const std::string kCall =
    R"({"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm x"}})";

class AgentsPipe : public ::testing::Test {
 protected:
  AgentsPipe() {
    world_.put_rules("version: 1\nhooks: [{name: r, on: PreToolUse, when: {tool: shell}, deny: not here}]\n");
  }
  BridgeWorld world_;
};

TEST_F(AgentsPipe, IsAnsweredByWhatCame) {
  const struct {
    const char* note;
    std::string payload;
    int exit;
    std::string out;  ///< is in the output, or "" for none
    std::string err;  ///< is on standard error
  } cases[] = {
      {"one event", kCall, 0, R"("permissionDecision":"deny")", ""},
      {"two: the first is the event", kCall + "\n" + kCall, 0, R"("permissionDecision":"deny")",
       "extra text after the JSON object"},
      {"two in a row", kCall + kCall, 0, R"("permissionDecision":"deny")", "extra text after the JSON object"},
      {"something behind it", kCall + " trailing", 0, R"("permissionDecision":"deny")",
       "extra text after the JSON object"},
      {"the agent died in the middle", kCall.substr(0, kCall.size() / 2), 1, "", "not valid JSON"},
      {"invalid JSON", R"({"hook_event_name": oops})", 1, "", "not valid JSON"},
      {"no object", "[1]", 1, "", "must be a JSON object"},
      {"nothing", "", 1, "", "empty"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.note);
    const size_t before = world_.records().size();
    const Fired fired = world_.run_one({"--as", "claude"}, c.payload);
    EXPECT_EQ(fired.exit, c.exit) << fired.err;
    EXPECT_EQ(fired.out.empty(), c.out.empty()) << fired.out;
    EXPECT_NE(fired.out.find(c.out), std::string::npos) << fired.out;
    EXPECT_NE(fired.err.find(c.err), std::string::npos) << fired.err;
    EXPECT_EQ(world_.records().size(), before + 1) << "an error is on record, too";
  }
}

TEST_F(AgentsPipe, ErrorsOfOursBlockNobodyAndAreSeen) {
  const struct {
    const char* as;
    std::vector<std::string> event;
    int exit;
    const char* out;
  } cases[] = {
      {"claude", {}, 1, ""},
      {"codex", {}, 1, ""},
      {"qwen", {}, 1, ""},
      {"gemini", {}, 1, ""},  // 0 and 1 are the only codes it does not block at
      {"kimi", {}, 1, ""},
      {"cursor", {}, 1, ""},
      {"opencode", {}, 1, ""},
      {"copilot", {"preToolUse"}, 0, "\"type\":\"progress\""},  // any code but 0 would deny
      {"copilot-vscode", {}, 0, "\"type\":\"progress\""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.as);
    std::vector<std::string> args = {"--as", c.as};
    args.insert(args.end(), c.event.begin(), c.event.end());
    const Fired fired = world_.run_one(args, "{\"cut off\": ");
    EXPECT_EQ(fired.exit, c.exit);
    EXPECT_NE(fired.out.find(c.out), std::string::npos) << fired.out;
    EXPECT_NE(fired.err.find("grapnel: the payload is not valid JSON"), std::string::npos) << fired.err;
  }
}

TEST_F(AgentsPipe, MayStayOpen) {
  ChildSpec child = world_.fire({}, "");
  child.path = "/bin/sh";
  child.argv = {"sh", "-c",
                "{ printf '%s' '" + kCall + "'; exec sleep 600; } | { " + std::string(GRAPNEL_COMMAND) +
                    " fire --bridge --as claude; kill 0; }"};
  child.timeout = std::chrono::seconds(200);
  const RunOutcome ended = run_children({&child, 1}, 1, {}, {}).front();
  EXPECT_NE(ended.out.bytes.find(R"("permissionDecision":"deny")"), std::string::npos) << ended.err.bytes;
  EXPECT_FALSE(std::holds_alternative<TimedOut>(ended.ending)) << "it waited for the end of its input";
}

TEST_F(AgentsPipe, MayHoldThirtyMegabytes) {
  const std::string large(size_t{30} << 20, 'x');
  const Fired fired =
      world_.run_one({"--as", "claude"},
                     R"({"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":")"
                     "rm x # " +
                         large + "\"}}");
  EXPECT_EQ(fired.exit, 0) << fired.err;
  EXPECT_NE(fired.out.find(R"("permissionDecision":"deny")"), std::string::npos) << fired.out << fired.err;
}

TEST_F(AgentsPipe, MayHoldTooMuch) {
  const std::string large(size_t{65} << 20, 'x');
  const Fired fired = world_.run_one({"--as", "claude"}, R"({"hook_event_name":"Stop","x":")" + large + "\"}");
  EXPECT_EQ(fired.exit, 1);
  EXPECT_NE(fired.err.find("larger than"), std::string::npos) << fired.err;
}

}  // namespace

}  // namespace grapnel::testing
