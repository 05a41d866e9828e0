#include <gtest/gtest.h>

#include "ui/page.h"

/// The page says what the verbs say.
namespace grapnel::testing {
namespace {

std::string newest_id(const Page& page) {
  return page.get("/api/events?limit=1").json()["events"].at(0)["id"].as_string().value_or("");
}

TEST(Answers, EventsNewestFirst) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const Json events = page.get("/api/events?limit=2").json()["events"];
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events.at(0)["subject"].as_string(), "git push origin");
  EXPECT_EQ(events.at(0)["verdict"].as_string(), "pass");
  EXPECT_EQ(events.at(1)["subject"].as_string(), "git push --force origin");
  EXPECT_EQ(events.at(1)["verdict"].as_string(), "deny");
  EXPECT_EQ(events.at(1)["by"].as_string(), "no-force-push");
}

TEST(Answers, AnEventIsWhatWhySays) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  for (const Json& event : page.get("/api/events").json()["events"].elements()) {
    const std::string id = event["id"].as_string().value_or("");
    const Json answer = page.get("/api/event/" + id).json();
    EXPECT_EQ(answer["why"].dump(JsonStyle::Pretty) + "\n", world.run({"why", id, "--json"}).out);
    EXPECT_EQ(answer["text"].as_string(), world.run({"why", id}).out);
    EXPECT_EQ(answer["test"].as_string(), world.run({"record", id}).out);
    ASSERT_EQ(answer["lines"].size(), answer["why"]["hooks"].size());
    for (const Json& hook : answer["lines"].elements()) {
      for (const Json& line : hook.elements()) {
        EXPECT_TRUE(
            answer["text"].as_string()->contains("    " + *line["word"].as_string() + " " + *line["text"].as_string()));
      }
    }
    EXPECT_EQ(answer["record"]["id"].as_string(), id);
    EXPECT_TRUE(answer["fire"].as_string()->starts_with("grapnel fire PreToolUse --as claude"));
  }
  EXPECT_EQ(page.get("/api/event/nothing").status, 404);
}

TEST(Answers, TheWayToOtherEvents) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const Json events = page.get("/api/events").json()["events"];
  const Json last = page.get("/api/event/" + *events.at(0)["id"].as_string()).json();
  EXPECT_EQ(last["previous"], events.at(1)["id"]);
  EXPECT_TRUE(last["next"].is_null());
  EXPECT_EQ(last["previous_stop"], events.at(1)["id"]);
  const Json first = page.get("/api/event/" + *events.at(2)["id"].as_string()).json();
  EXPECT_EQ(first["next"], events.at(1)["id"]);
  EXPECT_EQ(first["next_stop"], events.at(1)["id"]);
}

TEST(Answers, StatsAndHooksAreThoseOfTheVerbs) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  EXPECT_EQ(page.get("/api/stats").json()["stats"].dump(JsonStyle::Pretty) + "\n", world.run({"stats", "--json"}).out);
  const Json hooks = page.get("/api/hooks").json()["hooks"];
  const Json listed = world.json({"list"})["hooks"];
  ASSERT_EQ(hooks.size(), listed.size());
  for (const JsonMember& member : listed.at(0).members()) EXPECT_EQ(hooks.at(0)[member.key], member.value);
  EXPECT_EQ(hooks.at(0)["denied"].as_integer(), 1);
}

TEST(Answers, DoctorIsThatOfTheVerbs) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const Json answer = page.get("/api/doctor").json();
  EXPECT_EQ(answer["doctor"], world.json({"doctor"}));
  EXPECT_EQ(answer["status"], world.json({"status"}));
  EXPECT_EQ(answer["verify"], world.json({"log", "--verify"}));
  EXPECT_EQ(answer["version"].as_string(), world.run({"--version"}).out);
}

TEST(Answers, NewEventsArrive) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const UniqueFd fd = page.listen();
  world.shell("make live");
  std::string seen;
  while (!seen.contains("make live")) {
    char buffer[4096];
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    ASSERT_GT(got, 0);
    seen.append(buffer, static_cast<size_t>(got));
  }
  EXPECT_EQ(page.get("/api/event/" + newest_id(page)).json()["record"]["subject"].as_string(), "make live");
}

constexpr std::string_view kProjectRules = R"(version: 1
hooks:
  - name: guard
    on: PreToolUse
    run: ./guard.sh
)";

TEST(Answers, TrustIsGivenToWhatWasSeen) {
  const UiWorld world;
  world.dir().put("project/.git/HEAD", "ref: refs/heads/main\n");
  world.dir().put("project/.agents/grapnel.yaml", kProjectRules);
  world.dir().put("project/guard.sh", "exit 0\n", 0755);
  Page page(world, Page::With::Terminal);
  page.sign_in();
  ASSERT_EQ(page.post("/api/unlock", Json::object({{"code", Json::string(page.code())}})).status, 200);
  const Json hook = page.get("/api/trust").json()["hooks"].at(0);
  ASSERT_EQ(hook["name"].as_string(), "guard");
  EXPECT_EQ(hook["state"].as_string(), "new");
  const std::string digest = hook["digest"].as_string().value_or("");
  const auto trust = [&](const std::string& typed) {
    return page.post("/api/trust", Json::object({{"name", hook["name"]},
                                                 {"source", hook["source"]},
                                                 {"digest", Json::string(digest)},
                                                 {"project", hook["project"]},
                                                 {"typed", Json::string(typed)}}));
  };
  EXPECT_EQ(trust("").status, 400);
  EXPECT_EQ(trust(digest.substr(0, 3)).status, 400);
  // Somebody changes a file between the look and the click.
  world.dir().put("project/guard.sh", "exit 2\n", 0755);
  EXPECT_EQ(trust(digest.substr(0, 4)).status, 409);
  EXPECT_EQ(world.json({"trust"})["trusted"].as_bool(), false);
  world.dir().put("project/guard.sh", "exit 0\n", 0755);
  EXPECT_EQ(trust(digest.substr(0, 4)).status, 200);
  EXPECT_EQ(world.json({"trust"})["trusted"].as_bool(), true);
  // Later the page shows what is different.
  world.dir().put("project/guard.sh", "exit 1\n", 0755);
  const Json changed = page.get("/api/trust").json()["hooks"].at(0);
  EXPECT_EQ(changed["state"].as_string(), "changed");
  EXPECT_TRUE(changed["files"].at(0)["diff"].as_string()->contains("+exit 1")) << changed.dump();
  EXPECT_EQ(changed["definition_diff"].as_string(), "");
}

}  // namespace
}  // namespace grapnel::testing
