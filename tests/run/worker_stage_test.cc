#include <fcntl.h>

#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "base/environment.h"
#include "decide/interpret.h"
#include "os/temp_dir.h"
#include "run/harness.h"
#include "run/runner.h"
#include "trust/pinned_files.h"

// Worker hooks in a stage: what they are started with, what they read, and what their answer means.

namespace grapnel::testing {
namespace {

constexpr const char* kEcho =
    "import json, os, sys\n"
    "for line in sys.stdin:\n"
    "    m = json.loads(line)\n"
    "    seen = {'event': m['event'], 'cwd': os.getcwd(), 'env': dict(os.environ), 'pid': os.getpid()}\n"
    "    print(json.dumps({'id': m['id'], 'decision': 'deny', 'reason': 'no', 'seen': seen}), flush=True)\n";

class WorkerStage : public ::testing::Test {
 protected:
  WorkerStage() {
    registry_.hooks.resize(1);
    HookSpec& hook = registry_.hooks.front();
    hook.name = "guard";
    hook.dialect = &kGeminiDialect;
    hook.handler =
        WorkerHandler{.start = {.command = "python3 ./guard.py", .args = {}, .env = {{"MINE", "1"}}, .inject = {}}};
    hook.timeout = kLong;
    dir_.put("guard.py", kEcho);
  }

  HookSpec& hook() { return registry_.hooks.front(); }

  RunContext context() {
    return {.env = env_,
            .programs = programs_,
            .session_env = {{"OF_SESSION", "1"}},
            .default_dir = dir_.path(),
            .limits = {},
            .cancel = {},
            .stop = {},
            .supplements = {},
            .http_client = nullptr,
            .workers = &pool_,
            .earlier_context = {}};
  }

  std::vector<RunOutcome> run_all() {
    Stage stage;
    for (uint32_t i = 0; i < registry_.hooks.size(); ++i) stage.hooks.push_back(i);
    PayloadCache payloads;
    const Event event(EventKind::PreToolUse, *Json::parse(R"({"session_id":"s1","cwd":"/","tool_name":"Bash",
        "tool_input":{"command":"ls"}})"));
    return run_stage(registry_, stage, event, context(), payloads);
  }
  RunOutcome run() { return run_all().front(); }

  static Json seen(const RunOutcome& outcome) { return Json::parse(outcome.out.bytes).value_or(Json())["seen"]; }

  const NothingLeft check_;
  TempDir dir_;
  Environment env_{sh("").env};
  os::ProgramPaths programs_;
  Registry registry_;
  WorkerPool pool_{ChildLimits{.term_grace = 50ms, .drain_grace = 50ms}};
};

TEST_F(WorkerStage, ReadsThePayloadOfItsDialectAndAnswersInIt) {
  const RunOutcome outcome = run();
  EXPECT_EQ(text_of(outcome.ending), "answered") << outcome.err.bytes;
  EXPECT_TRUE(seen(outcome)["event"]["hook_event_name"].equals_string("BeforeTool"));
  EXPECT_TRUE(seen(outcome)["event"]["cwd"].equals_string("/"));
  const HookAnswer answer = interpret(hook(), EventKind::PreToolUse, outcome);
  EXPECT_EQ(answer.effects.verdict, Verdict::Deny);
  EXPECT_EQ(answer.effects.reasons.at(0).text, "no");
}

TEST_F(WorkerStage, RunsInTheProjectAndKnowsNothingOfOneEvent) {
  const Json seen_by = seen(run());
  EXPECT_EQ(seen_by["cwd"].as_string(), std::filesystem::canonical(dir_.path()).string());
  EXPECT_TRUE(seen_by["env"]["MINE"].equals_string("1"));
  EXPECT_FALSE(seen_by["env"]["OF_SESSION"]);
  EXPECT_FALSE(seen_by["env"]["GEMINI_SESSION_ID"]);
}

/// However often it has been asked before.
TEST_F(WorkerStage, AChangedScriptReplacesIt) {
  struct Case {
    const char* note;
    int asked;
    std::function<void(TempDir&)> change;
  };
  const std::string changed = std::string(kEcho) + "# changed\n";
  const auto rewrite = [&](TempDir& dir) { dir.put("guard.py", changed); };
  const auto replace = [&](TempDir& dir) {
    dir.put("new", changed);
    std::filesystem::rename(dir.path() + "/new", dir.path() + "/guard.py");
  };
  const auto touch = [](TempDir& dir) {
    std::filesystem::last_write_time(dir.path() + "/guard.py", std::filesystem::file_time_type::clock::now() - 1h);
  };
  const Case cases[] = {
      {"rewritten", 2, rewrite},  {"replaced", 2, replace},
      {"touched", 2, touch},      {"rewritten", 100, rewrite},
      {"replaced", 100, replace}, {"touched", 100, touch},
      {"once more", 1, rewrite},  {"and after a while", 100, replace},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.note) + " after " + std::to_string(c.asked));
    dir_.put("guard.py", kEcho);
    const Json before = seen(run())["pid"];
    for (int i = 1; i < c.asked; ++i) ASSERT_EQ(seen(run())["pid"], before);
    c.change(dir_);
    EXPECT_FALSE(seen(run())["pid"] == before);
  }
}

TEST_F(WorkerStage, AWriteThroughAMappingIsNoticed) {
  const Json before = seen(run())["pid"];
  for (int i = 0; i < 100; ++i) ASSERT_EQ(seen(run())["pid"], before);
  const UniqueFd file(::open((dir_ / "guard.py").c_str(), O_RDWR | O_CLOEXEC));
  void* bytes = ::mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(bytes, MAP_FAILED);
  *static_cast<char*>(bytes) = 'i';
  EXPECT_FALSE(seen(run())["pid"] == before);
  ::munmap(bytes, 1);
}

TEST_F(WorkerStage, AnUntrustedScriptIsNotStarted) {
  const std::string project = std::filesystem::canonical(dir_.path());
  hook().trust = Trust::Trusted;
  hook().digest = pinned_digest(hook(), project, project);
  for (const int asked : {1, 100}) {
    SCOPED_TRACE(asked);
    dir_.put("guard.py", kEcho);
    for (int i = 0; i < asked; ++i) {
      ASSERT_EQ(text_of(run().ending), "answered");
      ASSERT_TRUE(pool_.has_current(worker_name(hook()), dir_.path()));
    }
    dir_.put("guard.py", std::string(kEcho) + "# changed\n");
    EXPECT_FALSE(pool_.has_current(worker_name(hook()), dir_.path()));
    EXPECT_EQ(text_of(run().ending), "not started: untrusted: it changed after it was trusted");
  }
}

TEST_F(WorkerStage, HooksOfOneCommandShareIt) {
  registry_.hooks.push_back(hook());
  hook().name = "other";
  HookSpec command = hook();
  command.handler = CommandHandler{.command = "exit 2", .args = {}, .env = {}, .inject = {}};
  registry_.hooks.push_back(command);
  const auto outcomes = run_all();
  EXPECT_EQ(texts_of(outcomes), (std::vector<std::string>{"answered", "answered", "exit 2"}));
  EXPECT_EQ(seen(outcomes[0])["pid"], seen(outcomes[1])["pid"]);
}

TEST_F(WorkerStage, AnAnswerMeansWhatItsDialectSays) {
  struct Case {
    const char* note;
    Ending ending;
    Capture out;
    Verdict verdict;
    bool fails;
  };
  const Case cases[] = {
      {"nothing", Answered{}, {"", 0}, Verdict::Pass, false},
      {"deny", Answered{}, {R"({"decision":"deny","reason":"no"})", 0}, Verdict::Deny, false},
      {"a verdict nobody knows", Answered{}, {R"({"decision":7})", 0}, Verdict::Pass, true},
      {"over the limit", Answered{}, {"", 1}, Verdict::Pass, true},
      {"no answer", Unanswered{"why"}, {"", 0}, Verdict::Pass, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const HookAnswer answer =
        interpret(hook(), EventKind::PreToolUse, {.ending = c.ending, .out = c.out, .err = {"x", 0}});
    EXPECT_EQ(answer.failure.has_value(), c.fails);
    EXPECT_EQ(answer.effects.verdict, c.verdict);
    EXPECT_TRUE(answer.effects.messages.empty()) << "what it says on stderr is no answer";
  }
}

TEST_F(WorkerStage, NeedsAPool) {
  RunContext without = context();
  without.workers = nullptr;
  PayloadCache payloads;
  const Event event(EventKind::PreToolUse, Json::object());
  EXPECT_EQ(text_of(run_stage(registry_, {{0}, 0}, event, without, payloads).front().ending),
            "not started: hooks of type 'worker' cannot run here");
}

}  // namespace
}  // namespace grapnel::testing
