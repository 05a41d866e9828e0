#include "shell/syntax.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace grapnel::shell {
namespace {

/// Long enough that a process that reads it again and again is nearly always stopped in the middle of it.
std::string long_text() {
  std::string out;
  for (int i = 0; i < 50; ++i) out += "for f in *.c; do cc -c \"$f\" && echo $(basename \"$f\") | tee -a log; done\n";
  return out;
}

TEST(Syntax, DoesNotDependOnHowBusyTheMachineIs) {
  const std::string text = long_text();
  const size_t nodes = read_syntax(text).nodes.size();
  ASSERT_GT(nodes, 200u);

  const pid_t reader = fork();
  ASSERT_GE(reader, 0);
  if (reader == 0) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    while (std::chrono::steady_clock::now() < end) {
      const Syntax found = read_syntax(text);
      if (!found.is_whole || found.nodes.size() != nodes) _exit(1);
    }
    _exit(0);
  }
  for (int i = 0; i < 4; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    kill(reader, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    kill(reader, SIGCONT);
  }
  int status = 0;
  ASSERT_EQ(waitpid(reader, &status, 0), reader);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace grapnel::shell
