#include <grp.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "ui/page.h"

/// Who may do what with the page: docs/security.md, "The page".
namespace grapnel::testing {
namespace {

using Headers = std::vector<std::string>;

Json code_of(const std::string& code) {
  return Json::object({{"code", Json::string(code)}});
}

TEST(Gate, ATicketWorksOnce) {
  const UiWorld world;
  Page page(world);
  const Json body = Json::object({{"ticket", Json::string(page.ticket())}});
  EXPECT_EQ(page.post("/api/session", body).status, 200);
  EXPECT_EQ(page.post("/api/session", body).status, 403);
  EXPECT_EQ(page.post("/api/session", Json::object({{"ticket", Json::string("")}})).status, 403);
}

TEST(Gate, EnterPrintsAnotherTicket) {
  const UiWorld world;
  Page page(world);
  page.type("\n");
  ASSERT_TRUE(becomes_true([&] { return page.screen().rfind("#ticket=") != page.screen().find("#ticket="); }));
  const std::string shown = page.screen();
  const std::string second = shown.substr(shown.rfind("#ticket=") + 8, page.ticket().size());
  EXPECT_NE(second, page.ticket());
  EXPECT_EQ(page.post("/api/session", Json::object({{"ticket", Json::string(second)}})).status, 200);
}

TEST(Gate, EveryAnswerButThePageItselfNeedsTheToken) {
  const UiWorld world;
  Page page(world);
  for (const char* path : {"/api/about", "/api/events", "/api/event/x", "/api/live", "/api/doctor", "/api/nothing"}) {
    EXPECT_EQ(page.request("GET", path, {"Host: " + page.host()}).status, 401) << path;
    EXPECT_EQ(page.request("GET", path, {"Host: " + page.host(), "X-Grapnel-Token: " + page.ticket()}).status, 401);
  }
  EXPECT_EQ(page.request("GET", "/", {"Host: " + page.host()}).status, 200);
  const std::string token = page.sign_in();
  EXPECT_EQ(page.get("/api/about").status, 200);
  EXPECT_EQ(page.request("GET", "/api/about", {"Host: " + page.host(), "X-Grapnel-Token: " + token.substr(1)}).status,
            401);
  const Headers twice = {"Host: " + page.host(), "X-Grapnel-Token: " + token, "X-Grapnel-Token: " + token};
  EXPECT_EQ(page.request("GET", "/api/about", twice).status, 401);
  // In a URL it would be in histories and logs; there it is nothing.
  EXPECT_EQ(page.request("GET", "/api/about?token=" + token, {"Host: " + page.host()}).status, 401);
}

TEST(Gate, TheHostIsOurs) {
  const UiWorld world;
  Page page(world);
  const std::string token = "X-Grapnel-Token: " + page.sign_in();
  const std::string port = page.host().substr(page.host().find(':'));
  const std::vector<Headers> wrong = {{},
                                      {"Host: evil.example" + port},
                                      {"Host: localhost" + port},
                                      {"Host: 127.0.0.1"},
                                      {"Host: 127.0.0.1" + port + "0"},
                                      {"Host: " + page.host(), "Host: " + page.host()},
                                      {"Host: " + page.host(), "Host: evil.example"},
                                      {"Host: evil.example", "Host: " + page.host()}};
  for (Headers headers : wrong) {
    headers.push_back(token);
    for (const char* path : {"/", "/api/about"}) EXPECT_EQ(page.request("GET", path, headers).status, 421) << path;
  }
}

TEST(Gate, APostComesFromThePageItself) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const std::string origin = "Origin: " + page.origin(), site = "Sec-Fetch-Site: same-origin",
                    type = "Content-Type: application/json";
  const auto status = [&](const Headers& more) {
    Headers all = page.headers();
    all.insert(all.end(), more.begin(), more.end());
    return page.request("POST", "/api/rules/check", all, R"({"yaml":"version: 1\n"})").status;
  };
  EXPECT_EQ(status({origin, site, type}), 200);
  EXPECT_EQ(status({origin, site, type + "; charset=utf-8"}), 200);
  EXPECT_EQ(status({site, type}), 403);
  EXPECT_EQ(status({origin, type}), 403);
  EXPECT_EQ(status({"Origin: http://evil.example", site, type}), 403);
  EXPECT_EQ(status({"Origin: null", site, type}), 403);
  EXPECT_EQ(status({origin, origin, site, type}), 403);
  EXPECT_EQ(status({origin, "Sec-Fetch-Site: cross-site", type}), 403);
  EXPECT_EQ(status({origin, "Sec-Fetch-Site: same-site", type}), 403);
  EXPECT_EQ(status({origin, "Sec-Fetch-Site: none", type}), 403);
  EXPECT_EQ(status({origin, site}), 415);
  EXPECT_EQ(status({origin, site, "Content-Type: text/plain"}), 415);
  EXPECT_EQ(status({origin, site, "Content-Type: application/x-www-form-urlencoded"}), 415);
}

TEST(Gate, AForeignPageCannotReadEither) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  for (const char* header : {"Origin: http://evil.example", "Sec-Fetch-Site: cross-site"}) {
    Headers all = page.headers();
    all.emplace_back(header);
    EXPECT_EQ(page.request("GET", "/api/about", all).status, 403) << header;
  }
}

TEST(Gate, AnswersMayNotBeLoadedOrKeptByOthers) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  for (const char* path : {"/", "/e/x", "/api/about", "/nowhere"}) {
    const auto headers = page.get(path).headers;
    const std::string policy = headers.at("content-security-policy");
    for (const char* part : {"default-src 'none'", "script-src 'self'", "base-uri 'none'", "form-action 'none'",
                             "frame-ancestors 'none'", "require-trusted-types-for 'script'"}) {
      EXPECT_TRUE(policy.contains(part)) << part;
    }
    EXPECT_FALSE(policy.contains("unsafe"));
    EXPECT_EQ(headers.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(headers.at("referrer-policy"), "no-referrer");
    EXPECT_EQ(headers.at("cross-origin-opener-policy"), "same-origin");
    EXPECT_EQ(headers.at("cross-origin-resource-policy"), "same-origin");
    EXPECT_EQ(headers.at("cache-control"), "no-store");
    EXPECT_FALSE(headers.contains("access-control-allow-origin"));
    EXPECT_FALSE(headers.contains("set-cookie"));
  }
}

/// The requests that change something.
std::vector<Reply> try_to_write(const Page& page) {
  const Json rule = Json::object({{"yaml", Json::string("version: 1\nhooks:\n  - name: all\n    on: PreToolUse\n    "
                                                        "allow: yes\n")},
                                  {"scope", Json::string("user")}});
  return {page.post("/api/rules/save", rule), page.post("/api/trust", Json::object()),
          page.post("/api/approvals/x", Json::object({{"answer", Json::string("once")}}))};
}

TEST(Gate, WithoutATerminalNothingIsWritten) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const std::string before = world.dir().read("home/.config/agents/grapnel.yaml");
  for (const Reply& reply : try_to_write(page)) EXPECT_EQ(reply.status, 403) << reply.body;
  EXPECT_EQ(page.post("/api/unlock", code_of("000000")).status, 403);
  const Json about = page.get("/api/about").json();
  EXPECT_EQ(about["can_unlock"].as_bool(), false);
  EXPECT_TRUE(about["read_only_because"].as_string()->contains("no terminal"));
  EXPECT_EQ(world.dir().read("home/.config/agents/grapnel.yaml"), before);
}

TEST(Gate, TheCodeIsOnlyOnTheTerminal) {
  const UiWorld world;
  Page page(world, Page::With::Terminal);
  page.sign_in();
  const std::string code = page.code();
  ASSERT_EQ(code.size(), 6U);
  for (const Reply& reply : try_to_write(page)) EXPECT_EQ(reply.status, 403) << reply.body;
  EXPECT_FALSE(page.get("/api/about").body.contains(code));
  EXPECT_EQ(page.post("/api/unlock", code_of(code == "123456" ? "654321" : "123456")).status, 403);
  EXPECT_EQ(page.get("/api/about").json()["unlocked"].as_bool(), false);
  EXPECT_EQ(page.post("/api/unlock", code_of(code)).status, 200);
  EXPECT_EQ(page.get("/api/about").json()["unlocked"].as_bool(), true);
  EXPECT_NE(try_to_write(page).front().status, 403);
  EXPECT_TRUE(world.dir().read("home/.config/agents/grapnel.yaml").contains("name: all"));
}

TEST(Gate, UnlockingIsForOneTab) {
  const UiWorld world;
  Page page(world, Page::With::Terminal);
  const std::string first = page.sign_in();
  EXPECT_EQ(page.post("/api/unlock", code_of(page.code())).status, 200);
  page.type("\n");
  ASSERT_TRUE(becomes_true([&] { return page.screen().rfind("#ticket=") != page.screen().find("#ticket="); }));
  const std::string shown = page.screen();
  const Json ticket =
      Json::object({{"ticket", Json::string(shown.substr(shown.rfind("#ticket=") + 8, page.ticket().size()))}});
  const std::string other = page.post("/api/session", ticket).json()["token"].as_string().value_or("");
  const Headers theirs = {"Host: " + page.host(), "X-Grapnel-Token: " + other};
  EXPECT_EQ(Json::parse(page.request("GET", "/api/about", theirs).body)->operator[]("unlocked").as_bool(), false);
}

TEST(Gate, FiveWrongCodesMakeAnotherOne) {
  const UiWorld world;
  Page page(world, Page::With::Terminal);
  page.sign_in();
  const std::string first = page.code();
  const std::string wrong = first == "123456" ? "654321" : "123456";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(page.post("/api/unlock", code_of(wrong)).status, 403);
  ASSERT_TRUE(becomes_true([&] { return page.code() != first; }));
  EXPECT_EQ(page.post("/api/unlock", code_of(first)).status, 403);
  // After twenty, none is right any more.
  for (int i = 0; i < 14; ++i) EXPECT_EQ(page.post("/api/unlock", code_of("")).status, 403);
  EXPECT_EQ(page.post("/api/unlock", code_of(page.code())).status, 403);
}

TEST(Gate, ReadOnlyCannotBeUnlocked) {
  const UiWorld world;
  Page page(world, Page::With::Terminal, {"--no-open", "--read-only"});
  page.sign_in();
  EXPECT_FALSE(page.screen().contains("code"));
  for (const Reply& reply : try_to_write(page)) EXPECT_EQ(reply.status, 403);
  EXPECT_TRUE(page.get("/api/about").json()["read_only_because"].as_string()->contains("--read-only"));
}

TEST(Gate, AnAgentCannotStartAPageThatWrites) {
  UiWorld world;
  const Ended refused = world.run({"ui", "--no-open"}, "", {"CLAUDECODE=1"});
  EXPECT_EQ(refused.status, 1) << refused;
  EXPECT_TRUE(refused.err.contains("is for people"));
  // The program itself, in a terminal that the agent made: it reads, and shows no code.
  world.set("CLAUDECODE=1");
  Page page(world, Page::With::Terminal, {"--no-open", "--read-only"});
  page.sign_in();
  EXPECT_EQ(page.get("/api/events").status, 200);
  for (const Reply& reply : try_to_write(page)) EXPECT_EQ(reply.status, 403);
}

/// What an agent's `curl` can do: it is the same user and can find the port, but it has no ticket and sees no terminal.
TEST(Gate, AnAgentsCurlCannotWrite) {
  const UiWorld world;
  Page page(world, Page::With::Terminal);
  page.code();
  const Headers forged = {"Host: " + page.host(), "Origin: " + page.origin(), "Sec-Fetch-Site: same-origin",
                          "Content-Type: application/json"};
  for (const char* path : {"/api/rules/save", "/api/trust", "/api/approvals/x", "/api/unlock", "/api/rules/check"}) {
    EXPECT_EQ(page.request("POST", path, forged, "{}").status, 401) << path;
  }
  // Even with a ticket that it got from somewhere, writing is locked, and guesses are counted.
  page.sign_in();
  for (const Reply& reply : try_to_write(page)) EXPECT_EQ(reply.status, 403);
}

/// A port is open for all users of the machine.
TEST(Gate, AnotherUserReadsNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) ::_exit(3);
    const Headers bare = {"Host: " + page.host()};
    const bool is_shut =
        page.request("GET", "/api/events", bare).status == 401 && page.request("GET", "/api/live", bare).status == 401;
    // Nor does the process tell: its command line has no secret, and its files are not readable.
    std::ifstream line("/proc/" + std::to_string(page.pid()) + "/cmdline", std::ios::binary);
    const std::string words((std::istreambuf_iterator<char>(line)), {});
    std::ifstream state(world.dir() / "home/.local/state/grapnel/records.jsonl");
    ::_exit(is_shut && !words.contains(page.ticket()) && !state ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace grapnel::testing
