#include "os/tag.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "os/patience.h"
#include "os/spawn.h"
#include "os/temp_dir.h"

namespace grapnel::os {
namespace {

using testing::becomes_true;
using testing::kLong;
using testing::TempDir;

/// What `own_limit` says about us, for `new_tag`.
rlimit64 own{};

Calls calls_of_host(const rlimit64& limit) {
  own = limit;
  Calls calls = real_calls();
  calls.prlimit = [](pid_t, int, const rlimit64*, rlimit64* old) {
    *old = own;
    return 0;
  };
  return calls;
}

constexpr rlimit64 kFree{.rlim_cur = RLIM64_INFINITY, .rlim_max = RLIM64_INFINITY};

TEST(Tag, OfChildrenBeginsWithThatOfTheirParent) {
  const Tag first = new_tag(calls_of_host(kFree));
  const Tag second = new_tag(calls_of_host(first.limit));
  const Tag third = new_tag(calls_of_host(second.limit));
  const Tag other = new_tag(calls_of_host(first.limit));
  EXPECT_EQ(first.level, 1u);
  EXPECT_EQ(second.level, 2u);
  EXPECT_EQ(third.level, 3u);
  EXPECT_EQ(new_tag(calls_of_host(third.limit)).level, 0u) << "nested too deeply";
  for (const Tag* above : {&first, &second, &third}) EXPECT_TRUE(has_tag(third.limit, *above));
  EXPECT_TRUE(has_tag(second.limit, first));
  EXPECT_FALSE(has_tag(first.limit, second));
  EXPECT_FALSE(has_tag(other.limit, second));
  EXPECT_FALSE(has_tag(third.limit, other));
}

// Without privileges, a process can only lower its limits.
TEST(Tag, IsNeverAboveThatOfTheParent) {
  rlimit64 above = kFree;
  for (unsigned level = 1; level <= 3; ++level) {
    const Tag tag = new_tag(calls_of_host(above));
    EXPECT_LE(tag.limit.rlim_max, above.rlim_max) << level;
    EXPECT_LE(tag.limit.rlim_cur, above.rlim_cur) << level;
    EXPECT_LE(tag.limit.rlim_cur, tag.limit.rlim_max) << level;
    above = tag.limit;
  }
}

TEST(Tag, LeavesLimitsAloneThatSomebodyElseSet) {
  const rlimit64 set[] = {{.rlim_cur = 1000000, .rlim_max = 2000000},
                          {.rlim_cur = 1000000, .rlim_max = RLIM64_INFINITY},
                          {.rlim_cur = 0, .rlim_max = 0}};
  const Tag some = new_tag(calls_of_host(kFree));
  for (const rlimit64& limit : set) {
    EXPECT_EQ(new_tag(calls_of_host(limit)).level, 0u) << limit.rlim_cur;
    EXPECT_FALSE(has_tag(limit, some)) << limit.rlim_cur;
    EXPECT_FALSE(has_tag(limit, Tag{})) << limit.rlim_cur;
  }
}

TEST(Tag, IsMissingIfOwnLimitsCannotBeRead) {
  Calls calls = real_calls();
  calls.prlimit = [](pid_t, int, const rlimit64*, rlimit64*) {
    errno = EPERM;
    return -1;
  };
  EXPECT_EQ(new_tag(calls).level, 0u);
}

/// A shell that starts `sleep` in a session of its own and ends. The file gets the id of the sleeper.
class Sleeper {
 public:
  explicit Sleeper(const Calls& calls = real_calls()) {
    const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const Environment env = {"PATH=/usr/bin:/bin", "file=" + dir_ / "pid"};
    auto started = spawn(
        {.path = "/bin/sh",
         .argv = std::vector<std::string>{"sh", "-c",
                                          "setsid sh -c 'echo $$ >$file.new; mv $file.new $file; exec sleep 600' &"},
         .env = env,
         .stdin_fd = null.get(),
         .stdout_fd = null.get(),
         .stderr_fd = null.get()},
        calls);
    EXPECT_TRUE(started.has_value());
    if (!started) return;
    leader = started->pid;
    tag = started->tag;
    siginfo_t info{};
    EXPECT_EQ(::waitid(P_PIDFD, static_cast<id_t>(started->pidfd.get()), &info, WEXITED), 0);
    EXPECT_TRUE(becomes_true([&] { return static_cast<bool>(std::ifstream(dir_ / "pid") >> pid); }));
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() {
    if (pid > 0 && runs()) ::kill(pid, SIGKILL);
  }

  bool runs() const {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string id;
    std::string name;
    std::string state;
    file >> id >> name >> state;
    return !state.empty() && state != "Z" && state != "X";
  }
  bool end(const Calls& calls = real_calls()) const {
    return end_tagged(tag, leader, SteadyClock::now() + kLong, calls);
  }

  pid_t leader = -1;
  pid_t pid = -1;
  Tag tag;

 private:
  TempDir dir_;
};

TEST(EndTagged, KillsItsOwnAndNothingElse) {
  const Sleeper ours;
  const Sleeper theirs;
  EXPECT_EQ(ours.tag.level, theirs.tag.level);
  EXPECT_TRUE(ours.end());
  EXPECT_FALSE(ours.runs());
  EXPECT_TRUE(theirs.runs());
}

// Ids start again from below when the highest one is reached.
TEST(EndTagged, FindsThoseWithLowerIds) {
  Sleeper ours;
  const Sleeper theirs;
  ours.leader = std::numeric_limits<pid_t>::max() - 1;
  EXPECT_TRUE(ours.end());
  EXPECT_FALSE(ours.runs());
  EXPECT_TRUE(theirs.runs());
}

// The kernel does not tell the limits of a program that runs with a group of its own.
TEST(EndTagged, ReadsTheFileIfTheKernelDoesNotTell) {
  const Sleeper ours;
  const Sleeper theirs;
  Calls calls = real_calls();
  calls.prlimit = [](pid_t pid, int resource, const rlimit64* limit, rlimit64* old) {
    const int result = real_calls().prlimit(pid, resource, limit, old);
    if (pid == 0 || result != 0) return result;
    errno = EPERM;
    return -1;
  };
  EXPECT_TRUE(ours.end(calls));
  EXPECT_FALSE(ours.runs());
  EXPECT_TRUE(theirs.runs());
}

// It runs as another user, as after `sudo`. That must not take the whole time that there is.
TEST(EndTagged, DoesNotWaitForWhatItMayNotKill) {
  const Sleeper ours;
  Calls calls = real_calls();
  calls.kill = [](pid_t, int) {
    errno = EPERM;
    return -1;
  };
  EXPECT_FALSE(end_tagged(ours.tag, ours.leader, Deadline::max(), calls));
  EXPECT_TRUE(ours.runs());
}

TEST(EndTagged, DoesNothingWithoutATag) {
  Calls calls = real_calls();
  calls.limit_self = [](int, const rlimit64*) -> long {
    errno = EPERM;
    return -1;
  };
  const Sleeper untagged(calls);
  EXPECT_EQ(untagged.tag.level, 0u);
  EXPECT_TRUE(untagged.end());
  EXPECT_TRUE(untagged.runs());
}

}  // namespace
}  // namespace grapnel::os
