#include "grapnel/person.h"

#include <gtest/gtest.h>

#include "engine/fixture.h"

/// What a person's answer changes, and what it does not. How the person is asked is the host's business.
namespace grapnel::testing {
namespace {

using Kind = PersonAnswer::Kind;

class FakePerson final : public Person {
 public:
  bool is_wanted() const override { return is_there; }
  PersonAnswer ask(const PersonQuestion& question, std::stop_token cancel) override {
    questions.push_back(question);
    if (while_asked) while_asked();
    if (throws) throw std::runtime_error("no");
    return cancel.stop_requested() ? PersonAnswer{} : answer;
  }

  bool is_there = true;
  bool throws = false;
  PersonAnswer answer{.kind = Kind::Once, .by = "page", .after = std::chrono::milliseconds(1500)};
  std::vector<PersonQuestion> questions;
  std::function<void()> while_asked;
};

class PersonTest : public EngineTest {
 protected:
  std::unique_ptr<Engine> engine(const std::string& rules, const std::string& managed = "") {
    dir_.put("home/.config/agents/grapnel.yaml", "version: 1\nhooks:\n" + rules);
    if (!managed.empty()) dir_.put("root/etc/grapnel/grapnel.yaml", "version: 1\nhooks:\n" + managed);
    EngineOptions out = options();
    out.host.person = person_;
    return Engine::create(std::move(out));
  }

  static Event shell(const std::string& command) {
    return pre_tool("Bash", Json::object({{"command", Json::string(command)}}).dump());
  }

  std::shared_ptr<FakePerson> person_ = std::make_shared<FakePerson>();
};

constexpr const char* kAsk =
    "  - {name: ask-publish, on: PreToolUse, when: {command: npm publish}, ask: 'Publish this?'}\n";
constexpr const char* kRewrite =
    "  - {name: dry, on: PreToolUse, when: {command: npm publish}, rewrite: {command: npm publish --dry-run}}\n";

TEST_F(PersonTest, AnAnswerTakesThePlaceOfTheQuestion) {
  struct Case {
    PersonAnswer answer;
    Verdict verdict;
    Origin origin;
    const char* reason;
  };
  const Case cases[] = {
      {{.kind = Kind::Once}, Verdict::Allow, Origin::Person, "a person allowed this once"},
      {{.kind = Kind::Rule}, Verdict::Allow, Origin::Person, "a person allowed this, and made a rule of it"},
      {{.kind = Kind::Deny}, Verdict::Deny, Origin::Person, "a person denied this"},
      {{.kind = Kind::Deny, .reason = "Not now."}, Verdict::Deny, Origin::Person, "a person denied this: Not now."},
      {{.kind = Kind::NoListener}, Verdict::Ask, Origin::Hook, "Publish this?"},
      {{.kind = Kind::Expired}, Verdict::Ask, Origin::Hook, "Publish this?"},
      {{.kind = Kind::Left}, Verdict::Ask, Origin::Hook, "Publish this?"},
  };
  const auto engine = this->engine(kAsk);
  for (const Case& c : cases) {
    person_->answer = c.answer;
    const Decision decision = engine->fire(shell("npm publish"));
    EXPECT_EQ(decision.verdict(), c.verdict) << c.reason;
    EXPECT_EQ(decision.origin, c.origin) << c.reason;
    EXPECT_EQ(decision.reason(), c.reason);
    EXPECT_EQ(decision.decided_by, "ask-publish");
    EXPECT_EQ(sink_->records.back().person, c.answer);
  }
}

TEST_F(PersonTest, IsAskedOnlyWhereHooksAsk) {
  const auto engine =
      this->engine(std::string(kAsk) + "  - {name: no-root, on: PreToolUse, when: {command: sudo}, deny: no}\n");
  EXPECT_EQ(engine->fire(shell("ls")).verdict(), Verdict::Pass);
  EXPECT_EQ(engine->fire(shell("npm publish && sudo ls")).verdict(), Verdict::Deny) << "a deny stands";
  EXPECT_TRUE(person_->questions.empty());
  person_->is_there = false;
  EXPECT_EQ(engine->fire(shell("npm publish")).verdict(), Verdict::Ask);
  EXPECT_TRUE(person_->questions.empty());
  EXPECT_FALSE(sink_->records.back().person);
}

TEST_F(PersonTest, SeesWhatWouldRun) {
  const auto engine = this->engine(std::string(kRewrite) + kAsk);
  const Decision allowed = engine->fire(shell("npm publish"));
  ASSERT_EQ(person_->questions.size(), 1u);
  EXPECT_EQ(person_->questions[0].subject, "npm publish --dry-run");
  EXPECT_TRUE(person_->questions[0].is_command);
  EXPECT_EQ(person_->questions[0].hooks, std::vector<std::string>{"ask-publish"});
  ASSERT_TRUE(allowed.effects.input) << "the rewrite stays";
  person_->answer = {.kind = Kind::Deny};
  EXPECT_FALSE(engine->fire(shell("npm publish")).effects.input) << "what is denied is not rewritten";
}

TEST_F(PersonTest, ASessionsAnswerIsForTheSameHooks) {
  person_->answer = {.kind = Kind::Session, .pattern = "npm publish *"};
  const auto engine =
      this->engine(std::string(kAsk) +
                   "  - {name: ask-next, on: PreToolUse, when: {command: npm publish, flag: --tag}, ask: 'Tag?'}\n");
  EXPECT_EQ(engine->fire(shell("npm publish")).verdict(), Verdict::Allow);
  EXPECT_EQ(engine->fire(shell("npm publish --access public")).verdict(), Verdict::Allow);
  EXPECT_EQ(person_->questions.size(), 1u) << "answered before";
  engine->fire(shell("npm publish --tag next"));
  EXPECT_EQ(person_->questions.size(), 2u) << "another hook asks, too";
  engine->fire(shell("npm publish && rm -rf x"));
  EXPECT_EQ(person_->questions.size(), 3u) << "the pattern does not cover it";
}

TEST_F(PersonTest, WhatGoesWrongIsNoAnswer) {
  person_->throws = true;
  EXPECT_EQ(engine(kAsk)->fire(shell("npm publish")).verdict(), Verdict::Ask);
}

TEST_F(PersonTest, AnEventThatIsGivenUpHasNoAnswer) {
  std::stop_source stop;
  person_->while_asked = [&] { stop.request_stop(); };
  const Decision decision = engine(kAsk)->fire(shell("npm publish"), stop.get_token());
  EXPECT_EQ(decision.verdict(), Verdict::Pass);
  EXPECT_EQ(decision.origin, Origin::Engine);
}

TEST_F(PersonTest, ARuleAnswersTheHooksThatItNames) {
  struct Case {
    const char* note;
    std::string rules;
    std::string managed;
    Verdict verdict;
  };
  const std::string allow =
      "  - {name: may, on: PreToolUse, when: {command: npm publish}, allow: Fine., answers: ask-publish}\n";
  const std::string silent = "  - {name: may, on: PreToolUse, when: {command: npm publish}, allow: Fine.}\n";
  const std::string other = "  - {name: ask-npm, on: PreToolUse, when: {command: npm}, ask: 'npm?'}\n";
  const std::string fails = "  - {name: ask-publish, on: PreToolUse, run: exit 7, on_failure: ask}\n";
  const Case cases[] = {
      {"named", kAsk + allow, "", Verdict::Allow},
      {"an allow alone", kAsk + silent, "", Verdict::Ask},
      {"another hook asks, too", kAsk + allow + other, "", Verdict::Ask},
      {"the administrator's hook asks", allow, kAsk, Verdict::Ask},
      {"the administrator's rule answers", kAsk, allow, Verdict::Allow},
      {"a hook that failed has no question", allow + fails, "", Verdict::Ask},
  };
  person_->is_there = false;
  for (const Case& c : cases) {
    std::filesystem::remove_all(dir_ / "root");
    EXPECT_EQ(engine(c.rules, c.managed)->fire(shell("npm publish")).verdict(), c.verdict) << c.note;
  }
  const auto engine = this->engine(kAsk + allow);
  EXPECT_EQ(engine->fire(shell("npm publish")).decided_by, "may");
  EXPECT_EQ(engine->fire(shell("npm publish && touch x")).verdict(), Verdict::Ask) << "an allow is for every command";
}

}  // namespace
}  // namespace grapnel::testing
