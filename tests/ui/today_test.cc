#include <gtest/gtest.h>

#include "ui/page.h"

/// What the hooks of today would decide about an event of the past.
namespace grapnel::testing {
namespace {

constexpr std::string_view kUserRules = "home/.config/agents/grapnel.yaml";

std::string newest_id_in(const Page& page) {
  return page.get("/api/events?limit=1").json()["events"].at(0)["id"].as_string().value_or("");
}

std::vector<std::string> names_of(const Json& hooks) {
  std::vector<std::string> out;
  for (const Json& hook : hooks.elements()) out.push_back(hook["name"].as_string().value_or(""));
  return out;
}

std::string rule(const std::string& name, const std::string& rest) {
  return "  - name: " + name + "\n    on: PreToolUse\n    " + rest + "\n";
}

TEST(Today, TheHooksOfTodayDecide) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const std::string id = newest_id_in(page);  // `git push origin`, which passed
  const Json before = page.get("/api/today/" + id).json();
  EXPECT_EQ(before["verdict"].as_string(), "pass");
  EXPECT_TRUE(before["decided_by"].is_missing());
  world.dir().put(std::string(kUserRules),
                  "version: 1\nhooks:\n" + rule("no-push", "when: { command: git push }\n    deny: Ask somebody.") +
                      rule("watch", "when: { command: git }\n    deny: No git.\n    mode: observe"));
  const Json now = page.get("/api/today/" + id).json();
  EXPECT_EQ(now["verdict"].as_string(), "deny");
  EXPECT_EQ(now["reason"].as_string(), "Ask somebody.");
  EXPECT_EQ(now["decided_by"].as_string(), "no-push");
  EXPECT_EQ(names_of(now["hooks"]), (std::vector<std::string>{"no-push", "watch"}));
  EXPECT_EQ(now["not_run"].size(), 0U);
  world.dir().put(
      std::string(kUserRules),
      "version: 1\nhooks:\n" + rule("watch", "when: { command: git }\n    deny: No git.\n    mode: observe"));
  const Json observed = page.get("/api/today/" + id).json();
  EXPECT_EQ(observed["verdict"].as_string(), "pass");
  EXPECT_EQ(observed["would"].as_string(), "deny");
  EXPECT_EQ(page.get("/api/today/nothing").status, 404);
}

TEST(Today, NothingIsStartedRecordedOrRemembered) {
  const UiWorld world;
  const std::string mark = world.dir() / "started";
  world.dir().put(std::string(kUserRules), "version: 1\nhooks:\n" + rule("starts", "run: touch " + mark) +
                                               rule("waits", "run: touch " + mark + "\n    async: true") +
                                               rule("strict", "run: exit 1\n    on_failure: closed") +
                                               rule("ask", "when: { command: git }\n    ask: Really?"));
  Page page(world);
  page.sign_in();
  const std::string records = world.dir().read("home/.local/state/grapnel/records.jsonl");
  const Json today = page.get("/api/today/" + newest_id_in(page)).json();
  EXPECT_EQ(today["verdict"].as_string(), "ask") << today.dump();
  EXPECT_EQ(names_of(today["not_run"]), (std::vector<std::string>{"starts", "strict", "waits"}));
  EXPECT_EQ(names_of(today["hooks"]), std::vector<std::string>{"ask"});
  EXPECT_FALSE(std::filesystem::exists(mark));
  EXPECT_EQ(world.dir().read("home/.local/state/grapnel/records.jsonl"), records);
}

TEST(Today, ItAgreesWithFire) {
  const UiWorld world;
  world.dir().put(std::string(kUserRules),
                  "version: 1\nhooks:\n" +
                      rule("no-force-push", "when: { command: git push, flag: --force }\n    deny: no") +
                      rule("secrets", "when: { path: '**/.env*' }\n    ask: Really?") +
                      rule("reads", "when: { tool: shell, effect: readonly }\n    allow: true"));
  for (const char* command : {"ls", "cat .env", "git push --force", "bash -c 'git push --force'", "make"}) {
    world.shell(command);
  }
  Page page(world);
  page.sign_in();
  for (const Json& event : page.get("/api/events?limit=5").json()["events"].elements()) {
    EXPECT_EQ(page.get("/api/today/" + *event["id"].as_string()).json()["verdict"], event["verdict"]) << event.dump();
  }
}

/// Without its payload, an event is what its subject says; if that is not enough, the answer says so.
TEST(Today, WhatCannotBeReplayedIsSaid) {
  UiWorld world;
  world.set("GRAPNEL_PAYLOADS=digest");
  world.shell("git push --force upstream");
  Page page(world);
  page.sign_in();
  const std::string id = newest_id_in(page);
  EXPECT_EQ(page.get("/api/today/" + id).json()["verdict"].as_string(), "deny");
  world.dir().put(std::string(kUserRules),
                  "version: 1\nhooks:\n" + rule("x", "when: { input: { description: push } }\n    deny: no"));
  const Json today = page.get("/api/today/" + id).json();
  EXPECT_TRUE(today["verdict"].is_missing());
  EXPECT_TRUE(today["cannot"].as_string()->contains("GRAPNEL_PAYLOADS=full")) << today.dump();
}

}  // namespace
}  // namespace grapnel::testing
