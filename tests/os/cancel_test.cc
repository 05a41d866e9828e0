#include "os/cancel.h"

#include <poll.h>

#include <cerrno>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace grapnel::os {
namespace {

bool is_readable(int fd) {
  pollfd p{.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&p, 1, 0) == 1;
}

Calls without_eventfd() {
  Calls calls = real_calls();
  calls.eventfd = [](unsigned, int) {
    errno = EMFILE;
    return -1;
  };
  return calls;
}

TEST(CancelToken, DefaultNeverCancels) {
  const CancelToken token;
  EXPECT_FALSE(token.can_cancel());
  EXPECT_FALSE(token.cancelled());
  EXPECT_EQ(token.poll_fd(), -1);
}

TEST(CancelToken, FollowsItsSource) {
  const CancelSource source;
  const CancelToken token = source.token(), copy = token;
  EXPECT_TRUE(token.can_cancel());
  EXPECT_FALSE(token.cancelled());
  const int fd = token.poll_fd();
  EXPECT_EQ(copy.poll_fd(), fd) << "one descriptor for all";
  EXPECT_FALSE(is_readable(fd));
  source.cancel();
  source.cancel();
  EXPECT_TRUE(token.cancelled() && copy.cancelled() && source.cancelled());
  EXPECT_TRUE(is_readable(fd));
  EXPECT_TRUE(is_readable(fd)) << "stays so";
}

TEST(CancelToken, DescriptorMadeAfterTheCancelIsReadable) {
  const CancelSource source;
  source.cancel();
  EXPECT_TRUE(is_readable(source.token().poll_fd()));
}

TEST(CancelToken, OutlivesItsSource) {
  CancelToken token;
  {
    const CancelSource source;
    token = source.token();
    source.cancel();
  }
  EXPECT_TRUE(token.cancelled());
  EXPECT_TRUE(is_readable(token.poll_fd()));
}

TEST(CancelToken, WithoutDescriptorsStillTells) {
  const CancelSource source;
  const CancelToken token = source.token();
  EXPECT_EQ(token.poll_fd(without_eventfd()), -1);
  source.cancel();
  EXPECT_TRUE(token.cancelled());
}

TEST(CancelToken, NoCancelIsMissedBetweenThreads) {
  for (int i = 0; i < 200; ++i) {
    const CancelSource source;
    std::vector<int> fds(3, -1);
    {
      std::vector<std::jthread> threads;
      for (int& fd : fds) threads.emplace_back([&fd, token = source.token()] { fd = token.poll_fd(); });
      threads.emplace_back([&source] { source.cancel(); });
    }
    for (const int fd : fds) EXPECT_TRUE(fd == fds[0] && is_readable(fd));
  }
}

}  // namespace
}  // namespace grapnel::os
