#include <csignal>
#include <filesystem>

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

/// A browser that writes down its argument, the mode of the file, and what is in it.
void put_browser(UiWorld& world) {
  const std::string seen = world.dir() / "opened";
  world.set("BROWSER=" +
            world.dir().put("browser",
                            "#!/bin/sh\n{ echo \"$1\"; stat -c %a \"${1#file://}\"; cat \"${1#file://}\"; } > " + seen +
                                ".part\nmv " + seen + ".part " + seen + "\n",
                            0755));
}

// Everybody can read the arguments of a program. So the address with its ticket is in a file, until it is used.
TEST(Lifetime, OpensTheBrowserWithoutTellingTheTicketToOthers) {
  UiWorld world;
  put_browser(world);
  world.set("DISPLAY=:7");
  Page page(world, Page::With::Pipes, {});
  ASSERT_TRUE(becomes_true([&] { return !world.dir().read("opened").empty(); }));
  const std::string opened = world.dir().read("opened");
  const std::string argument = opened.substr(0, opened.find('\n'));
  ASSERT_TRUE(argument.starts_with("file:///")) << argument;
  EXPECT_TRUE(opened.substr(argument.size()).starts_with("\n600\n")) << opened;
  EXPECT_FALSE(argument.contains(page.ticket()));
  EXPECT_TRUE(opened.contains(page.origin() + "/#ticket=" + page.ticket())) << opened;
  page.sign_in();
  EXPECT_TRUE(becomes_true([&] { return !std::filesystem::exists(argument.substr(7)); }));
}

TEST(Lifetime, OpensNothingWithoutAScreenOrIfNotWanted) {
  for (const bool has_screen : {false, true}) {
    UiWorld world;
    put_browser(world);
    if (has_screen) world.set("DISPLAY=:7");
    const Page page(world, Page::With::Pipes,
                    has_screen ? std::vector<std::string>{"--no-open"} : std::vector<std::string>{});
    ::kill(page.pid(), SIGTERM);
    EXPECT_TRUE(becomes_true([&] { return page.has_ended(); }));
    EXPECT_EQ(world.dir().read("opened"), "");
  }
}

TEST(Lifetime, ListensAtThePortThatIsAskedFor) {
  const UiWorld world;
  const Page page(world);
  const std::string port = page.host().substr(page.host().find(':') + 1);
  const Ended second = world.run({"ui", "--no-open", "--port", port});
  EXPECT_NE(second.status, 0);
  EXPECT_TRUE(second.err.contains(port)) << second.err;
  for (const char* wrong : {"99999", "http", "-1"}) {
    const Ended ended = world.run({"ui", "--no-open", "--port", wrong});
    EXPECT_EQ(ended.status, 2) << wrong;
    EXPECT_TRUE(ended.err.contains(wrong)) << ended.err;
  }
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
