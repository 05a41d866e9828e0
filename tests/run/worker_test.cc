#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "grapnel/json.h"

#include "os/temp_dir.h"
#include "run/harness.h"
#include "run/worker_pool.h"

// Workers as a pool's users see them: requests in, outcomes out, whatever the process does. `worker.py` misbehaves on
// request.

namespace grapnel::testing {
namespace {

Json read(const RunOutcome& outcome) {
  return Json::parse(outcome.out.bytes).value_or(Json());
}

class WorkerTest : public ::testing::Test {
 protected:
  /// Of a shell command, run in /.
  WorkerRequest request(std::string event, milliseconds timeout = kLong) const {
    WorkerRequest out;
    out.command = command_;
    out.directory = "/";
    out.start = [this]() -> Result<WorkerStart> {
      ++starts_;
      return WorkerStart{sh("exec " + command_), files_};
    };
    out.payload = std::make_shared<const std::string>(std::move(event));
    out.timeout = timeout;
    out.idle = idle_;
    out.max_events = max_events_;
    return out;
  }

  /// All in one loop.
  std::vector<RunOutcome> ask_all(std::vector<WorkerRequest> requests, const os::CancelToken& cancel = {}) {
    std::vector<std::unique_ptr<Pollable>> calls;
    for (WorkerRequest& one : requests) calls.push_back(pool_->call(std::move(one)));
    run_children({}, 0, limits_, cancel, {}, calls);
    std::vector<RunOutcome> outcomes;
    for (const auto& call : calls) outcomes.push_back(call->take_outcome());
    return outcomes;
  }

  RunOutcome ask(std::string event, milliseconds timeout = kLong) {
    return std::move(ask_all({request(std::move(event), timeout)}).front());
  }

  void use(std::string command) { command_ = std::move(command); }

  /// An event that is answered when `release` was called, and not before.
  std::string held_back(int64_t n) const {
    return Json::object({{"do", Json::string("when")}, {"n", Json::number(n)}, {"file", Json::string(dir_ / "go")}})
        .dump();
  }
  void release() const { dir_.put("go", ""); }

  const NothingLeft check_;  ///< looks when the pool is gone
  const TempDir dir_;
  std::string command_ = "python3 " GRAPNEL_TEST_SOURCES "/run/worker.py";
  std::vector<std::pair<std::string, std::optional<os::FileStamp>>> files_;
  milliseconds idle_ = kLong;
  uint64_t max_events_ = 0;
  mutable std::atomic<int> starts_{0};
  ChildLimits limits_{.max_output = 100'000, .term_grace = 50ms, .drain_grace = 50ms};
  std::unique_ptr<WorkerPool> pool_ = std::make_unique<WorkerPool>(limits_);
};

// `check_` looks for what is left when the pool is gone.
TEST_F(WorkerTest, EndsWithAllThatItStarted) {
  const std::string sleeper = "setsid sh -c \": >" + dir_ / "ready" + "; exec sleep 600\" & ";
  use("sh -c '" + sleeper + command_ + "'");
  EXPECT_EQ(text_of(ask(held_back(1), 200ms).ending), "timed out");
  EXPECT_TRUE(becomes_true([&] { return std::filesystem::exists(dir_ / "ready"); }));
  pool_.reset();
  EXPECT_TRUE(becomes_true([] { return find_stray_processes().empty(); }));
}

TEST_F(WorkerTest, TenThousandRequestsGoToOneProcess) {
  for (int64_t n = 0; n < 10'000; ++n) {
    const RunOutcome outcome = ask(Json::object({{"n", Json::number(n)}}).dump());
    ASSERT_EQ(text_of(outcome.ending), "answered");
    ASSERT_EQ(read(outcome)["n"].as_integer(), n);
    ASSERT_FALSE(read(outcome)["id"]);
  }
  EXPECT_EQ(starts_, 1);
}

TEST_F(WorkerTest, SixtyFourThreadsShareOneProcess) {
  constexpr int64_t kThreads = 64, kEach = 30;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < kEach; ++i) {
        const int64_t n = t * kEach + i;
        // Some answers overtake others, some requests do not fit into the pipe at once.
        const bool is_late = n % 7 == 0;
        const Json event = Json::object({{"n", Json::number(n)},
                                         {"do", is_late ? Json::string("later") : Json()},
                                         {"after", Json::number(0.002)},
                                         {"filler", Json::string(std::string(n % 11 == 0 ? 90'000 : 10, 'x'))}});
        const RunOutcome outcome = ask(event.dump());
        if (text_of(outcome.ending) != "answered" || read(outcome)["n"].as_integer() != n) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(starts_, 1);
}

/// Its helper keeps its input open: what is written there would be lost.
TEST_F(WorkerTest, OneThatIsGoneIsNotAsked) {
  for (const int asked : {1, 100}) {
    SCOPED_TRACE(asked);
    const auto pid = static_cast<pid_t>(read(ask(R"({"do":"helper"})"))["pid"].as_integer().value_or(0));
    ASSERT_GT(pid, 1);
    for (int i = 1; i < asked; ++i) ASSERT_EQ(text_of(ask(R"({"n":1})").ending), "answered");
    ASSERT_EQ(::kill(pid, SIGKILL), 0);
    siginfo_t gone;
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &gone, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(text_of(ask(R"({"n":1})").ending), "answered");
  }
  EXPECT_EQ(starts_, 3);
}

struct SilenceCase {
  const char* note;
  const char* line;  ///< `7` stands for the id
  const char* want;  ///< what the hook said
};

TEST_F(WorkerTest, AnswersThatSayNothing) {
  const SilenceCase cases[] = {
      {"compact", R"({"id":"7"})", ""},
      {"with blanks", R"( { "id" : "7" } )", ""},
      {"with tabs", "\t{\t\"id\":\t\"7\"\t}\t", ""},
      {"a number", R"({"id":7})", ""},
      {"a key with an escape", R"({"\u0069d":"7"})", ""},
      {"a member beside it", R"({"id":"7","ok":true})", R"({"ok":true})"},
      {"before it", R"({"ok":true,"id":"7"})", R"({"ok":true})"},
      {"twice", R"({"id":"1","id":"7"})", ""},
  };
  for (const SilenceCase& c : cases) {
    SCOPED_TRACE(c.note);
    const RunOutcome outcome =
        ask(Json::object({{"do", Json::string("print")}, {"line", Json::string(c.line)}}).dump());
    EXPECT_EQ(text_of(outcome.ending), "answered") << outcome.err.bytes;
    EXPECT_EQ(outcome.out.bytes, c.want);
  }
}

TEST_F(WorkerTest, LinesThatAreAlmostSilence) {
  const char* const lines[] = {
      R"({"id":"7")", R"({"id":"7"}})", R"({"id":"7 "})", R"({"id":" 7"})",
      R"({"id":""})", R"({"id":"-7"})", R"("id":"7"})",
  };
  for (const char* line : lines) {
    SCOPED_TRACE(line);
    const std::string lines_said = std::string(line) + "\n" + R"({"id":"7","n":1})";
    const RunOutcome outcome =
        ask(Json::object({{"do", Json::string("print")}, {"line", Json::string(lines_said)}}).dump());
    EXPECT_EQ(outcome.out.bytes, R"({"n":1})");
    EXPECT_TRUE(outcome.err.bytes.starts_with("[1 line of the worker's output")) << outcome.err.bytes;
  }
}

TEST_F(WorkerTest, WhateverARequestEndsInTheNextOneIsAnswered) {
  struct Case {
    const char* note;
    std::string event;
    milliseconds timeout;
    const char* want;
    int starts;                        ///< until the next one is answered
    milliseconds drain_grace = kLong;  ///< for how it ended, when it closes its output
  };
  const Case cases[] = {
      {"answers", R"({"n":1})", kLong, "answered", 1},
      {"a number for an id", R"({"do":"number"})", kLong, "answered", 1},
      {"a payload over several lines", "{\n\"n\"\r\n: 1}", kLong, "answered", 1},
      {"killed", R"({"do":"kill"})", kLong, "signal 9", 2},
      {"exit 0 is no consent", R"({"do":"exit","code":0})", kLong,
       "no answer: the worker ended (exit 0) before it answered", 2},
      {"exit 2 is no deny", R"({"do":"exit","code":2})", kLong,
       "no answer: the worker ended (exit 2) before it answered", 2},
      {"ends after its answer", R"({"do":"answer and exit","code":1})", kLong, "answered", 2},
      {"too slow", held_back(1), 5ms, "timed out", 1},
      {"without an id", R"({"do":"no id"})", 40ms, "timed out", 1},
      {"closes its input", R"({"do":"close input"})", kLong, "answered", 2, 50ms},
      {"closes its output", R"({"do":"close output"})", kLong, "no answer: it closed its output", 2, 50ms},
      {"an answer over the limit", R"({"do":"huge","bytes":300000})", kLong, "answered", 1},
      {"a line over the limit, nobody else waiting", R"({"do":"huge garbage","bytes":300000})", kLong, "answered", 1},
      {"a request larger than the pipe, not read", R"({"do":"hang"})", 20ms, "timed out", 1, 50ms},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    starts_ = 0;
    limits_.drain_grace = c.drain_grace;
    pool_ = std::make_unique<WorkerPool>(limits_);
    ask("{}");
    const RunOutcome outcome = ask(c.event, c.timeout);
    EXPECT_EQ(text_of(outcome.ending), c.want);
    if (std::string(c.note).contains("over the limit")) {
      EXPECT_GT(outcome.out.dropped, 0U);
    }
    if (c.event.contains("hang")) continue;
    // One that is about to end may take a request along; the one after it is safe.
    if (c.starts > 1) ask("{}");
    EXPECT_EQ(text_of(ask(R"({"n":2})").ending), "answered");
    EXPECT_EQ(starts_, c.starts);
  }
}

TEST_F(WorkerTest, AnswersComeInAnyOrder) {
  const auto outcomes = ask_all({request(R"({"do":"later","n":1,"after":0.03})"),
                                 request(R"({"do":"later","n":2,"after":0.01})"), request(R"({"n":3})")});
  for (size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(read(outcomes[i])["n"].as_integer(), int64_t(i) + 1);
}

TEST_F(WorkerTest, AStuckRequestTimesOutWithoutLosingOthers) {
  ask("{}");
  const auto outcomes =
      ask_all({request(held_back(1), 20ms), request(R"({"n":2})"), request(R"({"do":"later","n":3,"after":0.05})")});
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"timed out", "answered", "answered"}));
  release();
  const RunOutcome next = ask(R"({"do":"later","n":4,"after":0.05})");
  EXPECT_EQ(read(next)["n"].as_integer(), 4) << "the late answer is nobody's";
  EXPECT_EQ(next.err.bytes, "") << "and no garbage";
  EXPECT_EQ(starts_, 1);
}

TEST_F(WorkerTest, TwoTimeoutsInARowReplaceItAndTheRestIsAskedAgain) {
  ask("{}");
  const auto outcomes = ask_all(
      {request(R"({"do":"hang"})", 20ms), request(R"({"n":1})", 40ms), request(R"({"n":2})"), request(R"({"n":3})")});
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"timed out", "timed out", "answered", "answered"}));
  EXPECT_EQ(starts_, 2);
}

TEST_F(WorkerTest, NeverReadingIsATimeoutAndThenAReplacement) {
  use("sleep 600");
  const std::string large = Json::object({{"x", Json::string(std::string(200'000, 'x'))}}).dump();
  for (const int starts : {1, 1, 2}) {
    EXPECT_EQ(text_of(ask(large, 20ms).ending), "timed out");
    EXPECT_EQ(starts_, starts);
  }
}

TEST_F(WorkerTest, APayloadOfManyLinesIsOneRequest) {
  const RunOutcome outcome = ask("{\n  \"n\":\r\n  5\n}");
  EXPECT_EQ(text_of(outcome.ending), "answered");
  EXPECT_EQ(read(outcome)["n"].as_integer(), 5);
}

TEST_F(WorkerTest, ErrorsAreDrainedBoundedAndShown) {
  const RunOutcome outcome = ask(R"({"do":"errors","bytes":5000000})");
  EXPECT_EQ(text_of(outcome.ending), "answered");
  EXPECT_LT(outcome.err.bytes.size(), 200'000U);
  EXPECT_EQ(outcome.err.bytes.size() + outcome.err.dropped, 5'000'003U);
  EXPECT_TRUE(outcome.err.bytes.ends_with("xend"));
  EXPECT_EQ(ask("{}").err.bytes, "") << "each request has its own";
}

TEST_F(WorkerTest, ErrorsSaidBeforeAQuickAnswerBelongToIt) {
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(ask(R"({"do":"errors","bytes":1})").err.bytes, "xend");
    ASSERT_EQ(ask("{}").err.bytes, "");
  }
}

TEST_F(WorkerTest, GarbageIsCountedAndReported) {
  const RunOutcome outcome = ask(R"({"do":"garbage"})");
  EXPECT_EQ(text_of(outcome.ending), "answered");
  EXPECT_EQ(outcome.err.bytes,
            "[5 lines of the worker's output did not answer a known request; the last one: {\"id\":99999}]");
  EXPECT_EQ(ask("{}").err.bytes, "");
}

TEST_F(WorkerTest, AnEndlessLineThatCouldBeAnybodysEndsTheWorker) {
  const auto outcomes = ask_all({request(held_back(1)), request(R"({"do":"huge garbage","bytes":300000})")});
  for (const RunOutcome& outcome : outcomes) {
    EXPECT_EQ(text_of(outcome.ending), "no answer: the worker printed a line longer than 100000 bytes");
  }
}

TEST_F(WorkerTest, DeathsInARowArePausedAfter) {
  use("sh -c 'read -r line; exit 1'");
  limits_.drain_grace = kLong;
  pool_ = std::make_unique<WorkerPool>(limits_);
  bool was_paused = false;
  milliseconds pause = 0ms;  // none after the first death, then twice as long each time
  auto before_death = SteadyClock::now();
  while (!was_paused || starts_ < 3) {
    const auto asked = SteadyClock::now();
    const int deaths = starts_;
    const std::string text = text_of(ask("{}").ending);
    if (starts_ == deaths) {
      was_paused = true;
      EXPECT_TRUE(text.starts_with("not started: the worker ended " + std::to_string(deaths) +
                                   " times in a row (exit 1); it may start again in "))
          << text;
      EXPECT_GE(deaths, 2) << "the second start is at once";
      std::this_thread::sleep_for(5ms);
      continue;
    }
    EXPECT_TRUE(text.contains("no answer")) << text;
    EXPECT_GE(SteadyClock::now() - before_death, pause) << "after " << deaths;
    pause = deaths == 0 ? 0ms : deaths == 1 ? 100ms : 2 * pause;
    before_death = asked;
  }
}

TEST_F(WorkerTest, CannotStart) {
  use("/nonexistent/worker");
  WorkerRequest one = request("{}");
  one.start = []() -> Result<WorkerStart> {
    ChildSpec child = sh("");
    child.path = "/nonexistent/worker";
    return WorkerStart{child, {}};
  };
  EXPECT_EQ(text_of(ask_all({one}).front().ending), "not started: cannot run /nonexistent/worker: no such file");
}

TEST_F(WorkerTest, IsRetiredAfterItsEventsAndWhenIdle) {
  max_events_ = 3;
  for (int i = 0; i < 7; ++i) EXPECT_EQ(text_of(ask("{}").ending), "answered");
  EXPECT_EQ(starts_, 3);

  use(command_ + " idle");
  max_events_ = 0;
  idle_ = 1ms;
  starts_ = 0;
  const auto pid = read(ask("{}"))["pid"].as_integer().value_or(0);
  EXPECT_TRUE(becomes_true([&] { return pool_->sweep(), ::kill(static_cast<pid_t>(pid), 0) != 0; }))
      << "asked to end, ended and reaped";
  EXPECT_EQ(text_of(ask("{}").ending), "answered");
  EXPECT_EQ(starts_, 2);
}

TEST_F(WorkerTest, ChangedFilesAndForgottenCommandsReplaceIt) {
  files_ = {{"/etc/passwd", os::stamp("/etc/passwd")}};
  ask("{}");
  ask("{}");
  EXPECT_EQ(starts_, 1);
  files_ = {{"/etc/passwd", std::nullopt}};
  pool_->keep_only({});
  ask("{}");
  EXPECT_EQ(starts_, 2) << "its command was not kept";
  ask("{}");
  EXPECT_EQ(starts_, 3) << "its file is not as it was";
}

TEST_F(WorkerTest, HelpersEndWithIt) {
  ask(R"({"do":"helper"})");
  EXPECT_EQ(find_stray_processes().size(), 2U);
}

TEST_F(WorkerTest, OneThatIgnoresItsEndIsKilled) {
  use("sh -c \"trap '' TERM; while read -r line; do echo '{\\\"id\\\":\\\"1\\\"}'; done; while :; do sleep 0.01; "
      "done\"");
  EXPECT_EQ(text_of(ask("{}").ending), "answered");
}

TEST_F(WorkerTest, ACancelledRequestIsDroppedAndTheWorkerStays) {
  ask("{}");
  const os::CancelSource source;
  std::thread canceller([&] {
    std::this_thread::sleep_for(20ms);
    source.cancel();
  });
  const auto outcomes = ask_all({request(held_back(1))}, source.token());
  canceller.join();
  EXPECT_EQ(text_of(outcomes.front().ending), "cancelled");
  EXPECT_EQ(text_of(ask("{}").ending), "answered");
  EXPECT_EQ(starts_, 1);
}

TEST_F(WorkerTest, TheEndOfThePoolIsTheEndOfWhatWaits) {
  ask("{}");
  RunOutcome outcome;
  std::atomic<bool> is_asking{false};
  std::thread waiting([&] {
    is_asking = true;
    outcome = ask(R"({"do":"hang"})");
  });
  while (!is_asking) std::this_thread::yield();
  std::this_thread::sleep_for(30ms);
  pool_->close();
  waiting.join();
  EXPECT_TRUE(text_of(outcome.ending).ends_with("the engine has ended")) << text_of(outcome.ending);
  EXPECT_EQ(text_of(ask("{}").ending), "not started: the engine has ended");
}

TEST_F(WorkerTest, OverlapsWithChildrenOfTheRun) {
  // The child waits for what the worker's answer lets through, and the other way round would hang as well.
  std::vector<std::unique_ptr<Pollable>> calls;
  calls.push_back(pool_->call(request(R"({"do":"later","n":1,"after":0.02})")));
  const std::vector<ChildSpec> children = {sh("sleep 0.01; exit 3"), sh("exit 4")};
  const auto ended = run_children(children, 0, limits_, {}, {}, calls);
  EXPECT_EQ(texts_of(ended), (std::vector<std::string>{"exit 3", "exit 4"}));
  EXPECT_EQ(text_of(calls.front()->take_outcome().ending), "answered");
  calls.clear();
}

}  // namespace
}  // namespace grapnel::testing
