#include "engine/event_ids.h"

#include <unistd.h>

#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace grapnel {
namespace {

TEST(EventIds, AreNeverTheSameFromTheBeginningOn) {
  EventIds ids;
  std::set<std::string> seen;
  std::string last_time;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = ids.next();
    ASSERT_EQ(id.size(), 29U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), 16U);
    EXPECT_EQ(id[16], '-');
    EXPECT_LE(last_time, id.substr(17));
    last_time = id.substr(17);
    EXPECT_TRUE(seen.insert(id.substr(0, 12)).second) << id;
  }
}

TEST(EventIds, AChildOfAForkDoesNotRepeatThem) {
  EventIds ids;
  ids.next();
  int fds[2];
  ASSERT_EQ(::pipe(fds), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string random = ids.next().substr(0, 16);
    ::_exit(::write(fds[1], random.data(), random.size()) == 16 ? 0 : 1);
  }
  std::string theirs(16, '\0');
  ASSERT_EQ(::read(fds[0], theirs.data(), theirs.size()), 16);
  ::waitpid(child, nullptr, 0);
  ::close(fds[0]);
  ::close(fds[1]);
  EXPECT_NE(ids.next().substr(0, 16), theirs);
}

TEST(EventIds, AreGivenToManyThreads) {
  EventIds ids;
  std::vector<std::vector<std::string>> given(8);
  {
    std::vector<std::jthread> threads;
    for (auto& own : given) {
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) own.push_back(ids.next().substr(0, 16));
      });
    }
  }
  std::set<std::string> all;
  for (const auto& own : given) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), 1600U);
}

}  // namespace
}  // namespace grapnel
