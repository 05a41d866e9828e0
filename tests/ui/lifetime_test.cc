#include <csignal>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace grapnel::testing
