#include <algorithm>
#include <fstream>
#include <thread>

#include "engine/fixture.h"

// Hooks with `debounce` and `{files}`: a formatter that notes each of its runs, one line per run, with its arguments.

namespace grapnel::testing {
namespace {

constexpr const char* kFormatter =
    "#!/bin/sh\nline=run\nfor f in \"$@\"; do line=\"$line|$f\"; done\necho \"$line\" >> runs\n";

class DebounceTest : public EngineTest {
 protected:
  /// Every call makes a new engine over the same session files, as `grapnel fire` does for each event.
  std::unique_ptr<Engine> engine_for(const std::string& rules) {
    EngineOptions out = options();
    out.configs.push_back({"", dir_.put("rules/grapnel.yaml", "version: 1\nhooks:\n" + rules), {}});
    out.sessions = make_file_session_store(dir_ / "sessions");
    out.host.background = [this](std::function<void()> work) {
      const std::lock_guard lock(mutex_);
      unwaited_.push_back(std::move(work));
    };
    auto engine = Engine::create(std::move(out));
    for (const ConfigProblem& problem : engine->problems()) ADD_FAILURE() << problem.to_string();
    return engine;
  }

  void SetUp() override {
    options();
    const std::string path = dir_.put("project/format", kFormatter);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  std::string file(const std::string& name) { return dir_.put("project/" + name, "x"); }

  Event event(EventKind kind, const std::string& payload = "{}", const std::string& session = "s1") const {
    return Event(kind,
                 json(payload).with("session_id", Json::string(session)).with("cwd", Json::string(dir_ / "project")));
  }
  Event edit(const std::string& path, const std::string& session = "s1") const {
    const Json input = Json::object({{"file_path", Json::string(path)}});
    return event(EventKind::PostToolUse,
                 Json::object({{"tool_name", Json::string("Edit")}, {"tool_input", input}}).dump(), session);
  }

  /// The runs of the formatter: the names of the files of each, without their directory.
  std::vector<std::vector<std::string>> runs() const {
    std::vector<std::vector<std::string>> out;
    std::ifstream log(dir_ / "project/runs");
    for (std::string line; std::getline(log, line);) {
      std::vector<std::string> files;
      for (size_t at = line.find('|'); at != std::string::npos; at = line.find('|', at + 1)) {
        const std::string path = line.substr(at + 1, line.find('|', at + 1) - at - 1);
        EXPECT_TRUE(path.starts_with('/')) << path;
        files.push_back(path.substr(path.rfind('/') + 1));
      }
      std::ranges::sort(files);
      out.push_back(files);
    }
    return out;
  }

  void run_unwaited() {
    for (auto& work : std::exchange(unwaited_, {})) work();
  }

  std::mutex mutex_;
  std::vector<std::function<void()>> unwaited_;
};

using Runs = std::vector<std::vector<std::string>>;

constexpr const char* kOnceATurn =
    "  - {name: format, on: PostToolUse, when: {tool: [write, edit], path: '**/*.py'}, run: './format {files}',"
    " debounce: turn}\n";

TEST_F(DebounceTest, TenEditsAreOneRunAtTheEndOfTheTurn) {
  for (int i = 0; i < 10; ++i) engine_for(kOnceATurn)->fire(edit(file("f" + std::to_string(i % 5) + ".py")));
  EXPECT_EQ(runs(), Runs{});
  const Decision stop = engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs(), (Runs{{"f0.py", "f1.py", "f2.py", "f3.py", "f4.py"}}));
  ASSERT_EQ(stop.hooks.size(), 1u);
  EXPECT_EQ(stop.hooks[0].kind, HookFate::Kind::Ran);
  EXPECT_EQ(stop.hooks[0].trace.argv.size(), 6u) << "the record of the event that ran it names the files";
  EXPECT_FALSE(stop.denied());

  engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs().size(), 1u) << "nothing was touched since";
  engine_for(kOnceATurn)->fire(edit(file("g.py")));
  engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs().back(), std::vector<std::string>{"g.py"});
}

TEST_F(DebounceTest, AnEditIsRecordedAsPutOff) {
  const Decision decision = engine_for(kOnceATurn)->fire(edit(file("a.py")));
  ASSERT_EQ(decision.hooks.size(), 1u);
  EXPECT_EQ(decision.hooks[0].kind, HookFate::Kind::Skipped);
  EXPECT_EQ(decision.hooks[0].detail, "put off until the turn ends (debounce), with 1 file");
}

TEST_F(DebounceTest, OtherFilesDoNotCount) {
  engine_for(kOnceATurn)->fire(edit(file("a.txt")));
  engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs(), Runs{});
}

TEST_F(DebounceTest, SessionsDoNotMix) {
  engine_for(kOnceATurn)->fire(edit(file("a.py"), "one"));
  engine_for(kOnceATurn)->fire(edit(file("b.py"), "two"));
  engine_for(kOnceATurn)->fire(event(EventKind::Stop, "{}", "two"));
  EXPECT_EQ(runs(), (Runs{{"b.py"}}));
  engine_for(kOnceATurn)->fire(event(EventKind::Stop, "{}", "one"));
  EXPECT_EQ(runs(), (Runs{{"b.py"}, {"a.py"}}));
}

TEST_F(DebounceTest, DeletedFilesAreLeftOut) {
  engine_for(kOnceATurn)->fire(edit(file("a.py")));
  const std::string gone = file("gone.py");
  engine_for(kOnceATurn)->fire(edit(gone));
  std::filesystem::remove(gone);
  engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs(), (Runs{{"a.py"}}));

  engine_for(kOnceATurn)->fire(edit(file("b.py")));
  std::filesystem::remove(dir_ / "project/b.py");
  engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs().size(), 1u) << "nothing is run if no file is left";
}

TEST_F(DebounceTest, NamesArePassedAsTheyAre) {
  const std::vector<std::string> names = {"-rf.py", "a b.py", "a'b\".py", "$(touch owned).py", "*.py"};
  for (const std::string& name : names) engine_for(kOnceATurn)->fire(edit(file(name)));
  engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  std::vector<std::string> want = names;
  std::ranges::sort(want);
  EXPECT_EQ(runs(), Runs{want});
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/owned"));
}

TEST_F(DebounceTest, AShellGetsTheFilesAsItsArguments) {
  const auto rule = "  - {name: f, on: PostToolUse, run: 'test -x format && ./format {files}; true', debounce: turn}\n";
  engine_for(rule)->fire(edit(file("a b.py")));
  engine_for(rule)->fire(edit(file("$x;y.py")));
  engine_for(rule)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs(), (Runs{{"$x;y.py", "a b.py"}}));
}

/// The ways in which a turn ends. An aborted turn has no end of its own in most agents; then the next prompt is it.
TEST_F(DebounceTest, EveryEndOfATurnCounts) {
  for (const EventKind end : {EventKind::Stop, EventKind::StopFailure, EventKind::Interrupt,
                              EventKind::UserPromptSubmit, EventKind::SessionEnd}) {
    SCOPED_TRACE(to_string(end));
    const size_t before = runs().size();
    engine_for(kOnceATurn)->fire(edit(file("a.py")));
    engine_for(kOnceATurn)->fire(event(end, R"({"prompt": "go on"})"));
    run_unwaited();
    EXPECT_EQ(runs().size(), before + 1);
  }
}

/// Qwen Code reports one after each result of a tool.
TEST_F(DebounceTest, AnEmptyPromptEndsNoTurn) {
  for (const char* name : {"a.py", "b.py"}) {
    engine_for(kOnceATurn)->fire(edit(file(name)));
    engine_for(kOnceATurn)->fire(event(EventKind::UserPromptSubmit, R"({"prompt": ""})"));
  }
  EXPECT_EQ(runs(), Runs{});
  engine_for(kOnceATurn)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs(), (Runs{{"a.py", "b.py"}}));
}

TEST_F(DebounceTest, ParallelEditsLoseNothing) {
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<Engine>> engines;
  for (int t = 0; t < 6; ++t) engines.push_back(engine_for(kOnceATurn));
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i)
        engines[static_cast<size_t>(t)]->fire(edit(file("f" + std::to_string(t) + std::to_string(i) + ".py")));
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Two ends at once: each file is formatted once.
  std::thread other([&] { engines[4]->fire(event(EventKind::Stop)); });
  engines[5]->fire(event(EventKind::Stop));
  other.join();
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_EQ(runs()[0].size(), 20u);
}

TEST_F(DebounceTest, AFailureIsAFailureOfTheHookAndNoGate) {
  struct Case {
    const char* note;
    const char* run;
    const char* more;
    EventKind end;
    Verdict want;
    HookFate::Kind fate;
    const char* context;
  };
  const Case cases[] = {
      {"1 is a failure", "exit 1; {files}", "", EventKind::Stop, Verdict::Pass, HookFate::Kind::Failed, ""},
      {"unless it must not fail", "exit 1; {files}", ", on_failure: closed", EventKind::Stop, Verdict::Deny,
       HookFate::Kind::Failed, ""},
      {"2 is an objection, and the agent goes on", "echo bad >&2; exit 2; {files}", "", EventKind::Stop, Verdict::Deny,
       HookFate::Kind::Ran, ""},
      {"a prompt is not to blame for the turn before", "echo bad >&2; exit 2; {files}", "", EventKind::UserPromptSubmit,
       Verdict::Pass, HookFate::Kind::Ran, "bad"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const std::string rule =
        "  - {name: f, on: PostToolUse, run: '" + std::string(c.run) + "', debounce: turn" + c.more + "}\n";
    engine_for(rule)->fire(edit(file("a.py")));
    const Decision decision = engine_for(rule)->fire(event(c.end, R"({"prompt": "go on"})"));
    EXPECT_EQ(decision.verdict(), c.want);
    ASSERT_EQ(decision.hooks.size(), 1u);
    EXPECT_EQ(decision.hooks[0].kind, c.fate) << decision.hooks[0].detail;
    EXPECT_EQ(decision.context(), c.context);
  }
}

TEST_F(DebounceTest, GatesSeeWhatItLeft) {
  const std::string rules =
      std::string(kOnceATurn) + "  - {name: gate, on: Stop, run: 'test -s runs', priority: 1000}\n";
  engine_for(rules)->fire(edit(file("a.py")));
  EXPECT_FALSE(engine_for(rules)->fire(event(EventKind::Stop)).denied());
}

TEST_F(DebounceTest, WithoutASessionItRunsAtOnce) {
  engine_for(kOnceATurn)->fire(edit(file("a.py"), ""));
  EXPECT_EQ(runs(), (Runs{{"a.py"}}));
}

constexpr const char* kWhenQuiet =
    "  - {name: format, on: PostToolUse, when: {path: '**/*.py'}, run: './format {files}', debounce: 20ms}\n";

TEST_F(DebounceTest, ItRunsWhenItIsQuiet) {
  engine_for(kWhenQuiet)->fire(edit(file("a.py")));
  engine_for(kWhenQuiet)->fire(edit(file("b.py")));
  EXPECT_EQ(runs(), Runs{});
  ASSERT_EQ(unwaited_.size(), 1u) << "the first event waits for all";
  run_unwaited();
  EXPECT_EQ(runs(), (Runs{{"a.py", "b.py"}}));
  ASSERT_EQ(sink_->records.size(), 3u);
  EXPECT_TRUE(sink_->records.back().in_background);
  EXPECT_EQ(sink_->records.back().hooks.at(0).trace.argv.size(), 3u);
}

TEST_F(DebounceTest, ABurstIsRunOnceWhoeverWaits) {
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<Engine>> engines;
  for (int t = 0; t < 4; ++t) engines.push_back(engine_for(kWhenQuiet));
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] { engines[t]->fire(edit(file("f" + std::to_string(t) + ".py"))); });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(unwaited_.size(), 1u);
  const auto again = unwaited_[0];
  run_unwaited();
  again();  // a waiter that comes too late finds nothing
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_EQ(runs()[0].size(), 4u);
}

TEST_F(DebounceTest, NothingIsLostIfNobodyWaits) {
  engine_for(kWhenQuiet)->fire(edit(file("a.py")));
  unwaited_.clear();  // the process that should have waited was killed
  engine_for(kWhenQuiet)->fire(event(EventKind::SessionEnd));
  run_unwaited();
  EXPECT_EQ(runs(), (Runs{{"a.py"}}));
}

TEST_F(DebounceTest, WithoutDebounceTheFilesAreThoseOfTheCall) {
  const auto rule = "  - {name: f, on: PostToolUse, when: {path: '**/*.py'}, run: './format {files}'}\n";
  const std::string patch =
      "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+x\n"
      "*** Update File: c.txt\n@@\n-x\n+y\n*** End Patch\n";
  for (const char* name : {"a.py", "b.py", "c.txt"}) file(name);
  const Json input = Json::object({{"input", Json::string(patch)}});
  engine_for(rule)->fire(
      event(EventKind::PostToolUse,
            Json::object({{"tool_name", Json::string("apply_patch")}, {"tool_input", input}}).dump()));
  EXPECT_EQ(runs(), (Runs{{"a.py", "b.py"}}));
}

TEST_F(DebounceTest, AtTheEndOfATurnTheFilesAreThoseOfTheTurn) {
  const auto rule = "  - {name: f, on: Stop, when: {changed: '**/*.py'}, run: './format {files}'}\n";
  for (const char* name : {"a.py", "b.txt", "c.py"}) engine_for(rule)->fire(edit(file(name)));
  engine_for(rule)->fire(event(EventKind::Stop));
  EXPECT_EQ(runs(), (Runs{{"a.py", "c.py"}}));
}

}  // namespace
}  // namespace grapnel::testing
