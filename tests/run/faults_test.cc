#include <cerrno>
#include <optional>

#include <gtest/gtest.h>

#include "decide/interpret.h"
#include "run/harness.h"
#include "run/worker_pool.h"

// Every operating-system call of a run fails once: for N = 1, 2, … the Nth call, until a run does not reach it. However
// a run fails, it leaves nothing behind and never reads as consent.

namespace grapnel::testing {
namespace {

enum class Kind { Error, Interrupt };

struct Plan {
  Kind kind = Kind::Error;
  int fail_at = 0;
  int calls = 0;
  const char* hit = nullptr;
};
Plan plan;

bool is_due(const char* name) {
  if (++plan.calls != plan.fail_at) return false;
  plan.hit = name;
  return true;
}

/// Runs the real call, unless it is the one to fail; a call that cannot be interrupted is not.
template <typename Call>
auto attempt(const char* name, int error, bool interruptible, Call call) -> decltype(call()) {
  if (!is_due(name)) return call();
  if (plan.kind == Kind::Interrupt && !interruptible) return call();
  errno = plan.kind == Kind::Interrupt ? EINTR : error;
  return -1;
}

/// A wait for our child fails when the host has reaped it, so then it has to be reaped.
int faulty_waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  const int result = attempt("waitid", ECHILD, true, [&] { return os::real_calls().waitid(type, id, info, options); });
  if (result == 0 || errno != ECHILD) return result;
  siginfo_t stolen{};
  os::real_calls().waitid(type, id, &stolen, WEXITED);
  errno = ECHILD;
  return result;
}

os::Calls faulty_calls() {
  os::Calls calls = os::real_calls();
  calls.pipe2 = [](int fds[2], int flags) {
    return attempt("pipe2", EMFILE, false, [&] { return os::real_calls().pipe2(fds, flags); });
  };
  calls.fcntl = [](int fd, int command, int argument) {
    return attempt("fcntl", EINVAL, false, [&] { return os::real_calls().fcntl(fd, command, argument); });
  };
  calls.clone = [](int (*child)(void*), void* stack, int flags, void* argument, int* pidfd) {
    return attempt("clone", EAGAIN, false,
                   [&] { return os::real_calls().clone(child, stack, flags, argument, pidfd); });
  };
  calls.ppoll = [](pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
    return attempt("ppoll", ENOMEM, true, [&] { return os::real_calls().ppoll(fds, count, timeout, mask); });
  };
  calls.read = [](int fd, void* buffer, size_t size) {
    return attempt("read", EIO, true, [&] { return os::real_calls().read(fd, buffer, size); });
  };
  calls.write = [](int fd, const void* data, size_t size) {
    return attempt("write", EIO, true, [&] { return os::real_calls().write(fd, data, size); });
  };
  calls.write_quietly = [](int fd, const void* data, size_t size) {
    return attempt("write_quietly", EOPNOTSUPP, true, [&] { return os::real_calls().write_quietly(fd, data, size); });
  };
  calls.waitid = faulty_waitid;
  calls.kill = [](pid_t pid, int signal) {
    return attempt("kill", EPERM, false, [&] { return os::real_calls().kill(pid, signal); });
  };
  calls.eventfd = [](unsigned value, int flags) {
    return attempt("eventfd", EMFILE, false, [&] { return os::real_calls().eventfd(value, flags); });
  };
  // Questions about other processes are as many as there are new processes on the machine, so they are not counted.
  calls.prlimit = [](pid_t pid, int resource, const rlimit64* limit, rlimit64* old) {
    const auto ask = [&] { return os::real_calls().prlimit(pid, resource, limit, old); };
    return pid != 0 ? ask() : attempt("prlimit", EPERM, false, ask);
  };
  // Runs in the child, in our memory.
  calls.limit_self = [](int resource, const rlimit64* limit) -> long {
    return attempt("limit_self", EPERM, false, [&] { return os::real_calls().limit_self(resource, limit); });
  };
  return calls;
}

struct Scenario {
  const char* note;
  std::string script;
  size_t stdin_bytes;
  milliseconds timeout;
  const char* want;
};

const Scenario kScenarios[] = {
    {"allows", "exit 0", 0, kLong, "exit 0"},
    {"denies", "echo no >&2; exit 2", 100, kLong, "exit 2"},
    {"denies in words", "cat; echo '{\"decision\":\"deny\"}'", 100, kLong, "exit 0"},
    {"reads much", "wc -c; exit 0", 200'000, kLong, "exit 0"},
    {"denies when it has read all", "test $(wc -c) -lt 200000", 200'000, kLong, "exit 1"},
    {"writes much", "head -c 300000 /dev/zero; exit 2", 0, kLong, "exit 2"},
    {"hangs", "exec sleep 600", 0, 30ms, "timed out"},
    {"hangs and ignores TERM", "trap '' TERM; while :; do sleep 0.05; done", 0, 30ms, "timed out"},
    {"leaves a helper", "sleep 0.05 & exit 2", 0, kLong, "exit 2"},
};

RunOutcome run_scenario(const Scenario& scenario, Kind kind, int fail_at) {
  static const os::Calls calls = faulty_calls();
  const NothingLeft check;
  ChildSpec spec = sh(scenario.script, scenario.timeout);
  spec.stdin_bytes = bytes(scenario.stdin_bytes);
  const os::CancelSource source;
  plan = {kind, fail_at};
  return run_one(spec, {.term_grace = 30ms, .drain_grace = 20ms}, source.token(), calls);
}

bool is_same(const RunOutcome& a, const RunOutcome& b) {
  return text_of(a.ending) == text_of(b.ending) && a.out.bytes == b.out.bytes && a.err.bytes == b.err.bytes;
}

/// What the outcome comes to for a guard of that dialect that fails closed.
Verdict verdict_of_guard(const RunOutcome& outcome, const Dialect& dialect) {
  HookSpec guard;
  guard.name = "guard";
  guard.dialect = &dialect;
  guard.failure = {OnFailure::Closed, OnFailure::Closed};
  const HookAnswer answer = interpret(guard, EventKind::PreToolUse, outcome);
  return answer.failure ? effects_of_failure(guard, *answer.failure, EventKind::PreToolUse).verdict
                        : answer.effects.verdict;
}

TEST(Faults, NeverLeakAndNeverReadAsConsent) {
  for (const Scenario& scenario : kScenarios) {
    SCOPED_TRACE(scenario.note);
    const RunOutcome truth = run_scenario(scenario, Kind::Error, 0);
    ASSERT_EQ(text_of(truth.ending), scenario.want);
    int n = 0;
    do {
      const RunOutcome outcome = run_scenario(scenario, Kind::Error, ++n);
      SCOPED_TRACE(std::to_string(n) + ": " + (plan.hit ? plan.hit : "no fault"));
      const bool is_truth = is_same(outcome, truth);
      if (text_of(outcome.ending) == "exit 0") {
        EXPECT_TRUE(is_truth) << "an exit 0 that is not the whole truth";
      }
      for (const Dialect* dialect : {&kGeminiDialect, &kClawdDialect}) {
        EXPECT_EQ(verdict_of_guard(outcome, *dialect), is_truth ? verdict_of_guard(truth, *dialect) : Verdict::Deny)
            << "more permissive than the failure policy of a " << dialect->name << " hook";
      }
    } while (plan.hit != nullptr && !HasFailure());
    EXPECT_GT(n, 10) << "no fault was injected";
  }
}

TEST(Faults, InterruptionsChangeNothing) {
  for (const Scenario& scenario : kScenarios) {
    SCOPED_TRACE(scenario.note);
    const RunOutcome truth = run_scenario(scenario, Kind::Error, 0);
    int n = 0;
    do {
      const RunOutcome outcome = run_scenario(scenario, Kind::Interrupt, ++n);
      SCOPED_TRACE(std::to_string(n) + ": " + (plan.hit ? plan.hit : "no fault"));
      EXPECT_TRUE(is_same(outcome, truth)) << text_of(outcome.ending);
    } while (plan.hit != nullptr && !HasFailure());
  }
}

/// Two requests to a worker that denies, one after the other, and its end.
std::vector<RunOutcome> ask_worker(Kind kind, int fail_at) {
  static const os::Calls calls = faulty_calls();
  const NothingLeft check;
  const ChildLimits limits{.term_grace = 30ms, .drain_grace = 20ms};
  plan = {kind, fail_at};
  WorkerPool pool(limits, calls);
  std::vector<RunOutcome> outcomes;
  for (const char* id : {"1", "2"}) {
    WorkerRequest request;
    request.start = []() -> Result<WorkerStart> {
      return WorkerStart{
          sh(R"(i=0; while read -r line; do i=${line#*:?}; echo "{\"id\":${i%%\"*},\"decision\":\"deny\"}"; done)"),
          {}};
    };
    request.payload = std::make_shared<const std::string>(id);
    request.timeout = kLong;
    request.idle = kLong;
    std::vector<std::unique_ptr<Pollable>> asked;
    asked.push_back(pool.call(request));
    run_children({}, 0, limits, {}, {.calls = calls}, asked);
    outcomes.push_back(asked.front()->take_outcome());
  }
  return outcomes;
}

TEST(Faults, OfWorkersNeverLeakAndNeverReadAsConsent) {
  for (const Kind kind : {Kind::Error, Kind::Interrupt}) {
    const auto truth = ask_worker(kind, 0);
    ASSERT_EQ(texts_of(truth), (std::vector<std::string>{"answered", "answered"}));
    int n = 0;
    do {
      const auto outcomes = ask_worker(kind, ++n);
      SCOPED_TRACE(std::to_string(n) + ": " + (plan.hit ? plan.hit : "no fault"));
      for (const RunOutcome& outcome : outcomes) {
        EXPECT_EQ(verdict_of_guard(outcome, kGeminiDialect), Verdict::Deny) << text_of(outcome.ending);
        if (kind == Kind::Interrupt) {
          EXPECT_EQ(text_of(outcome.ending), "answered");
        }
      }
    } while (plan.hit != nullptr && !HasFailure());
    EXPECT_GT(n, 10) << "no fault was injected";
  }
}

}  // namespace
}  // namespace grapnel::testing
