#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "plan/registries.h"

/// Laws: a plan and its explanation never disagree, whatever is configured and whatever happens.
namespace grapnel::testing {
namespace {

template <typename T>
T one_of(std::vector<T> values) {
  return *rc::gen::elementOf(std::move(values));
}

Clause any_clause() {
  const Field subject = one_of<Field>({Field::ToolName, Field::ToolPath, Field::ToolCommand, Field::Source});
  const MatchSyntax syntax = one_of<MatchSyntax>(
      {MatchSyntax::NamesOrRegex, MatchSyntax::SearchRegex, MatchSyntax::Exact, MatchSyntax::GlobMatchBase});
  Clause out{subject, {}};
  for (const int count = *rc::gen::inRange(1, 3); std::ssize(out.any_of) < count;) {
    const auto pattern = one_of<std::string>({"Bash", "Read|Write", "B.*", "*.ts", "git .*", "", "(", "startup", "*"});
    out.any_of.push_back(*Matcher::compile(pattern, syntax));
  }
  return out;
}

HookSpec any_hook(size_t number) {
  const Dialect& dialect = *one_of<const Dialect*>({&kClawdDialect, &kGeminiDialect, &kCanonicalDialect});
  HookSpec out = hook("h" + std::to_string(number), dialect);
  for (const EventKind kind : {EventKind::PostToolUse, EventKind::SessionStart}) {
    if (*rc::gen::arbitrary<bool>()) out.events.set(static_cast<size_t>(kind));
  }
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) out.clauses.push_back(any_clause());
  out.scope = one_of<Scope>({Scope::Managed, Scope::User, Scope::Project, Scope::Callback});
  out.priority = *rc::gen::inRange(99, 102);
  out.enabled = *rc::gen::inRange(0, 5) != 0;
  out.trust = one_of<Trust>({Trust::NotNeeded, Trust::Trusted, Trust::Untrusted, Trust::NotNeeded});
  out.sequential = *rc::gen::inRange(0, 4) == 0;
  out.async = *rc::gen::inRange(0, 6) == 0;
  out.max_concurrent = *rc::gen::inRange<size_t>(0, 4);
  out.dedupe_key = one_of<std::string>({"", "", "k1", "k2"});
  return out;
}

Registry any_registry() {
  std::vector<HookSpec> hooks;
  const size_t count = *rc::gen::inRange<size_t>(0, 25);
  while (hooks.size() < count) hooks.push_back(any_hook(hooks.size()));
  return registry_of(std::move(hooks));
}

Json any_text(const std::vector<std::string>& texts) {
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return {};
    case 1:
      return Json::null();
    case 2:
      return Json::number(int64_t{3});
    case 3:
      return Json::array({Json::string(texts.front()), Json::boolean(true)});
    default:
      return Json::string(one_of(texts));
  }
}

Event any_event() {
  const Json input = Json::object(
      {{"file_path", any_text({"a.ts", "src/b.md", ""})}, {"command", any_text({"git push", "ls", "rm -rf /"})}});
  const EventKind kind =
      one_of<EventKind>({EventKind::PreToolUse, EventKind::PostToolUse, EventKind::SessionStart, EventKind::Stop});
  return Event(kind, Json::object({{"tool_name", any_text({"Bash", "Read", "Write", "Other", "", "*", "("})},
                                   {"tool_input", input},
                                   {"source", any_text({"startup", "clear"})}}));
}

std::vector<uint32_t> hooks_of(const Plan& plan) {
  std::vector<uint32_t> out = plan.background;
  for (const Stage& stage : plan.stages) out.insert(out.end(), stage.hooks.begin(), stage.hooks.end());
  return out;
}

TEST(Agreement, AHookIsInThePlanExactlyWhenItsExplanationSaysSo) {
  EXPECT_TRUE(rc::check("plan agrees with explain", [] {
    const Registry registry = any_registry();
    const Planner planner(registry);
    for (int events = 0; events < 5; ++events) {
      const Event event = any_event();
      std::vector<uint32_t> planned = hooks_of(planner.plan(event));
      std::ranges::sort(planned);
      std::vector<uint32_t> explained;
      for (const Explanation& share : planner.explain(event)) {
        if (share.reason == Reason::Planned) explained.push_back(share.hook);
      }
      RC_ASSERT(planned == explained);
    }
  }));
}

TEST(Agreement, TheSameRegistryAndEventGiveTheSamePlan) {
  EXPECT_TRUE(rc::check("planning is deterministic", [] {
    const Registry registry = any_registry();
    const Planner first(registry);
    const Planner second(registry);
    const Event event = any_event();
    const std::string plan = show(first.plan(event), registry);
    RC_ASSERT(show(first.plan(event), registry) == plan);
    RC_ASSERT(show(second.plan(event), registry) == plan);
  }));
}

TEST(Agreement, APlanKeepsTheConfiguredOrderAndNoHookTwice) {
  EXPECT_TRUE(rc::check("stages are in order", [] {
    const Registry registry = any_registry();
    const Plan plan = Planner(registry).plan(any_event());
    std::vector<uint32_t> in_stages;
    for (const Stage& stage : plan.stages) {
      RC_ASSERT(!stage.hooks.empty());
      in_stages.insert(in_stages.end(), stage.hooks.begin(), stage.hooks.end());
    }
    RC_ASSERT(std::ranges::is_sorted(in_stages));
    RC_ASSERT(std::ranges::is_sorted(plan.background));
    const std::vector<uint32_t> all = hooks_of(plan);
    RC_ASSERT(std::set<uint32_t>(all.begin(), all.end()).size() == all.size());
    for (const uint32_t id : all) RC_ASSERT(registry.hooks[id].enabled && registry.hooks[id].trust != Trust::Untrusted);
  }));
}

}  // namespace
}  // namespace grapnel::testing
