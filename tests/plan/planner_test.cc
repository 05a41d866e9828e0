#include <gtest/gtest.h>

#include "plan/registries.h"

namespace grapnel::testing {
namespace {

std::string plan(const std::vector<HookSpec>& hooks, const Event& event) {
  const Registry registry = registry_of(hooks);
  return show(Planner(registry).plan(event), registry);
}

HookSpec with(HookSpec spec, const std::function<void(HookSpec&)>& change) {
  change(spec);
  return spec;
}

TEST(Planner, TakesHooksWhoseClausesAllMatch) {
  const std::vector<HookSpec> hooks = {
      hook("all", {}),
      hook("bash", {clause(Field::ToolName, "Bash")}),
      hook("write", {clause(Field::ToolName, "Edit|Write")}),
      hook("regex", {clause(Field::ToolName, "mcp__.*")}),
      hook("path", {clause(Field::ToolPath, "*.ts", MatchSyntax::GlobMatchBase)}),
      hook("both", {clause(Field::ToolName, "Write"), clause(Field::ToolPath, "src/**", MatchSyntax::GlobMatchBase)}),
      hook("command", {clause(Field::ToolCommand, "git .*")}),
      hook("either", {Clause{Field::ToolName,
                             {*Matcher::compile("Read", MatchSyntax::Exact),
                              *Matcher::compile("Wri.*", MatchSyntax::NamesOrRegex)}}}),
      hook("twice", {clause(Field::ToolName, "Bash|Write"), clause(Field::ToolName, "Write|Read")}),
  };
  const auto input = [](const char* key, const char* value) { return Json::object({{key, Json::string(value)}}); };
  struct Case {
    const char* note;
    Event event;
    const char* want;
  };
  const Case cases[] = {
      {"by name; a field that is not there passes", tool_event("Bash"), "all | bash | path | command"},
      {"by one of several patterns", tool_event("Read"), "all | path | command | either"},
      {"by regex", tool_event("mcp__x"), "all | regex | path | command"},
      {"several clauses on one field all count", tool_event("Write"),
       "all | write | path | both | command | either | twice"},
      {"by path", tool_event(Json::string("Write"), input("file_path", "src/a.ts")),
       "all | write | path | both | command | either | twice"},
      {"by another path", tool_event(Json::string("Write"), input("file_path", "a.md")),
       "all | write | command | either | twice"},
      {"by command", tool_event(Json::string("Bash"), input("command", "git push")), "all | bash | path | command"},
      {"by another command", tool_event(Json::string("Bash"), input("command", "ls")), "all | bash | path"},
      {"no name: every pattern on it passes", tool_event(Json()),
       "all | bash | write | regex | path | both | command | either | twice"},
      {"null is no name", tool_event(Json::null()),
       "all | bash | write | regex | path | both | command | either | twice"},
      {"nor is a number", tool_event(Json::number(int64_t{7})),
       "all | bash | write | regex | path | both | command | either | twice"},
      {"nor is a list", tool_event(Json::array({Json::string("x"), Json::string("Bash")})),
       "all | bash | write | regex | path | both | command | either | twice"},
      {"an empty name is one", tool_event(""), "all | path | command"},
      {"another event", Event(EventKind::PostToolUse, Json::object({{"tool_name", Json::string("Bash")}})), ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(plan(hooks, c.event), c.want);
  }
}

TEST(Planner, AsksInTheWordsOfTheHook) {
  const std::vector<HookSpec> hooks = {
      hook("clawd", {clause(Field::ToolName, "Bash")}),
      hook("gemini", {clause(Field::ToolName, "run_shell_command")}, kGeminiDialect),
      hook("neither", {clause(Field::ToolName, "run_shell_command")}),
  };
  EXPECT_EQ(plan(hooks, tool_event("Bash")), "clawd | gemini");
  const auto native = Event::from_native("gemini", Json::object({{"hook_event_name", Json::string("BeforeTool")},
                                                                 {"tool_name", Json::string("run_shell_command")}}));
  EXPECT_EQ(plan(hooks, *native), "clawd | gemini");
}

TEST(Planner, LeavesOutWhatMayNotRun) {
  const std::vector<HookSpec> hooks = {
      hook("on"),
      with(hook("off"), [](HookSpec& h) { h.enabled = false; }),
      with(hook("untrusted"), [](HookSpec& h) { h.trust = Trust::Untrusted; }),
      with(hook("trusted"), [](HookSpec& h) { h.trust = Trust::Trusted; }),
  };
  EXPECT_EQ(plan(hooks, tool_event("Bash")), "on | trusted");
}

// What later steps have to know of hooks that do not run, so that nothing plans a second time.
TEST(Planner, NamesGuardsAndUntrustedHooks) {
  const auto rule = [](Verdict verdict) {
    return [verdict](HookSpec& h) { h.handler = RuleHandler{.verdict = verdict}; };
  };
  const Registry registry = registry_of({
      hook("command", {}),
      with(hook("deny", {}), rule(Verdict::Deny)),
      with(hook("ask", {}), rule(Verdict::Ask)),
      with(hook("allow", {}), rule(Verdict::Allow)),
      with(with(hook("off", {}), rule(Verdict::Deny)), [](HookSpec& h) { h.enabled = false; }),
      with(hook("untrusted", {clause(Field::ToolName, "Bash")}), [](HookSpec& h) { h.trust = Trust::Untrusted; }),
      with(hook("of another tool", {clause(Field::ToolName, "Read")}), [](HookSpec& h) { h.trust = Trust::Untrusted; }),
  });
  const auto names = [&](std::span<const uint32_t> hooks) {
    std::vector<std::string> out;
    for (const uint32_t id : hooks) out.push_back(registry.hooks[id].name);
    return out;
  };
  const Planner planner(registry);
  const Plan plan = planner.plan(tool_event("Bash"));
  EXPECT_EQ(names(plan.guards), (std::vector<std::string>{"deny", "ask"}));
  EXPECT_EQ(names(plan.untrusted), std::vector<std::string>{"untrusted"});
}

TEST(Planner, DropsLaterDuplicates) {
  const auto keyed = [](const char* name, const char* key) {
    return with(hook(name, kGeminiDialect), [&](HookSpec& h) { h.dedupe_key = key; });
  };
  struct Case {
    const char* note;
    std::vector<HookSpec> hooks;
    const char* want;
  };
  const Case cases[] = {
      {"the first of a key", {keyed("a", "k"), keyed("b", "k"), keyed("c", "other")}, "a c"},
      {"without keys none is one", {keyed("a", ""), keyed("b", "")}, "a b"},
      {"one that does not match hides no other",
       {with(keyed("a", "k"), [](HookSpec& h) { h.clauses = {clause(Field::ToolName, "Read")}; }), keyed("b", "k")},
       "b"},
      {"nor does one that is off",
       {with(keyed("a", "k"), [](HookSpec& h) { h.enabled = false; }), keyed("b", "k")},
       "b"},
      {"nor one that is not trusted",
       {with(keyed("a", "k"), [](HookSpec& h) { h.trust = Trust::Untrusted; }), keyed("b", "k")},
       "b"},
      {"the one that runs first wins",
       {with(keyed("project", "k"), [](HookSpec& h) { h.scope = Scope::Project; }), keyed("user", "k")},
       "user"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(plan(c.hooks, tool_event("Bash")), c.want);
  }
}

TEST(Planner, OrdersByPriorityThenScopeThenFile) {
  const auto placed = [](const char* name, int priority, Scope scope) {
    return with(hook(name), [&](HookSpec& h) {
      h.priority = priority;
      h.scope = scope;
    });
  };
  EXPECT_EQ(
      plan({placed("callback", 100, Scope::Callback), placed("extension", 100, Scope::Extension),
            placed("local", 100, Scope::Local), placed("project", 100, Scope::Project),
            placed("user 1", 100, Scope::User), placed("late", 1, Scope::Managed), placed("user 2", 100, Scope::User),
            placed("managed", 100, Scope::Managed), placed("early", 200, Scope::Callback)},
           tool_event("Bash")),
      "early | managed | user 1 | user 2 | project | local | extension | callback | late");
}

TEST(Planner, MakesStages) {
  const auto seq = [](HookSpec h) { return with(std::move(h), [](HookSpec& s) { s.sequential = true; }); };
  const auto capped = [](HookSpec h, size_t cap) {
    return with(std::move(h), [&](HookSpec& s) { s.max_concurrent = cap; });
  };
  const auto g = [](const char* name) { return hook(name, kGeminiDialect); };
  const auto background = [](HookSpec h) { return with(std::move(h), [](HookSpec& s) { s.async = true; }); };
  struct Case {
    const char* note;
    std::vector<HookSpec> hooks;
    const char* want;
  };
  const Case cases[] = {
      {"no hooks", {}, ""},
      {"parallel hooks start together", {g("a"), g("b"), g("c")}, "a b c"},
      {"this event is sequential in that dialect", {hook("a"), hook("b")}, "a | b"},
      {"between parallel ones it stands alone", {g("a"), g("b"), hook("c"), g("d"), g("e")}, "a b | c | d e"},
      {"one sequential group spreads over its dialect", {g("a"), seq(g("b")), g("c")}, "a | b | c"},
      {"but not over another", {seq(g("a")), hook("b"), g("c"), hook("d")}, "a | b | c | d"},
      {"the smallest cap counts", {capped(g("a"), 5), capped(g("b"), 2), capped(g("c"), 0)}, "2:a b c"},
      {"per stage", {capped(g("a"), 2), hook("b"), capped(g("c"), 7), g("d")}, "2:a | b | 7:c d"},
      {"background hooks stand apart", {g("a"), background(g("b")), g("c"), background(hook("d"))}, "a c & b & d"},
      {"background hooks alone", {background(g("a"))}, " & a"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(plan(c.hooks, tool_event("Bash")), c.want);
  }
}

TEST(Planner, StagesFollowTheEvent) {
  const auto everywhere = [](const char* name) { return with(hook(name), [](HookSpec& h) { h.events.set(); }); };
  struct Case {
    EventKind kind;
    const char* want;
  };
  const Case cases[] = {
      {EventKind::PreToolUse, "a | b"}, {EventKind::PermissionRequest, "a | b"}, {EventKind::Stop, "a | b"},
      {EventKind::PreCompact, "a | b"}, {EventKind::PostToolUse, "a b"},         {EventKind::UserPromptSubmit, "a b"},
      {EventKind::SessionStart, "a b"}, {EventKind::Notification, "a b"},
  };
  std::vector<HookSpec> hooks = {everywhere("a"), everywhere("b")};
  for (HookSpec& h : hooks) {
    for (const EventKind kind : all_event_kinds()) {
      if (kClawdDialect.find_event(kind) == nullptr) h.events.reset(static_cast<size_t>(kind));
    }
  }
  for (const Case& c : cases) {
    EXPECT_EQ(plan(hooks, Event(c.kind, Json::object())), c.want) << to_string(c.kind);
  }
}

TEST(Planner, FindsNobodyAmongAnyNumberOfHooks) {
  for (const size_t count : {size_t{10}, size_t{10000}}) {
    std::vector<HookSpec> hooks;
    for (size_t i = 0; i < count; ++i) {
      hooks.push_back(hook("h" + std::to_string(i), {clause(Field::ToolName, "Tool" + std::to_string(i))}));
    }
    const Registry registry = registry_of(std::move(hooks));
    const Planner planner(registry);
    EXPECT_TRUE(planner.plan(tool_event("Other")).empty());
    EXPECT_TRUE(planner.plan(Event(EventKind::Stop, Json::object())).empty());
    EXPECT_EQ(show(planner.plan(tool_event("Tool7")), registry), "h7");
  }
}

TEST(Explain, SaysWhyAHookDoesNotRun) {
  const std::vector<HookSpec> hooks = {
      hook("runs"),
      hook("elsewhere", kClawdDialect, EventKind::Stop),
      hook("tool", {clause(Field::ToolName, "Edit|Write")}),
      hook("path", {clause(Field::ToolPath, "*.ts", MatchSyntax::GlobMatchBase)}),
      with(hook("off"), [](HookSpec& h) { h.enabled = false; }),
      with(hook("untrusted"), [](HookSpec& h) { h.trust = Trust::Untrusted; }),
      with(hook("first"), [](HookSpec& h) { h.dedupe_key = "k"; }),
      with(hook("second"), [](HookSpec& h) { h.dedupe_key = "k"; }),
      with(hook("off and elsewhere", {clause(Field::ToolName, "Read")}), [](HookSpec& h) { h.enabled = false; }),
  };
  const Registry registry = registry_of(hooks);
  std::string all;
  const Event event = tool_event(Json::string("Bash"), Json::object({{"path", Json::string("a.md")}}));
  for (const Explanation& share : Planner(registry).explain(event)) {
    all += registry.hooks[share.hook].name + ": " + std::string(to_string(share.reason));
    all += (share.detail.empty() ? "" : ", " + share.detail) + "\n";
  }
  EXPECT_EQ(all,
            "runs: runs\n"
            "elsewhere: other event\n"
            "tool: no match, tool_name \"Bash\" does not match exactly Edit or Write\n"
            "path: no match, tool_path \"a.md\" does not match glob *.ts (base name)\n"
            "off: disabled\n"
            "untrusted: untrusted\n"
            "first: runs\n"
            "second: duplicate, the same name and command came earlier\n"
            "off and elsewhere: no match, tool_name \"Bash\" does not match exactly Read\n");
}

}  // namespace
}  // namespace grapnel::testing
