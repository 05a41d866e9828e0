#include "decide/combine.h"

#include <rapidcheck.h>

#include <algorithm>

#include <gtest/gtest.h>

namespace grapnel {
namespace {

template <typename T>
std::optional<T> maybe(const rc::Gen<T>& gen) {
  return *rc::gen::arbitrary<bool>() ? std::optional<T>(*gen) : std::nullopt;
}

std::string some_word() {
  return *rc::gen::elementOf(std::vector<std::string>{"a", "b", "c", "d"});
}

Json some_object() {
  std::vector<std::pair<std::string, Json>> members;
  for (const char* key : {"x", "y", "z"}) {
    if (*rc::gen::arbitrary<bool>()) members.emplace_back(key, Json::string(some_word()));
  }
  return Json::object(members);
}

std::vector<Attributed> some_texts() {
  std::vector<Attributed> out;
  const int count = *rc::gen::inRange(0, 3);
  for (int i = 0; i < count; ++i) out.push_back({some_word(), some_word()});
  return out;
}

ToolChoice some_choice() {
  ToolChoice choice;
  choice.mode = *rc::gen::elementOf(std::vector{ToolChoice::Mode::Auto, ToolChoice::Mode::Any, ToolChoice::Mode::None});
  if (choice.mode != ToolChoice::Mode::None && *rc::gen::arbitrary<bool>()) choice.names = {some_word()};
  return choice;
}

Effects some_effects() {
  Effects e;
  e.verdict = *rc::gen::elementOf(std::vector{Verdict::Pass, Verdict::Allow, Verdict::Ask, Verdict::Deny});
  e.reasons = some_texts();
  e.context = some_texts();
  const auto coin = [] { return *rc::gen::arbitrary<bool>(); };
  if (coin()) e.input = Rewrite{coin() ? Rewrite::Mode::Replace : Rewrite::Mode::Merge, some_object()};
  if (coin()) e.output = some_object();
  if (coin()) e.prompt = some_word();
  if (coin()) e.notification = some_word();
  if (coin()) e.model_request = some_object();
  if (coin()) e.model_response = some_object();
  if (coin()) e.tool_choice = some_choice();
  if (coin()) e.tail_call = some_object();
  e.clear_context = coin();
  e.stop = coin();
  e.stop_reasons = some_texts();
  if (coin()) e.env = {{some_word(), some_word()}};
  e.messages = some_texts();
  e.logs = some_texts();
  e.suppress_output = coin();
  return e;
}

TEST(CombineLaws, HoldForAnyEffects) {
  EXPECT_TRUE(rc::check("Effects{} is the identity", [] {
    const Effects e = some_effects();
    RC_ASSERT(combine(Effects{}, e) == e);
    RC_ASSERT(combine(e, Effects{}) == e);
  }));
  EXPECT_TRUE(rc::check("associative", [] {
    const Effects a = some_effects();
    const Effects b = some_effects();
    const Effects c = some_effects();
    RC_ASSERT(combine(combine(a, b), c) == combine(a, combine(b, c)));
  }));
  EXPECT_TRUE(rc::check("the verdict is the maximum, so a Deny absorbs", [] {
    const Effects a = some_effects();
    const Effects b = some_effects();
    RC_ASSERT(combine(a, b).verdict == std::max(a.verdict, b.verdict));
  }));
  EXPECT_TRUE(rc::check("a stop is sticky", [] {
    const Effects a = some_effects();
    const Effects b = some_effects();
    RC_ASSERT(combine(a, b).stop == (a.stop || b.stop));
  }));
  EXPECT_TRUE(rc::check("rewriting twice is rewriting by the composed change", [] {
    const Json input = some_object();
    Effects a, b;
    a.input = Rewrite{Rewrite::Mode::Merge, some_object()};
    b.input = Rewrite{*rc::gen::arbitrary<bool>() ? Rewrite::Mode::Replace : Rewrite::Mode::Merge, some_object()};
    RC_ASSERT(combine(a, b).input->apply(input) == b.input->apply(a.input->apply(input)));
  }));
}

Effects saying(Verdict verdict, std::string reason) {
  Effects e;
  e.verdict = verdict;
  if (!reason.empty()) e.reasons = {{"hook", std::move(reason)}};
  return e;
}

TEST(Combine, ReasonsBelongToTheWinningVerdict) {
  struct Case {
    const char* note;
    Effects first, second;
    Verdict verdict;
    std::vector<std::string> reasons;
  };
  const Case cases[] = {
      {"both deny", saying(Verdict::Deny, "a"), saying(Verdict::Deny, "b"), Verdict::Deny, {"a", "b"}},
      {"a later deny outranks an allow", saying(Verdict::Allow, "a"), saying(Verdict::Deny, "b"), Verdict::Deny, {"b"}},
      {"a later allow cannot undo a deny",
       saying(Verdict::Deny, "a"),
       saying(Verdict::Allow, "b"),
       Verdict::Deny,
       {"a"}},
      {"silence changes nothing", saying(Verdict::Ask, "a"), saying(Verdict::Pass, ""), Verdict::Ask, {"a"}},
      {"remarks of two that pass are kept",
       saying(Verdict::Pass, "a"),
       saying(Verdict::Pass, "b"),
       Verdict::Pass,
       {"a", "b"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Effects both = combine(c.first, c.second);
    EXPECT_EQ(both.verdict, c.verdict);
    std::vector<std::string> texts;
    for (const Attributed& reason : both.reasons) texts.push_back(reason.text);
    EXPECT_EQ(texts, c.reasons);
  }
}

TEST(Finalize, AppliesWhatDependsOnTheWhole) {
  Effects denied = saying(Verdict::Deny, "no");
  denied.input = Rewrite{Rewrite::Mode::Merge, Json::object({{"a", Json::number(int64_t{1})}})};
  denied.context = {{"h", "still said"}};

  EXPECT_FALSE(finalize(Effects(denied), EventKind::PreToolUse, {}).effects.input) << "a rewrite is dropped on Deny";
  EXPECT_EQ(finalize(Effects(denied), EventKind::PreToolUse, {}).context(), "still said");

  const Decision observed = finalize(Effects(denied), EventKind::SessionEnd, {});
  EXPECT_EQ(observed.verdict(), Verdict::Pass) << "an event that cannot be denied";
  EXPECT_EQ(observed.effects.messages.front().text, "no") << "what was said is shown instead";

  EXPECT_EQ(finalize(saying(Verdict::Ask, "?"), EventKind::Stop, {}).verdict(), Verdict::Pass)
      << "nobody to ask at a gate";
  EXPECT_EQ(finalize(saying(Verdict::Deny, "go on"), EventKind::Stop, {}).verdict(), Verdict::Deny);

  const Decision capped = finalize(saying(Verdict::Deny, "go on"), EventKind::Stop, {.loop_cap_reached = true});
  EXPECT_EQ(capped.verdict(), Verdict::Pass);
  EXPECT_EQ(capped.origin, Origin::LoopCap);
  EXPECT_EQ(finalize(saying(Verdict::Deny, "no"), EventKind::PreToolUse, {.loop_cap_reached = true}).verdict(),
            Verdict::Deny)
      << "only gates have a loop cap";

  Effects chatty;
  chatty.context = {{"h", std::string(100, 'x')}, {"h", "second"}};
  const std::string context = finalize(Effects(chatty), EventKind::PostToolUse, {.max_context = 10}).context();
  EXPECT_TRUE(context.starts_with("xxxxxxxxxx [90 bytes cut]")) << context;
}

}  // namespace
}  // namespace grapnel
