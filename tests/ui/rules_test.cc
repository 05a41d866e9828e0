#include <gtest/gtest.h>

#include "ui/page.h"

/// Rules are tried out by the engine itself.
namespace grapnel::testing {
namespace {

constexpr std::string_view kNoPush = R"(version: 1
hooks:
  # Nobody pushes.
  - name: no-push
    on: PreToolUse
    when: { tool: shell, command: git push }
    deny: Ask somebody.
)";

Json rules(std::string_view yaml) {
  return Json::object({{"yaml", Json::string(yaml)}});
}

TEST(Rules, AReplaySaysWhatWouldHaveChanged) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const Json answer = page.post("/api/rules/replay", rules(kNoPush)).json();
  EXPECT_EQ(answer["replayed"].as_integer(), 3);
  EXPECT_EQ(answer["cannot"].as_integer(), 0);
  EXPECT_EQ(answer["changed"].as_integer(), 1);
  EXPECT_EQ(answer["would"]["deny"].as_integer(), 2);
  EXPECT_EQ(answer["would"]["pass"].as_integer(), 1);
  EXPECT_EQ(answer["was"]["deny"].as_integer(), 1);
  EXPECT_EQ(answer["matrix"]["pass>deny"].as_integer(), 1);
  EXPECT_EQ(answer["matrix"]["deny>deny"].as_integer(), 1);
  ASSERT_EQ(answer["rows"].size(), 2U);
  EXPECT_EQ(answer["rows"].at(0)["command"].as_string(), "git push origin");
  EXPECT_EQ(answer["rows"].at(0)["was"].as_string(), "pass");
  EXPECT_EQ(answer["rows"].at(0)["would"].as_string(), "deny");
}

/// For every event and every rule, the page says what `explain` says about the event's payload.
TEST(Rules, AReplayAgreesWithExplain) {
  const UiWorld world;
  for (const char* command :
       {"rm -rf build", "cat .env", "sudo git push", "git -C x push", "echo git push", "true; git push",
        "bash -c 'git push'", "cat src/a.cc > .env", "npm publish --tag next"}) {
    world.shell(command);
  }
  Page page(world);
  page.sign_in();
  for (const char* when : {"{ tool: shell, command: git push }", "{ path: '**/.env' }", "{ effect: destructive }",
                           "{ tool: shell, flag: --tag }", "{ not: { command: git push } }"}) {
    SCOPED_TRACE(when);
    const std::string yaml =
        "version: 1\nhooks:\n  - name: tried\n    on: PreToolUse\n    when: " + std::string(when) + "\n    deny: no\n";
    const std::string file = world.dir().put("tried.yaml", yaml);
    const Json answer = page.post("/api/rules/replay", rules(yaml)).json();
    EXPECT_EQ(answer["replayed"].as_integer(), 12);
    for (const Json& event : page.get("/api/events").json()["events"].elements()) {
      const Json payload = page.get("/api/event/" + *event["id"].as_string()).json()["record"]["payload"];
      const Ended explained =
          world.run({"explain", "--as", "claude", "--no-hook-files", "--config", file, "--json"}, payload.dump());
      const bool runs = Json::parse(explained.out)->operator[]("hooks").at(0)["runs"].as_bool().value_or(false);
      bool is_denied = false;
      for (const Json& row : answer["rows"].elements()) is_denied |= row["id"] == event["id"];
      EXPECT_EQ(runs, is_denied) << event.dump() << explained;
    }
  }
}

/// Without payloads, the subject of a call is enough for its command and its file.
TEST(Rules, WhatWasNotKeptIsCounted) {
  UiWorld world;
  world.set("GRAPNEL_PAYLOADS=digest");
  world.shell("git push upstream");
  Page page(world);
  page.sign_in();
  EXPECT_EQ(page.post("/api/rules/replay", rules(kNoPush)).json()["would"]["deny"].as_integer(), 3);
  const Json answer = page.post("/api/rules/replay", rules("version: 1\nhooks:\n  - name: x\n    on: PreToolUse\n    "
                                                           "when: { input: { description: push } }\n    deny: no\n"))
                          .json();
  EXPECT_EQ(answer["cannot"].as_integer(), 1) << answer.dump();
  EXPECT_EQ(answer["replayed"].as_integer(), 3);
}

TEST(Rules, NothingIsStartedOrRecorded) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const std::string mark = world.dir() / "started";
  const std::string before = world.dir().read("home/.local/state/grapnel/records.jsonl");
  const std::string yaml = std::string(kNoPush) + "  - name: starts\n    on: PreToolUse\n    run: touch " + mark + "\n";
  const Json answer = page.post("/api/rules/replay", rules(yaml)).json();
  EXPECT_EQ(answer["left_out"].at(0).as_string(), "starts");
  EXPECT_EQ(answer["would"]["deny"].as_integer(), 2);
  EXPECT_FALSE(std::filesystem::exists(mark));
  EXPECT_EQ(world.dir().read("home/.local/state/grapnel/records.jsonl"), before);
}

/// A test file with one case for each row: the command, what is expected of it, and what else the case has.
struct SavedCase {
  const char* command;
  const char* verdict;
  const char* more = "";
};
std::string test_file(std::initializer_list<SavedCase> cases) {
  std::string out = "version: 1\ncases:\n";
  for (const SavedCase& one : cases) {
    out += "  - name: " + std::string(one.command) + "\n" + one.more +
           "    event: PreToolUse\n    as: claude\n    input: '{\"tool_name\": \"Bash\", \"tool_input\": "
           "{\"command\": \"" +
           one.command + "\"}}'\n    expect: { " + one.verdict + " }\n";
  }
  return out;
}

TEST(Rules, ARuleIsTriedOnSavedTests) {
  const UiWorld world;
  world.dir().put("project/.git/HEAD", "ref: refs/heads/main\n");
  world.dir().put("project/tests/push.hooktest.yaml",
                  test_file({{"git push origin wip", "verdict: pass"},
                             {"git push origin main", "verdict: deny"},
                             {"git status", "verdict: pass"},
                             {"git push origin own", "verdict: pass", "    hooks: []\n"},
                             {"git push origin unsaid", "reason: null"}}));
  world.dir().put("home/.config/agents/tests/mine.hooktest.yaml", test_file({{"git push mine", "verdict: ask"}}));
  world.dir().put("project/tests/broken.hooktest.yaml", "version: 1\ncases: 3\n");
  Page page(world);
  page.sign_in();
  const std::string mark = world.dir() / "started";
  const std::string yaml = std::string(kNoPush) + "  - name: starts\n    on: PreToolUse\n    run: touch " + mark + "\n";
  const Json answer = page.post("/api/rules/tests", rules(yaml)).json();
  EXPECT_EQ(answer["tried"].as_integer(), 4) << answer.dump();
  EXPECT_EQ(answer["changed_count"].as_integer(), 2);
  ASSERT_EQ(answer["changed"].size(), 2U);
  const Json mine = answer["changed"].at(0);
  EXPECT_EQ(mine["case"].as_string(), "git push mine");
  EXPECT_EQ(mine["expected"].as_string(), "ask");
  EXPECT_EQ(mine["got"].as_string(), "deny");
  EXPECT_EQ(mine["by"].as_string(), "no-push");
  const Json wip = answer["changed"].at(1);
  EXPECT_EQ(wip["case"].as_string(), "git push origin wip");
  EXPECT_EQ(wip["expected"].as_string(), "pass");
  EXPECT_EQ(wip["file"].as_string(), world.project() + "/tests/push.hooktest.yaml");
  EXPECT_EQ(wip["line"].as_integer(), 3);
  EXPECT_FALSE(std::filesystem::exists(mark));
  EXPECT_EQ(page.post("/api/rules/tests", rules("version: 1\n")).status, 400);
}

/// What the page says about a saved test is what `grapnel test` says once the rule is there.
TEST(Rules, SavedTestsAreThoseThatTheCommandWouldFail) {
  const UiWorld world;
  world.dir().put("project/.git/HEAD", "ref: refs/heads/main\n");
  const char* const commands[] = {"git push", "sudo git push --tags", "echo git push", "git -C x push",
                                  "true; git push"};
  std::string file = "version: 1\ncases:\n";
  for (const char* command : commands) file += test_file({{command, "verdict: pass"}}).substr(18);
  world.dir().put("project/saved.hooktest.yaml", file);
  Page page(world);
  page.sign_in();
  std::vector<std::string> told, failed;
  const Json tried = page.post("/api/rules/tests", rules(kNoPush)).json();
  for (const Json& changed : tried["changed"].elements()) told.push_back(*changed["case"].as_string());
  world.dir().put("project/.agents/grapnel.yaml", std::string(kNoPush));
  const Json tested = Json::parse(world.run({"test", "--json", world.project()}).out).value_or(Json());
  for (const Json& one : tested["cases"].elements()) {
    if (!one["ok"].as_bool().value_or(true)) failed.push_back(*one["name"].as_string());
  }
  EXPECT_EQ(told, failed) << tested.dump();
  EXPECT_EQ(told.size(), 4U);
}

TEST(Rules, MistakesAreThoseOfCheck) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const std::string yaml = std::string(kNoPush) + "  - name: x\n    on: PreTolUse\n    deny: no\n";
  const Json answer = page.post("/api/rules/check", rules(yaml)).json();
  ASSERT_EQ(answer["problems"].size(), 1U);
  EXPECT_EQ(answer["problems"].at(0)["hint"].as_string(), "did you mean 'PreToolUse'?");
  EXPECT_EQ(answer["problems"].at(0)["at"]["line"].as_integer(), 9);
  EXPECT_EQ(answer["problems"].at(0)["at"]["file"].as_string(), "grapnel.yaml");
  EXPECT_EQ(answer["rules"].at(0)["name"].as_string(), "no-push");
  EXPECT_EQ(page.post("/api/rules/replay", rules("version: 1\n")).status, 400);
}

TEST(Rules, ARuleFromAnEventDeniesThatEvent) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  for (const Json& event : page.get("/api/events").json()["events"].elements()) {
    const Json made = page.post("/api/rules/from", Json::object({{"id", event["id"]}})).json();
    const Json checked = page.post("/api/rules/check", made).json();
    EXPECT_EQ(checked["problems"].size(), 0U) << checked.dump();
    const Json answer = page.post("/api/rules/replay", made).json();
    bool is_denied = false;
    for (const Json& row : answer["rows"].elements()) is_denied |= row["id"] == event["id"];
    EXPECT_TRUE(is_denied) << made.dump();
  }
}

TEST(Rules, ASavedRuleWorksAndItsTestsPass) {
  const UiWorld world;
  Page page(world, Page::With::Terminal);
  page.sign_in();
  ASSERT_EQ(page.post("/api/unlock", Json::object({{"code", Json::string(page.code())}})).status, 200);
  const Json event = page.get("/api/events?limit=1").json()["events"].at(0);
  const Json wish = rules(kNoPush).merged(Json::object(
      {{"scope", Json::string("user")}, {"tests", Json::boolean(true)}, {"ids", Json::array({event["id"]})}}));
  const Reply saved = page.post("/api/rules/save", wish);
  ASSERT_EQ(saved.status, 200) << saved.body;
  EXPECT_EQ(saved.json()["file"].as_string(), world.dir() / "home/.config/agents/grapnel.yaml");
  const std::string text = world.dir().read("home/.config/agents/grapnel.yaml");
  EXPECT_TRUE(text.contains("name: no-force-push"));
  EXPECT_TRUE(text.contains("name: no-push"));
  world.shell("git push origin");
  EXPECT_EQ(world.json({"why", "last"})["decided_by"].as_string(), "no-push");
  EXPECT_EQ(saved.json()["tests_file"].as_string(), world.dir() / "home/.config/agents/tests/no-push.hooktest.yaml");
  const Ended tested = world.run({"test", world.dir() / "home/.config/agents"});
  EXPECT_EQ(tested.status, 0) << tested;
  // A second rule of that name would be two answers to one question.
  EXPECT_EQ(page.post("/api/rules/save", wish).status, 409);
  EXPECT_EQ(world.dir().read("home/.config/agents/grapnel.yaml"), text);
}

TEST(Rules, AProjectsRuleNeedsTrust) {
  const UiWorld world;
  world.dir().put("project/.git/HEAD", "ref: refs/heads/main\n");
  Page page(world, Page::With::Terminal);
  page.sign_in();
  ASSERT_EQ(page.post("/api/unlock", Json::object({{"code", Json::string(page.code())}})).status, 200);
  const Json wish = rules(kNoPush).merged(Json::object({{"scope", Json::string("project")}}));
  const Reply saved = page.post("/api/rules/save", wish);
  ASSERT_EQ(saved.status, 200) << saved.body;
  EXPECT_EQ(saved.json()["file"].as_string(), world.project() + "/.agents/grapnel.yaml");
  EXPECT_EQ(saved.json()["needs_trust"].as_bool(), true);
  EXPECT_EQ(world.json({"trust"})["trusted"].as_bool(), false);
}

}  // namespace
}  // namespace grapnel::testing
