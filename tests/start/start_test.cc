// A program that begins in cli/start is as one that begins in the C library, but for the questions to the processor.
#include <unistd.h>

#include <chrono>

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "run/supervisor.h"

namespace grapnel {
namespace {

struct Seen {
  int status = -1;
  std::string out;
};

Seen probe(const std::vector<std::string>& words, const std::vector<std::string>& env) {
  ChildSpec child;
  child.path = START_PROBE;
  child.argv = {"somewhere/probe"};
  child.argv.insert(child.argv.end(), words.begin(), words.end());
  child.env = env;
  child.cwd = "/";
  child.timeout = std::chrono::minutes(1);
  const RunOutcome ended = run_children({&child, 1}, 0, {}, {}).front();
  const Exited* exited = std::get_if<Exited>(&ended.ending);
  return {exited == nullptr ? -1 : exited->code, ended.out.bytes};
}

std::string seen_with(const std::string& words, const std::string& fresh_memory) {
  return "words: " + words +
         "\nvariable: is here\nname: probe\npage: 4096\nconstructions: 1\ncopies: right\nsearches: 206 100 106 99 0\n"
         "threads: fresh, main's\nexceptions: thrown\nnumbers: 1234567 0.1 2500\nguards: set\nstack: known\n"
         "fresh memory: " +
         fresh_memory + "\natexit: called\nglobal: destroyed\n";
}

TEST(Start, PreparesTheLibrariesAsTheyWouldThemselves) {
  struct Case {
    const char* note;
    std::vector<std::string> words;
    std::vector<std::string> env;
    std::string want;
  };
  const std::vector<Case> cases = {
      {"an event", {"fire"}, {"PROBE=is here"}, seen_with("", "0")},
      {"an event with options", {"fire", "--as", "claude"}, {"A=b", "PROBE=is here"}, seen_with("[--as][claude]", "0")},
      {"settings of the C library", {"fire"}, {"PROBE=is here", "MALLOC_PERTURB_=85"}, seen_with("", "170")},
      {"the same, newly spelled",
       {"fire"},
       {"GLIBC_TUNABLES=glibc.malloc.perturb=85", "PROBE=is here"},
       seen_with("", "170")},
      {"no event", {"list"}, {"PROBE=is here"}, seen_with("", "0")},
      {"hardly an event", {"fired", "x"}, {"PROBE=is here"}, seen_with("[x]", "0")},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    const Seen seen = probe(one.words, one.env);
    EXPECT_EQ(seen.out, one.want);
    EXPECT_EQ(seen.status, 7);
  }
}

/// How often the program asks the processor what it can do, seen by following it step by step.
int count_questions(const char* word) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::execl(START_PROBE, "probe", word, "only-start", nullptr);
    ::_exit(127);
  }
  int questions = 0;
  int status = 0;
  while (::waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    user_regs_struct registers{};
    ::ptrace(PTRACE_GETREGS, child, nullptr, &registers);
    const long code = ::ptrace(PTRACE_PEEKTEXT, child, registers.rip, nullptr);
    questions += (code & 0xffff) == 0xa20f ? 1 : 0;  // cpuid
    ::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? questions : -1;
}

TEST(Start, AsksTheProcessorNothingForAnEvent) {
  EXPECT_EQ(count_questions("fire"), 0);
  EXPECT_GT(count_questions("list"), 5);
}

}  // namespace
}  // namespace grapnel
