#include "engine/recording.h"

#include "dialect/dialect.h"
#include "engine/fixture.h"
#include "plan/registry_snapshot.h"

namespace grapnel::testing {
namespace {

/// Snapshots as they would be on disk, and the newest record.
class KeepingSink final : public RecordSink {
 public:
  void record(const Record& record) noexcept override { last = record.to_json(); }
  void snapshot(const std::string&, const Json& registry) noexcept override { registries.push_back(registry); }
  Json last;
  std::vector<Json> registries;
};

class Recording : public EngineTest {
 protected:
  /// What became of the hooks at the last event, planned again from the record alone.
  std::vector<std::string> explain_again(Json record) {
    const auto registry = read_snapshot(*Json::parse(kept_->registries.back().dump()));
    const auto event = event_of(*Json::parse(record.without("payload").dump()));
    if (!registry || !event) return {"nothing is known"};
    std::vector<std::string> out;
    for (const Explanation& share : Planner(*registry).explain(*event)) {
      out.push_back(registry->hooks[share.hook].name + ": " + std::string(to_string(share.reason)) +
                    (share.detail.empty() ? "" : ": " + share.detail));
    }
    return out;
  }

  std::unique_ptr<Engine> keeping_engine(std::string dialect, std::string settings) {
    EngineOptions with = options();
    with.recording.sink = kept_;
    with.recording.unmatched = true;
    with.configs.push_back({std::move(dialect), "", json(std::move(settings))});
    return Engine::create(std::move(with));
  }

  std::shared_ptr<KeepingSink> kept_ = std::make_shared<KeepingSink>();
};

constexpr const char* kHooks = R"({"hooks":{
  "PreToolUse":[
    {"name":"writes","matcher":{"tools":"Write"},"hooks":[{"type":"command","command":"true"}]},
    {"name":"python","matcher":{"paths":"*.py"},"hooks":[{"type":"command","command":"true"}]},
    {"name":"pushes","matcher":{"commands":"git push.*"},"hooks":[{"type":"command","command":"true"}]},
    {"name":"all","hooks":[{"type":"command","command":"true"}]}],
  "Stop":[{"name":"gate","hooks":[{"type":"command","command":"true"}]}]}})";

struct PastCase {
  const char* note;
  const char* tool;
  const char* input;
  std::vector<std::string> want;
  const char* subjects;  ///< the tool's input as the record has it
};

const PastCase kPastCases[] = {
    {"a command",
     "Bash",
     R"({"command":"git pull","description":"gets what is new"})",
     {"writes: no match: tool_name \"Bash\" does not match exactly Write",
      "python: runs: there is no tool_path to compare with glob *.py (base name)",
      "pushes: no match: tool_command \"git pull\" does not match regex /git push.*/ (whole)", "all: runs",
      "gate: other event"},
     R"({"command":"git pull"})"},
    {"a file",
     "Write",
     R"({"file_path":"/p/a.py","content":"text"})",
     {"writes: runs: tool_name \"Write\" matches exactly Write",
      "python: runs: tool_path \"/p/a.py\" matches glob *.py (base name)",
      "pushes: runs: there is no tool_command to compare with regex /git push.*/ (whole)", "all: runs",
      "gate: other event"},
     R"({"file_path":"/p/a.py"})"},
};

TEST_F(Recording, ARecordExplainsWhyHooksDidNotMatch) {
  const auto engine = keeping_engine("clawd", kHooks);
  for (const PastCase& c : kPastCases) {
    SCOPED_TRACE(c.note);
    engine->fire(pre_tool(c.tool, c.input));
    EXPECT_EQ(explain_again(kept_->last), c.want);
    EXPECT_EQ(kept_->last["subjects"]["tool_input"].dump(), c.subjects) << "and nothing else of the input";
  }
}

TEST_F(Recording, ARunIsOnRecordFromStartToAnswer) {
  const auto engine = keeping_engine("clawd", R"({"hooks":{"PreToolUse":[{"name":"guard","hooks":[
      {"type":"command","command":"cat >/dev/null; echo x >&2; echo '{\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"sure?\"}'"}]}]}})");
  engine->fire(pre_tool("Bash", R"({"command":"x"})"));
  const Json hook = kept_->last["hooks"].at(0);
  EXPECT_EQ(hook["argv"].at(0).as_string(), "sh");
  EXPECT_EQ(hook["argv"].size(), 3u);
  EXPECT_EQ(hook["cwd"].as_string(), dir_ / "project");
  EXPECT_GT(hook["in"].as_integer(), 0);
  EXPECT_EQ(hook["err"].as_integer(), 2);
  EXPECT_EQ(hook["answer"].dump(), R"({"reason":"sure?"})");
  EXPECT_EQ(kept_->last["project"].as_string(), dir_ / "project");
}

TEST_F(Recording, EveryRunHasItsStageAndItsStart) {
  EngineOptions with = options();
  with.recording.sink = kept_;
  const std::string rules =
      "version: 1\nhooks:\n"
      "  - {name: rule, on: PreToolUse, when: {command: npm *}, rewrite: {command: pnpm *}}\n"
      "  - {name: program, on: PreToolUse, run: 'true'}\n";
  with.configs.push_back({"", dir_.put("rules/grapnel.yaml", rules), {}});
  const auto engine = Engine::create(std::move(with));
  engine->fire(pre_tool("Bash", R"({"command":"npm ci"})"));
  const Json hooks = kept_->last["hooks"];
  ASSERT_EQ(hooks.size(), 2u) << kept_->last.dump();
  for (const Json& hook : hooks.elements()) {
    SCOPED_TRACE(hook.dump());
    EXPECT_TRUE(hook["stage"].as_integer());
    EXPECT_GT(hook["at_us"].as_integer(), 0);
  }
  EXPECT_EQ(kept_->last["subject"].as_string(), "npm ci") << "as the agent wanted it";
  EXPECT_EQ(kept_->last["rewritten_subject"].as_string(), "pnpm ci");
}

TEST_F(Recording, WhatACallWasAboutIsOnRecordBeforeAndAfterIt) {
  const auto engine = keeping_engine("clawd", R"({"hooks":{}})");
  const char* const kInputs[][2] = {{R"({"command":"npm ci"})", "npm ci"}, {R"({"file_path":"a.ts"})", "a.ts"}};
  for (const auto& [input, want] : kInputs) {
    const Event before = pre_tool(std::string(want) == "a.ts" ? "Read" : "Bash", input);
    engine->fire(before);
    EXPECT_EQ(kept_->last["subject"].as_string(), want);
    engine->fire(Event(EventKind::PostToolUse, before.payload()));
    EXPECT_EQ(kept_->last["event"].as_string(), "PostToolUse");
    EXPECT_EQ(kept_->last["subject"].as_string(), want);
  }
}

TEST_F(Recording, ARepeatedCallNamesTheEventThatDecided) {
  const auto engine = keeping_engine("clawd", kHooks);
  engine->fire(pre_tool("Write", R"({"file_path":"/p/a.txt"})", "id1"));
  const std::string first = *kept_->last["id"].as_string();
  engine->fire(pre_tool("Write", R"({"file_path":"/p/a.txt"})", "id1"));
  EXPECT_NE(kept_->last["id"].as_string(), first);
  ASSERT_GT(kept_->last["hooks"].size(), 0u);
  for (const Json& hook : kept_->last["hooks"].elements()) {
    EXPECT_EQ(hook["fate"].as_string(), "skipped");
    EXPECT_EQ(hook["detail"].as_string(), "the same call was decided before (execution guard), by event " + first);
  }
}

TEST_F(Recording, HooksThatAreSwitchedOffAreOnRecord) {
  const auto engine = keeping_engine("clawd", kHooks);
  engine->set_all_enabled(false);
  engine->fire(pre_tool("Write", "{}"));
  EXPECT_EQ(kept_->last["origin"].as_string(), "engine");
  EXPECT_EQ(kept_->last["reason"].as_string(), "all hooks are switched off");
}

TEST_F(Recording, SnapshotsHaveTheEntriesThatCouldNotBeUsed) {
  const auto engine = keeping_engine("clawd", R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}})");
  const auto registry = read_snapshot(kept_->registries.back());
  ASSERT_TRUE(registry);
  EXPECT_EQ(registry->problems.size(), engine->problems().size());
  ASSERT_FALSE(registry->problems.empty());
  EXPECT_EQ(registry->problems.front().to_string(), engine->problems().front().to_string());
}

TEST_F(Recording, EventsOfEveryDialectAreExplainedAndComeBack) {
  const auto engine = keeping_engine("clawd", R"({"hooks":{}})");
  std::vector<EventKind> all(all_event_kinds().begin(), all_event_kinds().end());
  ASSERT_TRUE(engine->register_callback(
      {.name = "watch", .events = all, .call = [](const Event&, std::stop_token) { return Effects{}; }}));
  for (const Dialect* dialect : all_dialects()) {
    for (const EventRow& row : dialect->events) {
      SCOPED_TRACE(std::string(dialect->name) + " " + std::string(row.wire_name));
      const auto event = Event::from_native(dialect->name, Json::object(), row.wire_name);
      ASSERT_TRUE(event) << event.error().message;
      const auto shares = engine->explain(*event);
      ASSERT_EQ(shares.size(), 1u);
      EXPECT_TRUE(shares[0].runs) << shares[0].reason;
      engine->fire(*event);
      const auto again = event_of(kept_->last);
      ASSERT_TRUE(again);
      EXPECT_EQ(again->kind(), event->kind());
      EXPECT_EQ(again->dialect_name(), dialect->name);
    }
  }
}

}  // namespace
}  // namespace grapnel::testing
