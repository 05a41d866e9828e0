#include <gtest/gtest.h>
#include <sys/wait.h>

#include "ui/page.h"

/// What hooks ask is answered in the page, if it is unlocked.
namespace grapnel::testing {
namespace {

class PageApprovals : public ::testing::Test {
 protected:
  PageApprovals() {
    world_.dir().put("home/.config/agents/grapnel.yaml", R"(version: 1
hooks:
  - name: ask-before-publish
    on: PreToolUse
    when: { tool: shell, command: npm publish }
    ask: Publish this?
)");
    world_.dir().put("home/.config/grapnel/settings.yaml", "ask: page\nask_wait: 150s\n");
  }

  /// Unlocks the page and lets it follow what happens; from then on, somebody is there to answer.
  void be_there() {
    page_.sign_in();
    ASSERT_EQ(page_.post("/api/unlock", Json::object({{"code", Json::string(page_.code())}})).status, 200);
    live_ = UniqueFd(page_.connect());
    std::string bytes = "GET /api/live HTTP/1.1\r\n";
    for (const std::string& header : page_.headers()) bytes += header + "\r\n";
    bytes += "\r\n";
    ASSERT_EQ(::write(live_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ASSERT_EQ(read_reply(live_.get()).status, 200);
    ASSERT_TRUE(becomes_true([&] {
      std::error_code error;
      const bool is_empty = std::filesystem::is_empty(world_.dir() / "run/grapnel/asks/listeners", error);
      return !error && !is_empty;
    }));
  }

  /// An agent's call, in a process of its own.
  World::Started fire() const {
    World::Started started = world_.start({"fire", "--as", "claude"});
    const std::string payload = R"({"hook_event_name":"PreToolUse","session_id":"s1","cwd":")" + world_.project() +
                                R"(","tool_name":"Bash","tool_input":{"command":"npm publish --tag next"}})";
    static_cast<void>(::write(started.input.get(), payload.data(), payload.size()));
    started.input.reset();
    return started;
  }

  Json waiting() const { return page_.get("/api/approvals").json()["waiting"]; }

  /// What the agent was told.
  static std::string told(World::Started& started) {
    std::string out;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(started.output.get(), buffer, sizeof buffer)) > 0;) {
      out.append(buffer, static_cast<size_t>(got));
    }
    ::waitpid(started.pid, nullptr, 0);
    return out;
  }

  Reply answer(const std::string& id, const Json& body) const { return page_.post("/api/approvals/" + id, body); }

  UiWorld world_;
  Page page_{world_, Page::With::Terminal};
  UniqueFd live_;
};

TEST_F(PageApprovals, AQuestionIsShownAndAllowedOnce) {
  be_there();
  World::Started agent = fire();
  ASSERT_TRUE(becomes_true([&] { return waiting().size() == 1; }));
  const Json ask = waiting().at(0);
  EXPECT_EQ(ask["subject"].as_string(), "npm publish --tag next");
  EXPECT_EQ(ask["hook"].as_string(), "ask-before-publish");
  EXPECT_EQ(ask["reason"].as_string(), "Publish this?");
  EXPECT_EQ(ask["session_so_far"]["events"].as_integer(), 3);
  EXPECT_EQ(page_.get("/api/about").json()["waiting"].as_integer(), 1);
  const std::string id = ask["id"].as_string().value_or("");
  const Reply reply = answer(id, Json::object({{"answer", Json::string("once")}, {"digest", ask["digest"]}}));
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_TRUE(told(agent).contains("\"allow\""));
  EXPECT_EQ(answer(id, Json::object({{"answer", Json::string("once")}})).status, 409);
  EXPECT_TRUE(page_.screen().contains("npm publish"));
}

TEST_F(PageApprovals, DeniedWithAReason) {
  be_there();
  World::Started agent = fire();
  ASSERT_TRUE(becomes_true([&] { return waiting().size() == 1; }));
  const Json body = Json::object({{"answer", Json::string("deny")}, {"reason", Json::string("Not on a Friday.")}});
  EXPECT_EQ(answer(*waiting().at(0)["id"].as_string(), body).status, 200);
  const std::string out = told(agent);
  EXPECT_TRUE(out.contains("\"deny\"") && out.contains("Not on a Friday.")) << out;
}

TEST_F(PageApprovals, ARuleAnswersFromNowOn) {
  be_there();
  World::Started agent = fire();
  ASSERT_TRUE(becomes_true([&] { return waiting().size() == 1; }));
  const Json ask = waiting().at(0);
  const Json made = page_.post("/api/rules/from", Json::object({{"id", ask["event_id"]}})).json();
  const Json body = made.merged(Json::object({{"answer", Json::string("rule")}, {"scope", Json::string("user")}}));
  const Reply reply = answer(*ask["id"].as_string(), body);
  ASSERT_EQ(reply.status, 200) << reply.body << made.dump();
  EXPECT_TRUE(told(agent).contains("\"allow\""));
  World::Started again = fire();
  EXPECT_TRUE(told(again).contains("\"allow\""));
  // People hear of it when the next session begins, once.
  const auto begin = [&](const std::string& session) {
    const std::string start = R"({"hook_event_name":"SessionStart","source":"startup","session_id":")";
    return world_.run({"fire", "--as", "claude"}, start + session + R"(","cwd":")" + world_.project() + "\"}").out;
  };
  const std::string heard = begin("s2");
  EXPECT_TRUE(heard.contains("guards were made weaker: `new rule allow-")) << heard;
  EXPECT_FALSE(begin("s3").contains("guards were made weaker"));
  EXPECT_TRUE(world_.run({"log", "--json", "--limit", "0"}).out.contains("somebody made it in the page"));
}

/// A page that cannot answer must not make anybody wait for it.
TEST_F(PageApprovals, NobodyWaitsForALockedPage) {
  page_.sign_in();
  World::Started agent = fire();
  EXPECT_TRUE(told(agent).contains("\"ask\""));
}

TEST_F(PageApprovals, WithoutTheTokenNobodyAnswers) {
  be_there();
  World::Started agent = fire();
  ASSERT_TRUE(becomes_true([&] { return waiting().size() == 1; }));
  const std::string id = waiting().at(0)["id"].as_string().value_or("");
  const std::vector<std::string> forged = {"Host: " + page_.host(), "Origin: " + page_.origin(),
                                           "Sec-Fetch-Site: same-origin", "Content-Type: application/json"};
  EXPECT_EQ(page_.request("POST", "/api/approvals/" + id, forged, R"({"answer":"once"})").status, 401);
  EXPECT_EQ(waiting().size(), 1U);
  // The page goes away: what the agent does by itself.
  live_.reset();
  EXPECT_TRUE(told(agent).contains("\"ask\""));
}

}  // namespace
}  // namespace grapnel::testing
