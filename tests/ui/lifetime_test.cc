#include <csignal>

#include <gtest/gtest.h>

#include "history/database.h"
#include "history/journal_reader.h"
#include "ui/page.h"

/// The page ends with its terminal, and nothing ever waits for it.
namespace grapnel::testing {
namespace {

TEST(Lifetime, EndsBySignal) {
  const UiWorld world;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Page page(world);
    ::kill(page.pid(), signal);
    EXPECT_TRUE(becomes_true([&] { return page.has_ended(); })) << signal;
  }
}

TEST(Lifetime, EndsWithItsInput) {
  const UiWorld world;
  Page page(world);
  page.hang_up();
  EXPECT_TRUE(becomes_true([&] { return page.has_ended(); }));
}

TEST(Lifetime, EndsWithItsTerminal) {
  const UiWorld world;
  Page page(world, Page::With::Terminal);
  page.hang_up();
  EXPECT_TRUE(becomes_true([&] { return page.has_ended(); }));
}

TEST(Lifetime, EndsWithCtrlCAndCtrlD) {
  const UiWorld world;
  for (const char* key : {"\x03", "\x04"}) {
    const Page page(world, Page::With::Terminal);
    page.type(key);
    EXPECT_TRUE(becomes_true([&] { return page.has_ended(); }));
  }
}

TEST(Lifetime, EndsAlthoughSomebodyListens) {
  const UiWorld world;
  Page page(world);
  page.sign_in();
  const UniqueFd fd = page.listen();
  ::kill(page.pid(), SIGTERM);
  EXPECT_TRUE(becomes_true([&] { return page.has_ended(); }));
}

TEST(Lifetime, AStoppedPageDelaysNoEvent) {
  const UiWorld world;
  const Page page(world);
  ::kill(page.pid(), SIGSTOP);
  EXPECT_TRUE(world.shell("git push --force").denies());
  ::kill(page.pid(), SIGCONT);
}

// A page that is stopped in the middle of an import keeps the lock of the database. Here the test itself keeps it.
TEST(Lifetime, APageStoppedInAnImportKeepsNobodyFromReading) {
  const UiWorld world;
  const std::string before = world.json({"log", "-n", "1", "--json"})["id"].as_string().value_or("");
  auto database = Database::open(journal_path(world.dir() / "home/.local/state/grapnel"));
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->run("BEGIN IMMEDIATE"));
  EXPECT_TRUE(world.shell("git push --force origin held").denies());
  const Json why = world.json({"why", "--json"});
  EXPECT_EQ(why["subject"].as_string(), "git push --force origin held");
  EXPECT_NE(why["id"].as_string(), before);
  EXPECT_EQ(world.json({"log", "-n", "1", "--json"})["id"], why["id"]);
  EXPECT_GT(world.json({"stats", "--json"})["hooks"].size(), 0U);
}

// The page itself goes on, too, and hears of new events.
TEST(Lifetime, APageGoesOnWhileTheDatabaseIsLocked) {
  const UiWorld world;
  world.json({"log", "--json"});
  auto database = Database::open(journal_path(world.dir() / "home/.local/state/grapnel"));
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->run("BEGIN IMMEDIATE"));
  Page page(world);
  page.sign_in();
  EXPECT_TRUE(world.shell("git push --force origin held").denies());
  const auto subject = [&] {
    return page.get("/api/events?limit=1").json()["events"].at(0)["subject"].as_string().value_or("");
  };
  EXPECT_TRUE(becomes_true([&] { return subject() == "git push --force origin held"; })) << subject();
  EXPECT_EQ(page.get("/api/events").json()["events"].size(), 4U);
}

}  // namespace
}  // namespace grapnel::testing
