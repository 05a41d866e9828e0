#include "os/pipe.h"

#include <csignal>

#include <gtest/gtest.h>

namespace grapnel::os {
namespace {

Calls of_an_old_kernel() {
  Calls calls = real_calls();
  calls.write_quietly = [](int, const void*, size_t) -> ssize_t { return errno = EOPNOTSUPP, -1; };
  return calls;
}

volatile std::sig_atomic_t signals = 0;

/// A host that counts the SIGPIPEs it gets, and may have one pending.
class PipeHost {
 public:
  explicit PipeHost(bool has_pending) {
    signals = 0;
    before_ = std::signal(SIGPIPE, [](int) { signals = signals + 1; });
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    if (!has_pending) return;
    pthread_sigmask(SIG_BLOCK, &pipe_, nullptr);
    raise(SIGPIPE);
  }
  PipeHost(const PipeHost&) = delete;
  PipeHost& operator=(const PipeHost&) = delete;
  ~PipeHost() {
    pthread_sigmask(SIG_UNBLOCK, &pipe_, nullptr);
    std::signal(SIGPIPE, before_);
  }

  bool has_pending() const {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE) == 1;
  }

 private:
  sigset_t pipe_{};
  void (*before_)(int) = nullptr;
};

TEST(PipeWriter, AReaderThatIsGoneIsAnErrorAndNoSignal) {
  struct Case {
    const char* note;
    Calls calls;
    bool has_pending;
  };
  const Case cases[] = {
      {"a write that raises none", real_calls(), false},
      {"the same in a host that has one pending", real_calls(), true},
      {"a kernel that always raises it", of_an_old_kernel(), false},
      {"the same in a host that has one pending", of_an_old_kernel(), true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const PipeHost host(c.has_pending);
    auto writer = PipeWriter::open(c.calls);
    ASSERT_TRUE(writer.has_value());
    EXPECT_EQ(writer->write("line\n", c.calls), 5U);
    writer->on_spawned();  // here there is no child to have the other end
    for (int i = 0; i < 2; ++i) {
      const auto written = writer->write("line\n", c.calls);
      ASSERT_FALSE(written.has_value());
      EXPECT_EQ(written.error().sys, EPIPE);
    }
    EXPECT_EQ(signals, 0);
    EXPECT_EQ(host.has_pending(), c.has_pending);
  }
}

TEST(PipeWriter, WritesWhatFits) {
  for (const Calls& calls : {real_calls(), of_an_old_kernel()}) {
    auto writer = PipeWriter::open(calls);
    ASSERT_TRUE(writer.has_value());
    const std::string much(200'000, 'x');
    const auto written = writer->write(much, calls);
    ASSERT_TRUE(written.has_value());
    EXPECT_GT(*written, 0U);
    EXPECT_LT(*written, much.size());
    EXPECT_EQ(writer->write(much, calls), 0U) << "full";
  }
}

}  // namespace
}  // namespace grapnel::os
