#include <chrono>

#include "base/environment.h"
#include "engine/hook_info.h"
#include "engine/line.h"
#include "os/temp_dir.h"
#include "rule/support.h"

// Rules on the straight line: what an event with several hooks comes to.

namespace grapnel::rule {
namespace {

using testing::TempDir;

/// Counts how often it is asked.
class CountingStore final : public SessionStore {
 public:
  Result<SessionState> load(const std::string& id) override {
    ++loads;
    return store_->load(id);
  }
  Result<void> update(const std::string& id, const std::function<void(SessionState&)>& change) override {
    return store_->update(id, change);
  }
  int loads = 0;

 private:
  std::unique_ptr<SessionStore> store_ = make_memory_session_store();
};

/// A registry of these hooks, in this order.
class Line {
 public:
  explicit Line(std::vector<HookSpec> hooks, std::string project = "/p") : snapshot_(numbered(std::move(hooks))) {
    options_.project_dir = std::move(project);
  }

  Decision fire(const Event& event) {
    std::vector<BackgroundRun> background;
    return walk_line(snapshot_, event, {options_, env_, home_, sessions, workers_, nullptr, programs_, ids_, never_},
                     background);
  }
  bool is_planned(const Event& event) const { return !snapshot_.planner.plan(event).empty(); }
  std::string explain(const Event& event) {
    Conditions conditions(event, context());
    return explain_event(snapshot_, event, conditions).at(0).detail;
  }

  CountingStore sessions;

 private:
  static std::shared_ptr<const Discovered> numbered(std::vector<HookSpec> hooks) {
    for (size_t i = 0; i < hooks.size(); ++i) hooks[i].name += std::to_string(i + 1);
    auto discovered = std::make_shared<Discovered>();
    discovered->registry = {std::move(hooks), {}, {}, "digest"};
    return discovered;
  }
  ConditionContext context() { return {options_.project_dir, home_, env_, sessions}; }

  EngineOptions options_;
  WorkerPool workers_{ChildLimits{}};
  os::ProgramPaths programs_;
  EventIds ids_;
  std::stop_token never_;
  Environment env_{"PATH=/usr/bin:/bin"};  // an allow is for programs that are found
  std::string home_ = "/home/u";
  Snapshot snapshot_;
};

HookSpec hook_on(EventKind kind, std::optional<Condition> when, Handler handler, std::string name = "rule") {
  HookSpec hook;
  hook.name = std::move(name);
  hook.events.set(static_cast<size_t>(kind));
  hook.dialect = &kCanonicalDialect;
  hook.when = std::move(when);
  hook.handler = std::move(handler);
  hook.timeout = {};
  return hook;
}
HookSpec rule_for(Condition when, RuleHandler rule) {
  return hook_on(EventKind::PreToolUse, std::move(when), std::move(rule));
}
HookSpec deny(Condition when) {
  return rule_for(std::move(when), {.verdict = Verdict::Deny, .reason = "no"});
}
HookSpec allow(Condition when) {
  return rule_for(std::move(when), {.verdict = Verdict::Allow, .reason = "fine"});
}
/// A hook that makes another command of every one.
HookSpec rewriter(std::string text) {
  const auto call = [text](const Event&, std::stop_token) {
    Effects effects;
    effects.input = Rewrite{Rewrite::Mode::Merge, Json::object({{"command", Json::string(text)}})};
    return effects;
  };
  return hook_on(EventKind::PreToolUse, std::nullopt, CallbackHandler{call}, "callback");
}
HookSpec rewrite_command_to(std::string_view pattern, std::string_view words, Verdict verdict = Verdict::Pass) {
  RuleHandler rule{.verdict = verdict, .reason = "fine"};
  rule.rewrite.command = words_of(words);
  return rule_for(command({pattern}), std::move(rule));
}

TEST(Line, VerdictsOfRulesAndRewrites) {
  struct Case {
    const char* note;
    std::vector<HookSpec> hooks;
    const char* text;
    Verdict want;
  };
  const Case cases[] = {
      {"deny", {deny(command({"rm"}))}, "ls; rm x", Verdict::Deny},
      {"not meant", {deny(command({"rm"}))}, "ls", Verdict::Pass},
      {"ask on a may-be", {deny(command({"rm"}))}, "$X # rm", Verdict::Ask},
      {"nothing points to it", {deny(command({"rm"}))}, "$X", Verdict::Pass},
      {"allow", {allow(command({"ls *"}))}, "ls", Verdict::Allow},
      {"allow never on a may-be", {allow(command({"ls *"}))}, "ls $(cat x)", Verdict::Pass},
      {"allow never of a dynamic command", {allow(command({"*"}))}, "$X", Verdict::Pass},
      {"allow not of one among others", {allow(command({"ls *"}))}, "ls; rm x", Verdict::Pass},
      {"deny over allow", {allow(command({"rm"})), deny(command({"rm"}))}, "rm x", Verdict::Deny},
      {"a rule sees what earlier hooks made", {rewriter("rm x"), deny(command({"rm"}))}, "ls", Verdict::Deny},
      {"a deny is not rewritten away", {deny(command({"rm"})), rewriter("ls")}, "rm x", Verdict::Deny},
      {"nothing gets past a rule that ran earlier", {deny(command({"rm"})), rewriter("rm x")}, "ls", Verdict::Deny},
      {"nor by another rule", {deny(command({"uv"})), rewrite_command_to("pip", "uv pip")}, "pip list", Verdict::Deny},
      {"an ask, too", {rule_for(command({"rm"}), {.verdict = Verdict::Ask}), rewriter("rm x")}, "ls", Verdict::Ask},
      {"an allow is for what was asked", {allow(command({"ls *"})), rewriter("rm x")}, "ls", Verdict::Pass},
      {"or for what comes of it", {allow(command({"ls *"})), rewriter("ls -l")}, "ls", Verdict::Allow},
      {"an allow with its own rewrite",
       {rewrite_command_to("cat", "head -n", Verdict::Allow)},
       "cat x",
       Verdict::Allow},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(Line(c.hooks).fire(shell_call(c.text)).verdict(), c.want);
  }
}

TEST(Line, RewritesAreInTheHostsWords) {
  struct Case {
    const char* dialect;
    const char* tool;
    const char* input;
    const char* want;
  };
  const Case cases[] = {
      {"canonical", "Write", R"({"file_path":"a"})", R"({"file_path":"b"})"},
      {"kimi", "WriteFile", R"({"path":"a"})", R"({"path":"b"})"},
      {"gemini", "write_file", R"({"file_path":"a"})", R"({"file_path":"b"})"},
  };
  RuleHandler rule;
  rule.rewrite.input = {{"/file_path", "b"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.dialect);
    const Decision decision =
        Line({rule_for(tool({ToolKind::Write}), rule)}).fire(tool_call(c.dialect, c.tool, c.input));
    ASSERT_TRUE(decision.effects.input);
    EXPECT_EQ(decision.effects.input->value.dump(), c.want);
  }
}

TEST(Line, ARewriteThatWouldGuessIsAFailure) {
  HookSpec hook = rewrite_command_to("pip install *", "uv pip install *");
  hook.failure.on_failure = OnFailure::Closed;
  const Decision decision = Line({hook}).fire(shell_call("pip $X # install"));
  EXPECT_EQ(decision.verdict(), Verdict::Deny);
  EXPECT_EQ(decision.origin, Origin::FailClosed);
  hook.failure.on_failure = OnFailure::Open;
  EXPECT_EQ(Line({hook}).fire(shell_call("pip $X # install")).origin, Origin::FailOpen);
}

TEST(Line, ChangesOfTheOutputAddUp) {
  RuleHandler mask;
  mask.rewrite.mask = {{"sk-[a-z]+", "***"}};
  RuleHandler cut;
  cut.rewrite.max_lines = 1;
  Line line({hook_on(EventKind::PostToolUse, all({}), mask), hook_on(EventKind::PostToolUse, all({}), cut)});
  const Event event(EventKind::PostToolUse, json(R"({"tool_name":"Bash","tool_output":"sk-a\nb\nc"})"));
  EXPECT_EQ(line.fire(event).effects.output->dump(), R"("***\n[… 2 lines left out …]")");
}

TEST(Line, AnEventNobodyWantsTouchesNothing) {
  Line line({deny(command({"rm"})), deny(path({"**/.env*"}))});
  const Decision decision = line.fire(shell_call("ls"));
  EXPECT_EQ(decision.origin, Origin::NoHook);
  EXPECT_EQ(line.sessions.loads, 0);
  EXPECT_EQ(line.fire(shell_call("rm x")).verdict(), Verdict::Deny);
  EXPECT_EQ(line.sessions.loads, 1);
}

TEST(Line, ARuleIsFoundByTheToolItNeeds) {
  struct Case {
    const char* note;
    Condition when;
    const char* dialect;
    const char* tool;
    bool want;
  };
  const Case cases[] = {
      {"its kind", tool({ToolKind::Shell}), "claude", "Bash", true},
      {"its kind in another agent", tool({ToolKind::Shell}), "kimi", "Shell", true},
      {"another kind", tool({ToolKind::Shell}), "claude", "Read", false},
      {"a kind behind an alias", tool({ToolKind::Edit}), "codex", "apply_patch", true},
      {"by name", all({tool_called("Bash"), command({"rm"})}), "gemini", "run_shell_command", true},
      {"another name", all({tool_called("Bash"), command({"rm"})}), "gemini", "read_file", false},
      {"a pattern", tool_called("mcp__*"), "claude", "mcp__a__b", true},
      {"names of servers' tools, which some agents spell as they like", tool_called("mcp__*"), "claude", "Bash", true},
      {"any tool of servers", tool({ToolKind::Mcp}), "claude", "mcp__a__b", true},
      {"one of two", any({tool({ToolKind::Shell}), path({"x"})}), "claude", "Read", true},
      {"not", no(tool({ToolKind::Shell})), "claude", "Read", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(Line({deny(c.when)}).is_planned(tool_call(c.dialect, c.tool, "{}")), c.want);
  }
}

TEST(Line, FilesACallWroteAreKnown) {
  struct Case {
    const char* note;
    EventKind kind;
    const char* tool;
    const char* input;
    std::vector<std::string> want;
  };
  const TempDir dir;
  const Case cases[] = {
      {"written", EventKind::PostToolUse, "Write", R"({"file_path":"a"})", {dir / "a"}},
      {"read", EventKind::PostToolUse, "Read", R"({"file_path":"a"})", {}},
      {"redirected to", EventKind::PostToolUse, "Bash", R"({"command":"cat a > b"})", {dir / "b"}},
      {"by a program that writes", EventKind::PostToolUse, "Bash", R"({"command":"touch c"})", {dir / "c"}},
      {"only planned", EventKind::PreToolUse, "Write", R"({"file_path":"a"})", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Event event(c.kind, Json::object({{"tool_name", Json::string(c.tool)},
                                            {"cwd", Json::string(dir.path())},
                                            {"tool_input", json(c.input)}}));
    const auto sessions = make_memory_session_store();
    const std::string home;
    EXPECT_EQ(written_files(event, {dir.path(), home, {}, *sessions}), c.want);
  }
}

TEST(Line, ExplainNamesTheQuestionThatFailed) {
  Line line({deny(path({"**/.env*"}))});
  EXPECT_EQ(line.explain(tool_call("canonical", "Edit", R"({"file_path":"src/a.py"})")),
            R"(path "src/a.py" matches none of **/.env*)");
  EXPECT_EQ(line.explain(tool_call("canonical", "Edit", R"({"file_path":".env"})")), "");
}

Event prompt(std::string text) {
  return Event(EventKind::UserPromptSubmit,
               Json::object({{"session_id", Json::string("s1")}, {"prompt", Json::string(text)}}));
}
Event stop(bool again) {
  return Event(EventKind::Stop,
               Json::object({{"session_id", Json::string("s1")}, {"stop_hook_active", Json::boolean(again)}}));
}

TEST(Line, OnceIsOnceInASession) {
  HookSpec hook = hook_on(EventKind::UserPromptSubmit, all({}), RuleHandler{.notify = "hello"});
  hook.once = true;
  Line line({hook});
  EXPECT_EQ(line.fire(prompt("a")).effects.messages.size(), 1U);
  const Decision again = line.fire(prompt("b"));
  EXPECT_TRUE(again.effects.messages.empty());
  EXPECT_EQ(again.hooks.at(0).detail, "it already ran once in this session");
}

TEST(Line, ContextIsInjectedOnce) {
  for (const auto how : {Inject::How::Always, Inject::How::OncePerSession, Inject::How::OncePerCompaction}) {
    RuleHandler rule{.notify = "seen"};
    rule.inject = Inject{.text = "Use tabs.", .how = how};
    Line line({hook_on(EventKind::UserPromptSubmit, all({}), rule)});
    EXPECT_EQ(line.fire(prompt("a")).effects.context.size(), 1U);
    const Decision again = line.fire(prompt("b"));
    EXPECT_EQ(again.effects.context.size(), how == Inject::How::Always ? 1U : 0U);
    EXPECT_EQ(again.effects.messages.size(), 1U) << "the rest of the rule still counts";
    ASSERT_TRUE(line.sessions.update("s1", forget_injected));
    EXPECT_EQ(line.fire(prompt("c")).effects.context.size(), how == Inject::How::OncePerSession ? 0U : 1U);
  }
}

TEST(Line, AHookClosesItsGateOnlySoOften) {
  HookSpec hook = hook_on(EventKind::Stop, all({}), RuleHandler{.verdict = Verdict::Deny, .reason = "test first"});
  hook.max_blocks = 2;
  Line line({hook});
  EXPECT_EQ(line.fire(stop(false)).verdict(), Verdict::Deny);
  EXPECT_EQ(line.fire(stop(true)).verdict(), Verdict::Deny);
  EXPECT_EQ(line.fire(stop(true)).verdict(), Verdict::Pass);
  EXPECT_EQ(line.fire(stop(false)).verdict(), Verdict::Deny) << "a new turn counts anew";
}

TEST(Line, WhatPassedIsSkippedUntilItsFilesChange) {
  const TempDir dir;
  dir.put("src/a.cc", "1");
  int runs = 0;
  Verdict verdict = Verdict::Deny;
  HookSpec hook = hook_on(EventKind::Stop, std::nullopt, CallbackHandler{[&](const Event&, std::stop_token) {
                            ++runs;
                            return Effects{.verdict = verdict};
                          }});
  hook.unless_unchanged = {path_glob("src/**")};
  Line line({hook}, dir.path());
  const auto runs_after = [&](const Event& event) {
    line.fire(event);
    return runs;
  };
  EXPECT_EQ(runs_after(stop(false)), 1) << "never passed";
  verdict = Verdict::Pass;
  EXPECT_EQ(runs_after(stop(false)), 2) << "it objected";
  EXPECT_EQ(runs_after(stop(false)), 2) << "as when it passed";
  dir.put("docs/b.md", "2");
  EXPECT_EQ(runs_after(stop(false)), 2) << "another file";
  dir.put("src/b.cc", "2");
  EXPECT_EQ(runs_after(stop(false)), 3) << "a new file";
  dir.put("src/a.cc", "12");
  EXPECT_EQ(runs_after(stop(false)), 4) << "a changed file";
}

}  // namespace
}  // namespace grapnel::rule
