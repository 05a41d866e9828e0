#include <atomic>
#include <thread>

#include "agent/http_hook_client.h"
#include "engine/fixture.h"
#include "net/loopback_server.h"

// Http hooks of an engine against real servers, most of them hostile.

namespace grapnel::testing {
namespace {

using Server = LoopbackServer;
using agent::NetHookClient;
using namespace std::chrono_literals;

class HttpHookTest : public EngineTest {
 protected:
  /// An engine with these hooks at PreToolUse, as Claude's settings have them; the server's host may be on this
  /// machine.
  std::unique_ptr<Engine> engine_of(const std::string& hooks, std::vector<std::string> more_env = {},
                                    net::HttpRequest base = {}) {
    EngineOptions out = options();
    out.env->insert(out.env->end(), more_env.begin(), more_env.end());
    out.host.http_client = std::make_shared<NetHookClient>(std::move(base));
    out.limits.max_output = 4096;
    out.configs.push_back(
        {"claude", "",
         json(R"({"allowedHttpHookUrls": ["http://127.0.0.1:*", "*"], "hooks": {"PreToolUse": [{"hooks": [)" + hooks +
              "]}]}}")});
    return Engine::create(std::move(out));
  }

  static std::string hook(const std::string& url, const std::string& more = "") {
    return R"({"type": "http", "url": ")" + url + "\"" + (more.empty() ? "" : ", ") + more + "}";
  }

  static Event event() { return pre_tool("Bash", R"({"command":"ls"})"); }
};

constexpr const char* kDeny =
    R"({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}})";

TEST_F(HttpHookTest, PostsTheEventAndTakesTheAnswer) {
  Server server({{.body = kDeny}});
  const auto engine = engine_of(hook(server.url("/hooks?key=k"), R"("headers": {"Authorization": "Bearer ${TOKEN}"},
                                     "allowedEnvVars": ["TOKEN"])"),
                                {"TOKEN=t0p"});
  EXPECT_TRUE(engine->problems().empty()) << engine->problems().front().to_string();
  const Decision decision = engine->fire(event());
  EXPECT_TRUE(decision.denied());
  EXPECT_EQ(decision.reason(), "no");
  ASSERT_EQ(server.requests().size(), 1U);
  const Server::Request request = server.requests().front();
  EXPECT_EQ(request.method + " " + request.target, "POST /hooks?key=k");
  EXPECT_EQ(request.header("authorization"), "Bearer t0p");
  EXPECT_EQ(request.header("content-type"), "application/json");
  EXPECT_EQ(json(request.body)["tool_input"]["command"].as_string(), "ls");
  EXPECT_EQ(decision.hooks.front().detail, "status 200, " + std::to_string(std::string_view(kDeny).size()) +
                                               " bytes from " + server.url("/hooks") + "?…");
}

struct HostileCase {
  const char* note;
  Server::Answer answer;
  const char* want;  ///< of the failure
  std::string timeout = "200";
};

TEST_F(HttpHookTest, AServerThatMisbehavesHasFailedAndDecidesNothing) {
  using Ending = Server::Ending;
  const std::string allow = R"({"hookSpecificOutput": {"permissionDecision": "allow"}})";
  const std::string head = "HTTP/1.1 200 OK\r\n";
  const std::string gzip("\x1f\x8b\x08\0\0\0\0\0", 8);
  const HostileCase cases[] = {
      {"redirects to this machine",
       {.status = 302, .headers = {{"Location", "http://127.0.0.1:1/"}}, .body = allow},
       "status 302"},
      {"redirects for good", {.status = 308, .headers = {{"Location", "file:///etc/passwd"}}}, "status 308"},
      {"never sends its head", {.ending = Ending::Hang, .silent = true}, "timed out after 50 ms", "0.05"},
      {"never ends its head", {.ending = Ending::Hang, .raw = head + "X-Slow: "}, "timed out after 50 ms", "0.05"},
      {"never ends its body", {.body = allow, .ending = Ending::Hang}, "timed out after 50 ms", "0.05"},
      {"says too much", {.body = std::string(100000, '{')}, "larger than 4096 bytes"},
      {"says it in pieces", {.body = std::string(200000, ' '), .piece = 100}, "larger than"},
      {"has an endless head", {.headers = {{"X", std::string(200000, 'x')}}}, "no reply: "},
      {"promises more than it sends",
       {.ending = Ending::Cut, .raw = head + "Content-Length: 1000\r\n\r\n" + allow},
       "no reply: "},
      {"sends more than it promises",
       {.ending = Ending::Cut, .raw = head + "Content-Length: 10\r\n\r\n" + allow},
       "its answer is not a JSON object"},
      {"closes in the middle", {.body = allow, .ending = Ending::Cut}, "no reply: "},
      {"resets", {.ending = Ending::Reset, .silent = true}, "no reply: "},
      {"speaks something else", {.ending = Ending::Cut, .raw = "220 mail.test ESMTP\r\n\r\n"}, "no reply: "},
      {"only says that it goes on",
       {.ending = Ending::Hang, .raw = "HTTP/1.1 100 Continue\r\n\r\n"},
       "timed out after 50 ms",
       "0.05"},
      {"packs its answer",
       {.headers = {{"Content-Encoding", "gzip"}}, .body = gzip},
       "its answer is not a JSON object"},
      {"answers a list", {.body = "[" + allow + "]"}, "its answer is not a JSON object"},
      {"is in trouble", {.status = 500, .body = allow}, "status 500"},
  };
  for (const HostileCase& c : cases) {
    SCOPED_TRACE(c.note);
    Server server({c.answer});
    for (const bool blocks : {false, true}) {
      const auto engine =
          engine_of(hook(server.url("/"), R"("timeout": )" + c.timeout + (blocks ? R"(, "onFailure": "block")" : "")));
      const Decision decision = engine->fire(event());
      ASSERT_EQ(decision.hooks.size(), 1U);
      EXPECT_EQ(decision.hooks.front().kind, HookFate::Kind::Failed);
      EXPECT_NE(decision.hooks.front().detail.find(c.want), std::string::npos) << decision.hooks.front().detail;
      EXPECT_EQ(decision.verdict(), blocks ? Verdict::Deny : Verdict::Pass);
    }
  }
}

TEST_F(HttpHookTest, InterimAnswersAreNone) {
  Server server({{.ending = Server::Ending::Cut,
                  .raw = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\nHTTP/1.1 200 OK\r\n"
                         "Content-Length: " +
                         std::to_string(std::string_view(kDeny).size()) + "\r\n\r\n" + kDeny}});
  EXPECT_TRUE(engine_of(hook(server.url("/")))->fire(event()).denied());
}

/// Where names lead is looked at after they were looked up, however the address is written.
TEST_F(HttpHookTest, ThisMachineIsRefusedWhateverItIsCalled) {
  Server server({{.body = kDeny}});
  const std::string port = server.url().substr(server.url().rfind(':'));
  const std::string names[] = {
      "127.0.0.2", "localhost", "LOCALHOST",          "policy.test",     "127.1",     "2130706433",
      "0x7f.1",    "0.0.0.0",   "[::ffff:127.0.0.1]", "[::1]",           "[::]",      "[::127.0.0.1]",
      "10.0.0.1",  "[fe80::1]", "169.254.169.254",    "[fd00:ec2::254]", "224.0.0.1",
  };
  net::HttpRequest base;
  base.resolve = {"policy.test" + port + ":127.0.0.1"};
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto engine = engine_of(hook("http://" + name + port + "/", R"("onFailure": "block")"), {}, base);
    const Decision decision = engine->fire(event());
    EXPECT_TRUE(decision.denied()) << "what could not be asked has not agreed";
    EXPECT_NE(decision.reason().find("hooks may not post to this machine or to private networks"), std::string::npos)
        << decision.reason();
  }
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(HttpHookTest, HeadersCannotBeBrokenOutOf) {
  Server server({{.body = ""}});
  const auto engine = engine_of(hook(server.url("/"), R"("headers": {"X": "$BAD"}, "allowedEnvVars": ["BAD"])"),
                                {"BAD=a\r\nX-Evil: 1\r\n\r\nGET /admin HTTP/1.1"});
  EXPECT_EQ(engine->fire(event()).hooks.front().detail, "not started: its header 'X' has a line break in it");
  EXPECT_EQ(server.connections(), 0U);
}

/// Each of the two servers answers only after the other was asked, and so does a command beside them.
TEST_F(HttpHookTest, RunBesideEachOtherAndBesideCommands) {
  class Meeting final : public HttpHookClient {
   public:
    Result<HttpHookReply> send(const HttpHookRequest&, std::stop_token cancel) override {
      ++here_;
      while (here_ < 2 && !cancel.stop_requested()) std::this_thread::yield();
      return HttpHookReply{200, "", ""};
    }

   private:
    std::atomic<int> here_ = 0;
  };
  EngineOptions out = options();
  out.host.http_client = std::make_shared<Meeting>();
  out.configs.push_back(
      {"claude", "", json(R"({"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "https://a.test/"},
                                  {"type": "command", "command": "true"}, {"type": "http", "url": "https://b.test/"}]}]}})")});
  const Decision decision = Engine::create(std::move(out))->fire(event());
  ASSERT_EQ(decision.hooks.size(), 3U);
  for (const HookFate& fate : decision.hooks) EXPECT_EQ(fate.kind, HookFate::Kind::Ran) << fate.detail;
}

TEST_F(HttpHookTest, CancelEndsThePost) {
  Server server({{.ending = Server::Ending::Hang, .silent = true}});
  const auto engine = engine_of(hook(server.url("/"), R"("onFailure": "block")"));
  std::stop_source stop;
  std::jthread giver([&] {
    while (server.requests().empty()) std::this_thread::yield();
    stop.request_stop();
  });
  const Decision decision = engine->fire(event(), stop.get_token());
  EXPECT_EQ(decision.origin, Origin::Engine);
  EXPECT_EQ(decision.verdict(), Verdict::Pass);
}

TEST_F(HttpHookTest, APosterThatThrowsIsAFailure) {
  class Broken final : public HttpHookClient {
   public:
    Result<HttpHookReply> send(const HttpHookRequest&, std::stop_token) override { throw std::runtime_error("oh no"); }
  };
  EngineOptions out = options();
  out.host.http_client = std::make_shared<Broken>();
  out.configs.push_back(
      {"claude", "", json(R"({"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "https://a.test/"}]}]}})")});
  EXPECT_EQ(Engine::create(std::move(out))->fire(event()).hooks.front().detail, "threw: oh no");
}

TEST_F(HttpHookTest, AnAsyncPostIsSentAndDecidesNothing) {
  Server server({{.body = kDeny}});
  EXPECT_FALSE(engine_of(hook(server.url("/"), R"("async": true)"))->fire(event()).denied());
  EXPECT_EQ(server.requests().size(), 1U) << "the engine's end waits for it";
  ASSERT_EQ(sink_->records.size(), 2U);
  EXPECT_TRUE(sink_->records.back().in_background);
  EXPECT_TRUE(sink_->records.back().hooks.front().detail.starts_with("status 200, "));
}

}  // namespace
}  // namespace grapnel::testing
