#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "run/harness.h"

namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMegabyte = 1'000'000;

TEST(Child, EndsAsItsProcessEnds) {
  struct Case {
    const char* note;
    std::string script;
    size_t stdin_bytes;
    const char* want;
    const char* out;
    const char* err;
  };
  const Case cases[] = {
      {"silence", "exit 0", 0, "exit 0", "", ""},
      {"both streams", "echo a; echo b >&2; exit 2", 0, "exit 2", "a\n", "b\n"},
      {"no input is end of file", "cat; echo end", 0, "exit 0", "end\n", ""},
      {"small input", "wc -c", 100, "exit 0", "100\n", ""},
      {"a full page of input", "wc -c", 4096, "exit 0", "4096\n", ""},
      {"a full pipe of input", "wc -c", 65536, "exit 0", "65536\n", ""},
      {"more input than a pipe holds", "wc -c", 10 * kMegabyte, "exit 0", "10000000\n", ""},
      {"input through /dev/stdin", "cat /dev/stdin | wc -c", 100'000, "exit 0", "100000\n", ""},
      {"input nobody reads", "exit 3", 10 * kMegabyte, "exit 3", "", ""},
      {"input closed at once", "exec <&-; exit 0", 10 * kMegabyte, "exit 0", "", ""},
      {"output closed at once", "exec >&- 2>&-; sleep 0.05; exit 4", 0, "exit 4", "", ""},
      {"death by its own signal", "kill -SEGV $$", 0, "signal 11", "", ""},
      {"shell reports its child's signal", "sh -c 'kill -KILL $$'; exit $?", 0, "exit 137", "", "Killed\n"},
      {"runs in the given directory", "pwd", 0, "exit 0", "/\n", ""},
      {"nothing inherited", "echo ${HOME-none}", 0, "exit 0", "none\n", ""},
      {"no other descriptor is open", "ls /proc/self/fd | wc -l", 0, "exit 0", "4\n", ""},
      {"default signals, none blocked", "grep -E '^Sig(Blk|Ign)' /proc/self/status | tr -d '\\t\\n'", 0, "exit 0",
       "SigBlk:0000000000000000SigIgn:0000000000000000", ""},
      {"leads its own group", "test $(ps -o pgid= -p $$) -eq $$", 0, "exit 0", "", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    ChildSpec spec = sh(c.script);
    if (c.stdin_bytes > 0) spec.stdin_bytes = bytes(c.stdin_bytes);
    const RunOutcome outcome = run_one(spec);
    EXPECT_EQ(text_of(outcome.ending), c.want);
    EXPECT_EQ(outcome.out.bytes, c.out);
    EXPECT_EQ(outcome.err.bytes, c.err);
    EXPECT_EQ(outcome.out.dropped + outcome.err.dropped, 0u);
    EXPECT_GT(outcome.took.count(), 0);
  }
}

TEST(Child, MegabyteThroughCatComesBackUnchanged) {
  const NothingLeft check;
  std::string text;
  for (int i = 0; text.size() < kMegabyte; ++i) text += std::to_string(i) + '\n';
  ChildSpec spec = sh("exec cat");
  spec.stdin_bytes = std::make_shared<const std::string>(text);
  const RunOutcome outcome = run_one(spec);
  EXPECT_EQ(text_of(outcome.ending), "exit 0");
  EXPECT_TRUE(outcome.out.bytes == text);
}

TEST(Child, OutputOverTheLimitIsCountedNotKept) {
  struct Case {
    const char* note;
    std::string script;
    size_t limit;
    size_t out_kept, out_dropped, err_kept, err_dropped;
  };
  const Case cases[] = {
      {"exactly the limit", "head -c 1000 /dev/zero", 1000, 1000, 0, 0, 0},
      {"one more", "head -c 1001 /dev/zero", 1000, 1000, 1, 0, 0},
      {"each stream has its own", "head -c 1500 /dev/zero; head -c 1200 /dev/zero >&2", 1000, 1000, 500, 1000, 200},
      {"nothing is kept", "echo a", 0, 0, 2, 0, 0},
      {"a flood", "head -c 100000000 /dev/zero", size_t{1} << 20, size_t{1} << 20, 100'000'000 - (size_t{1} << 20), 0,
       0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    const RunOutcome outcome = run_one(sh(c.script), {.max_output = c.limit});
    EXPECT_EQ(text_of(outcome.ending), "exit 0");
    EXPECT_EQ(outcome.out.bytes.size(), c.out_kept);
    EXPECT_EQ(outcome.out.dropped, c.out_dropped);
    EXPECT_EQ(outcome.err.bytes.size(), c.err_kept);
    EXPECT_EQ(outcome.err.dropped, c.err_dropped);
  }
}

TEST(Child, ExitOfTheHookDecidesWhateverItsHelpersDo) {
  struct Case {
    const char* note;
    std::string script;
    const char* want;
    const char* out;
  };
  const Case cases[] = {
      {"grandchild holds both streams", "echo no; sleep 600 & exit 2", "exit 2", "no\n"},
      {"grandchild holds one stream", "sleep 600 2>/dev/null & exit 0", "exit 0", ""},
      {"grandchild in a session of its own", "setsid sleep 600 & exit 0", "exit 0", ""},
      {"daemon, forked twice, streams closed", "(setsid sleep 600 <&- >&- 2>&- &) & wait; echo ok", "exit 0", "ok\n"},
      {"leader dies by a signal", "sleep 600 & kill -KILL $$", "signal 9", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    const RunOutcome outcome = run_one(sh(c.script));
    EXPECT_EQ(text_of(outcome.ending), c.want);
    EXPECT_EQ(outcome.out.bytes, c.out);
    EXPECT_EQ(find_stray_processes().size(), 1u) << "helpers of a hook that ended by itself stay alive";
    kill_stray_processes();
  }
}

TEST(Child, GrandchildThatNeverStopsWritingDoesNotDelayTheEnd) {
  const NothingLeft check;
  const RunOutcome outcome = run_one(sh("yes & exit 5"));
  EXPECT_EQ(text_of(outcome.ending), "exit 5");
  EXPECT_LE(outcome.out.bytes.size(), size_t{1} << 20);
  kill_stray_processes();
}

TEST(Child, EveryExitCodeArrives) {
  const NothingLeft check;
  std::vector<ChildSpec> specs;
  std::vector<std::string> want;
  for (int code = 0; code <= 255; ++code) {
    specs.push_back(sh("exit " + std::to_string(code)));
    want.push_back("exit " + std::to_string(code));
  }
  EXPECT_EQ(texts_of(run_children(specs, 8, {}, {})), want);
}

TEST(Child, EveryLethalSignalArrivesAsASignal) {
  const NothingLeft check;
  const std::set<int> harmless = {SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH};
  std::vector<ChildSpec> specs;
  std::vector<std::string> want;
  for (int signal = 1; signal <= 31; ++signal) {
    if (harmless.contains(signal)) continue;
    specs.push_back(sh("ulimit -c 0; kill -" + std::to_string(signal) + " $$; sleep 10"));
    want.push_back("signal " + std::to_string(signal));
  }
  EXPECT_EQ(texts_of(run_children(specs, 8, {}, {})), want);
}

class ChildThatCannotStart : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() / ("grapnel_run_" + std::to_string(::getpid()));
    fs::create_directories(directory_);
    put("plain", "#!/bin/sh\n", 0644);
    put("garbage", "\x01\x02 nothing that runs\n", 0755);
    put("orphan", "#!/nonexistent/interpreter\n", 0755);
    put("good", "#!/bin/sh\necho good\n", 0755);
  }
  void TearDown() override { fs::remove_all(directory_); }

  void put(const char* name, const char* content, mode_t mode) const {
    std::ofstream(directory_ / name) << content;
    ::chmod((directory_ / name).c_str(), mode);
  }

  fs::path directory_;
};

TEST_F(ChildThatCannotStart, SaysWhy) {
  struct Case {
    const char* note;
    std::string path, cwd;
    std::string argument;
    const char* want;
    int sys;
  };
  const std::string dir = directory_;
  const Case cases[] = {
      {"no such program", dir + "/absent", "/", "", "no such file", ENOENT},
      {"interpreter missing", dir + "/orphan", "/", "", "its interpreter does not exist", ENOENT},
      {"interpreter missing, relative", "./orphan", dir, "", "its interpreter does not exist", ENOENT},
      {"not executable", dir + "/plain", "/", "", "permission denied", EACCES},
      {"a directory", dir, "/", "", "permission denied", EACCES},
      {"no executable format", dir + "/garbage", "/", "", "not in an executable format", ENOEXEC},
      {"directory missing", dir + "/good", dir + "/absent", "", "cannot enter the working directory", ENOENT},
      {"directory is a file", dir + "/good", dir + "/good", "", "cannot enter the working directory", ENOTDIR},
      {"too large", dir + "/good", "/", std::string(4 << 20, 'x'), "too large", E2BIG},
      {"cut short", dir + "/good", "/", std::string("a\0b", 3), "NUL byte", 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    ChildSpec spec = sh("");
    spec.path = c.path;
    spec.cwd = c.cwd;
    spec.argv = {"hook", c.argument};
    const RunOutcome outcome = run_one(spec);
    const auto* not_started = std::get_if<NotStarted>(&outcome.ending);
    ASSERT_NE(not_started, nullptr) << text_of(outcome.ending);
    EXPECT_TRUE(not_started->why.contains(c.want)) << not_started->why;
    EXPECT_EQ(not_started->sys, c.sys);
  }
}

TEST_F(ChildThatCannotStart, RelativePathIsRelativeToTheChildsDirectory) {
  const NothingLeft check;
  ChildSpec spec = sh("");
  spec.path = "./good";
  spec.cwd = directory_;
  spec.argv = {"good"};
  EXPECT_EQ(run_one(spec).out.bytes, "good\n");
}

TEST(Supervisor, KeepsTheOrderAndTheWindow) {
  struct Case {
    const char* note;
    size_t max_parallel, most_at_once;
  };
  const Case cases[] = {{"one at a time", 1, 1}, {"eight at once", 8, 8}, {"all at once", 0, 100}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const NothingLeft check;
    std::vector<ChildSpec> specs;
    std::vector<std::string> want;
    for (int i = 0; i < 100; ++i) {
      specs.push_back(sh("echo " + std::to_string(i) + "; exit " + std::to_string(i)));
      want.push_back("exit " + std::to_string(i));
    }
    size_t at_once = 0, most = 0, ended = 0;
    const RunSeams seams{.on_start = [&](size_t) { most = std::max(most, ++at_once); },
                         .on_end = [&](size_t) { --at_once, ++ended; }};
    const auto outcomes = run_children(specs, c.max_parallel, {}, {}, seams);
    EXPECT_EQ(texts_of(outcomes), want);
    EXPECT_EQ(outcomes[42].out.bytes, "42\n");
    EXPECT_LE(most, c.most_at_once);
    EXPECT_EQ(ended, 100u);
  }
}

TEST(Supervisor, OneThatCannotStartDoesNotHoldUpTheRest) {
  const NothingLeft check;
  std::vector<ChildSpec> specs = {sh("exit 1"), sh(""), sh("exit 3")};
  specs[1].path = "/nonexistent/hook";
  const auto texts = texts_of(run_children(specs, 1, {}, {}));
  EXPECT_EQ(texts[0], "exit 1");
  EXPECT_EQ(texts[1], "not started: cannot run /nonexistent/hook: no such file");
  EXPECT_EQ(texts[2], "exit 3");
}

TEST(Supervisor, NothingToRunIsNoOutcome) {
  EXPECT_TRUE(run_children({}, 0, {}, {}).empty());
}

}  // namespace
}  // namespace grapnel::testing
