#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "dialect/payload.h"
#include "discover/cache/registry_bytes.h"
#include "os/temp_dir.h"
#include "plan/planner.h"

/// Hooks that a process for one event does not read back: never one that the planner would have planned.
namespace grapnel {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kLeftOutRules = R"(version: 1
hooks:
  - { name: kind, on: PreToolUse, when: { tool: shell }, deny: No. }
  - { name: kinds, on: [PreToolUse, PostToolUse], when: { tool: [write, edit], path: '**/x' }, ask: Careful. }
  - { name: open-kind, on: PreToolUse, when: { tool: mcp }, deny: No. }
  - { name: own-word, on: PreToolUse, when: { tool: run_shell_command }, deny: No. }
  - { name: alias, on: PreToolUse, when: { tool: Edit }, deny: No. }
  - { name: nobodys, on: PreToolUse, when: { tool: frobnicate }, deny: No. }
  - { name: server, on: PreToolUse, when: { tool: mcp__files__read }, deny: No. }
  - { name: servers, on: PreToolUse, when: { tool: 'mcp__files__.*' }, deny: No. }
  - { name: anything, on: PreToolUse, when: { tool: '*' }, notify: Seen. }
  - { name: path, on: PreToolUse, when: { path: '**/x' }, deny: No. }
  - { name: denied, on: PreToolUse, when: { not: { tool: shell } }, deny: No. }
  - { name: either, on: PreToolUse, when: { any: [{ tool: read }, { input: { command: /x/ } }] }, deny: No. }
  - { name: both, on: PreToolUse, when: { all: [{ path: '**/x' }, { tool: read }] }, deny: No. }
  - { name: always, on: PreToolUse, notify: Seen. }
  - { name: runs, on: PostToolUse, when: { tool: edit, path: '**/x' }, run: ./format, async: true }
)";
constexpr const char* kClaude = R"({"hooks": {"PreToolUse": [
  {"matcher": "Bash", "hooks": [{"type": "command", "command": "claude-name"}]},
  {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "claude-names"}]},
  {"matcher": "mcp__files__.*", "hooks": [{"type": "command", "command": "claude-server"}]},
  {"matcher": "*", "hooks": [{"type": "command", "command": "claude-all"}]},
  {"matcher": "^Not.*", "hooks": [{"type": "command", "command": "claude-regex"}]}]}})";
constexpr const char* kCodex = R"({"hooks": {"PreToolUse": [
  {"matcher": "apply_patch", "hooks": [{"type": "command", "command": "codex-patch"}]},
  {"matcher": "Edit", "hooks": [{"type": "command", "command": "codex-alias"}]}]}})";
constexpr const char* kGemini = R"({"hooks": {"BeforeTool": [
  {"matcher": "write_file|replace", "hooks": [{"type": "command", "command": "gemini-names"}]},
  {"matcher": "mcp_files_.*", "hooks": [{"type": "command", "command": "gemini-server"}]}]}})";

class LeftOutTest : public ::testing::Test {
 protected:
  void put_hook(const std::string& name, const std::string& tool) {
    const std::string hook = "home/.config/agents/hooks/" + name;
    dir_.put(hook + "/HOOK.md",
             "---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\nmatcher:\n  tool: " + tool + "\n---\n");
    dir_.put(hook + "/scripts/run.sh", "#!/bin/sh\n");
  }

  void SetUp() override {
    dir_.put("home/.config/agents/grapnel.yaml", kLeftOutRules);
    dir_.put("home/.claude/settings.json", kClaude);
    dir_.put("home/.codex/hooks.json", kCodex);
    dir_.put("home/.gemini/settings.json", kGemini);
    put_hook("md-name", "Shell");
    put_hook("md-anchored", "^mcp__files__.*$");
    put_hook("md-either", "'Shell|ReadFile'");
    put_hook("md-class", "'[A-Z].*'");
    DiscoverOptions options;
    options.roots = {dir_ / "root", dir_ / "project", &env_};
    all_ = discover(options);
    bytes_ = write_bytes(all_);
  }

  Discovered read_for(const Event* event) const {
    auto found = read_bytes(
        bytes_.front, [this](size_t from, size_t size) { return std::optional(bytes_.hooks.substr(from, size)); },
        event);
    EXPECT_TRUE(found.has_value());
    return found ? std::move(*found) : Discovered{};
  }

  testing::TempDir dir_;
  Environment env_{{"HOME=" + (dir_ / "home")}};
  Discovered all_;
  RegistryBytes bytes_;
};

/// Hooks of settings have none of their own.
std::string name_of(const HookSpec& hook) {
  return hook.name + " " + hook.command_text();
}

bool has_hook(const Registry& registry, const std::string& name) {
  return std::ranges::find(registry.hooks, name, &HookSpec::name) != registry.hooks.end();
}

/// By name, stage by stage; what nobody waits for is the last.
std::vector<Texts> planned(const Registry& registry, const Planner& planner, const Event& event) {
  std::vector<Texts> out;
  const auto add = [&](const std::vector<uint32_t>& hooks) {
    Texts& names = out.emplace_back();
    for (const uint32_t id : hooks) names.push_back(name_of(registry.hooks[id]));
  };
  const Plan plan = planner.plan(event);
  for (const Stage& stage : plan.stages) add(stage.hooks);
  add(plan.background);
  return out;
}

/// What any agent calls a tool, and what none does.
std::set<std::string> tool_names() {
  std::set<std::string> names = {"", "mcp__files__read", "mcp_files_read", "mcp__other__x", "files/read", "frobnicate"};
  for (const Dialect* dialect : all_dialects()) {
    for (const ToolRow& row : dialect->tools.rows) names.emplace(row.name);
    for (const ToolAlias& alias : dialect->tools.aliases)
      names.insert({std::string(alias.alias), std::string(alias.tool)});
  }
  return names;
}

/// The event in an agent's words; nothing where it has no such moment.
std::optional<Event> call_of(EventKind kind, const Dialect& dialect, const std::string& tool) {
  const Json input = *Json::parse(R"({"command":"*** Begin Patch\n*** Update File: a/x\n","file_path":"a/x"})");
  const Event plain(kind, Json::object({{"tool_name", Json::string("Bash")}, {"tool_input", input}}));
  const auto native = plain.in_dialect(dialect.name);
  if (!native) return std::nullopt;
  return with_field(*native, Field::ToolName, Json::string(tool));
}

TEST_F(LeftOutTest, NothingOfAnyPlanIs) {
  ASSERT_TRUE(all_.registry.problems.empty()) << all_.registry.problems.front().to_string();
  ASSERT_EQ(all_.registry.hooks.size(), 28u);
  const Planner whole(all_.registry);
  std::map<std::string, size_t> read;
  size_t events = 0;
  for (const EventKind kind : {EventKind::PreToolUse, EventKind::PostToolUse}) {
    for (const Dialect* dialect : all_dialects()) {
      for (const std::string& tool : tool_names()) {
        SCOPED_TRACE(std::string(to_string(kind)) + " of " + std::string(dialect->name) + ", tool " + tool);
        const auto event = call_of(kind, *dialect, tool);
        if (!event) continue;
        std::set<std::string> known;
        for (const HookSpec& hook : read_for(&*event).registry.hooks) known.insert(name_of(hook));
        for (const Texts& stage : planned(all_.registry, whole, *event)) {
          for (const std::string& name : stage) ASSERT_TRUE(known.contains(name)) << name;
        }
        for (const std::string& name : known) ++read[name];
        ++events;
      }
    }
  }
  for (const HookSpec& hook : all_.registry.hooks) {
    EXPECT_LT(read[name_of(hook)], events) << hook.name << " is never left out";
    EXPECT_GT(read[name_of(hook)], 0u) << hook.name << " is always left out";
  }
}

TEST_F(LeftOutTest, APlanIsTheSameWithoutThem) {
  const Planner whole(all_.registry);
  for (const std::string tool : {"Bash", "Write", "Edit", "Read", "mcp__files__read", "frobnicate", ""}) {
    SCOPED_TRACE(tool);
    const Event event = *call_of(EventKind::PreToolUse, kCanonicalDialect, tool);
    const Discovered some = read_for(&event);
    EXPECT_FALSE(some.is_whole);
    EXPECT_EQ(planned(some.registry, Planner(some.registry), event), planned(all_.registry, whole, event));
  }
}

TEST_F(LeftOutTest, ByToolUnlessThatCannotBeSaid) {
  struct Case {
    const char* note;
    const char* hook;
    std::set<std::string> tools;  ///< in the canonical dialect, of those asked for
  };
  const std::vector<Case> cases = {
      {"a kind", "kind", {"Bash"}},
      {"kinds", "kinds", {"Write", "Edit"}},
      {"a kind that has no end of names", "open-kind", {"Bash", "Read", "Write", "Edit", "mcp__files__read", "other"}},
      {"another agent's word", "own-word", {"Bash"}},
      {"a regex over names", "servers", {"Bash", "Read", "Write", "Edit", "mcp__files__read", "other"}},
      {"a name of a server's tool, which agents spell as they like",
       "server",
       {"Bash", "Read", "Write", "Edit", "mcp__files__read", "other"}},
      {"a regex in a HOOK.md, by a text it needs", "md-anchored", {"mcp__files__read"}},
      {"no tool is named", "path", {"Bash", "Read", "Write", "Edit", "mcp__files__read", "other"}},
      {"all but one", "denied", {"Bash", "Read", "Write", "Edit", "mcp__files__read", "other"}},
      {"one of two questions", "either", {"Bash", "Read", "Write", "Edit", "mcp__files__read", "other"}},
      {"both of two questions", "both", {"Read"}},
      {"another event", "runs", {}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    std::set<std::string> tools;
    for (const std::string tool : {"Bash", "Read", "Write", "Edit", "mcp__files__read", "other"}) {
      const Event event(EventKind::PreToolUse, Json::object({{"tool_name", Json::string(tool)}}));
      const Discovered some = read_for(&event);
      if (has_hook(some.registry, one.hook)) tools.insert(tool);
    }
    EXPECT_EQ(tools, one.tools);
  }
}

TEST_F(LeftOutTest, AnEventWithoutAToolLeavesOutByEventAlone) {
  const Event event(EventKind::PreToolUse, Json::object());
  const auto listens = [](const HookSpec& hook) { return hook.listens_to(EventKind::PreToolUse); };
  EXPECT_EQ(std::ssize(read_for(&event).registry.hooks), std::ranges::count_if(all_.registry.hooks, listens));
}

TEST_F(LeftOutTest, WhatTheyDemandIsKnown) {
  dir_.put("home/.config/agents/grapnel.yaml", R"(version: 1
hooks:
  - { name: tests, on: Stop, when: { changed: '**/*.cc' }, run: make test }
  - { name: remind, on: SessionStart, inject: { text: Mind the gap., once: compaction } }
)");
  DiscoverOptions options;
  options.roots = {dir_ / "root", dir_ / "project", &env_};
  all_ = discover(options);
  bytes_ = write_bytes(all_);
  const Event event(EventKind::PostToolUse, Json::object({{"tool_name", Json::string("other")}}));
  const Discovered some = read_for(&event);
  EXPECT_FALSE(has_hook(some.registry, "tests"));
  EXPECT_FALSE(has_hook(some.registry, "remind"));
  EXPECT_TRUE(some.demands_left_out.tracks_changes);
  EXPECT_TRUE(some.demands_left_out.counts_compactions);
  EXPECT_TRUE(some.demands_left_out.compares(Field::ToolName, EventKind::PreToolUse));
  EXPECT_FALSE(some.demands_left_out.compares(Field::ToolName, EventKind::Stop));
}

}  // namespace
}  // namespace grapnel
