#include "dialect/answer.h"
#include "engine/fixture.h"
#include "trust/trust_store.h"

// A project with the files of several agents, seen by one of them.

namespace grapnel::testing {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Project : public EngineTest {
 protected:
  /// An engine over the project's files, which the user has looked at and trusts.
  std::unique_ptr<Engine> trusting_engine() {
    EngineOptions with = options();
    with.places.trust_store = dir_ / "trust.json";
    auto engine = Engine::create(with);
    std::set<std::string> digests;
    for (const HookInfo& hook : engine->hooks()) digests.insert(hook.digest);
    EXPECT_TRUE(TrustStore(with.places.trust_store).set_trusted(with.project_dir, digests).has_value());
    engine->reload();
    return engine;
  }
};

TEST_F(Project, HooksOfFourAgentsAndACallbackAreOneChain) {
  dir_.put("project/.gemini/settings.json", R"({"hooks":{"BeforeTool":[{"matcher":"glob","hooks":[
      {"type":"command","name":"gemini","command":"cat > gemini.json; echo '{\"decision\":\"allow\"}'"}]}]}})");
  dir_.put("project/.blade/settings.json", R"({"hooks":{"PreToolUse":[{"matcher":"Glob","hooks":[
      {"type":"command","command":"cat > blade.json; echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"blade asks\",\"updatedInput\":{\"path\":\"src\"}}}'"}]}]}})");
  dir_.put("project/.claude/settings.json", R"({"hooks":{"PreToolUse":[{"matcher":"Glob|Grep","hooks":[
      {"type":"command","command":"cat > claude.json; echo '{\"hookSpecificOutput\":{\"permissionDecision\":\"allow\",\"additionalContext\":\"claude was here\"}}'"}]}]}})");
  dir_.put("project/.agents/hooks/notes/HOOK.md",
           "---\nname: notes\ndescription: d\ntrigger: before_tool\nmatcher:\n  tool: Glob\n---\n");
  dir_.put("project/.agents/hooks/notes/scripts/run.sh",
           "#!/bin/sh\ncat > notes.json\necho '{\"additional_context\": \"notes were taken\"}'\n", 0755);
  auto engine = trusting_engine();
  std::string seen;
  ASSERT_TRUE(engine->register_callback(
      {.name = "host", .events = {EventKind::PreToolUse}, .call = [&](const Event& event, std::stop_token) {
         seen = event.text(Field::ToolName) + " " + event.get(Field::ToolInput).dump();
         return Effects{};
       }}));

  const Event event = *Event::from_native("gemini", json(R"({"hook_event_name":"BeforeTool","session_id":"s",
      "tool_name":"glob","tool_input":{"pattern":"*.cc","dir_path":"."}})"));
  const Decision decision = engine->fire(event);

  std::vector<std::string> names;
  for (const HookFate& fate : decision.hooks) names.push_back(fate.name.substr(0, fate.name.find(';')));
  EXPECT_EQ(names, (std::vector<std::string>{"gemini", "cat > blade.json", "cat > claude.json", "notes", "host"}));
  EXPECT_EQ(decision.verdict(), Verdict::Ask);
  EXPECT_EQ(decision.reason(), "blade asks");
  EXPECT_EQ(decision.context(), "claude was here\n\nnotes were taken");

  EXPECT_EQ(json(content(dir_ / "project/gemini.json"))["tool_name"], Json::string("glob"));
  const Json blade = json(content(dir_ / "project/blade.json"));
  EXPECT_EQ(blade["tool_name"], Json::string("Glob"));
  EXPECT_EQ(blade["tool_input"], json(R"({"pattern":"*.cc","path":"."})"));
  const Json claude = json(content(dir_ / "project/claude.json"));
  EXPECT_EQ(claude["hook_event_name"], Json::string("PreToolUse"));
  EXPECT_EQ(claude["tool_input"], json(R"({"pattern":"*.cc","path":"src"})")) << "it sees what Blade's hook changed";
  const Json notes = json(content(dir_ / "project/notes.json"));
  EXPECT_EQ(notes["event_type"], Json::string("before_tool"));
  EXPECT_EQ(notes["tool_name"], Json::string("Glob"));
  EXPECT_EQ(seen, R"(glob {"pattern":"*.cc","path":"src"})");

  ASSERT_TRUE(decision.effects.input);
  EXPECT_EQ(decision.effects.input->value, json(R"({"dir_path":"src"})")) << "told to the host in its own words";
  const Json answer = json(write_answer(decision, event, event.dialect()).out);
  EXPECT_EQ(answer["decision"], Json::string("ask"));
}

TEST_F(Project, WhatIsNotTrustedIsListedAndDoesNotRun) {
  dir_.put("project/.claude/settings.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch ran"}]}]}})");
  dir_.put("project/.codex/hooks.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch ran"}]}]}})");
  dir_.put("project/.qwen/settings.json",
           R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"touch ran"}]}]}})");
  const Decision decision = Engine::create(options())->fire(pre_tool("Bash", "{}"));
  ASSERT_EQ(decision.hooks.size(), 3u);
  for (const HookFate& fate : decision.hooks) EXPECT_EQ(fate.detail, "untrusted");
  EXPECT_FALSE(std::filesystem::exists(dir_ / "project/ran"));
}

/// A setting of one hook before a tool runs, by agent.
Json settings_with(const std::string& event, const std::string& command) {
  const Json hook = Json::object({{"type", Json::string("command")}, {"command", Json::string(command)}});
  const Json group = Json::object({{"hooks", Json::array({hook})}});
  return Json::object({{"hooks", Json::object({{event, Json::array({group})}})}});
}

/// Sanitizers keep memory that was given back.
#if defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

/// The most memory this process has had since `forget_peak`.
size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) << 10;
  }
  return 0;
}
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

TEST_F(Project, ALargeInputReachesEveryHookThroughItsStandardInputAlone) {
  constexpr size_t kSize = size_t{20} << 20;
  EngineOptions with = options();
  const struct {
    const char* dialect;
    const char* event;
  } agents[] = {{"gemini", "BeforeTool"}, {"blade", "PreToolUse"}, {"claude", "PreToolUse"}, {"clawd", "PreToolUse"},
                {"codex", "PreToolUse"},  {"qwen", "PreToolUse"},  {"agenthooks", ""}};
  for (const auto& agent : agents) {
    const std::string name = agent.dialect;
    const std::string guard =
        "wc -c > " + name + ".size; cat /proc/$$/cmdline /proc/$$/environ | wc -c > " + name + ".rest; exit 0";
    if (*agent.event != '\0') {
      with.configs.push_back({agent.dialect, "", settings_with(agent.event, guard)});
      continue;
    }
    const std::string hook = "home/.config/agents/hooks/h/";
    dir_.put(hook + "HOOK.md", "---\nname: h\ndescription: d\ntrigger: pre-tool-call\n---\n");
    dir_.put(hook + "scripts/run.sh", "#!/bin/sh\n" + guard + "\n", 0755);
  }
  const Event event = *Event::from_native(
      "claude", Json::object({{"hook_event_name", Json::string("PreToolUse")},
                              {"session_id", Json::string("s")},
                              {"cwd", Json::string(with.project_dir)},
                              {"tool_name", Json::string("Write")},
                              {"tool_input", Json::object({{"file_path", Json::string("/x")},
                                                           {"content", Json::string(std::string(kSize, 'x'))}})}}));
  const auto engine = Engine::create(with);
  forget_peak();
  const size_t before = peak_memory();
  const Decision decision = engine->fire(event);
  if (!kIsSanitized) {
    EXPECT_LT(peak_memory() - before, 4 * kSize) << "one dialect's payload at a time, and little besides";
  }
  ASSERT_EQ(decision.hooks.size(), std::size(agents));
  for (const HookFate& fate : decision.hooks) EXPECT_EQ(fate.kind, HookFate::Kind::Ran) << fate.name << fate.detail;
  for (const auto& agent : agents) {
    SCOPED_TRACE(agent.dialect);
    const std::string base = dir_ / "project/" + agent.dialect;
    EXPECT_GT(std::stoul("0" + std::string(content(base + ".size"))), kSize);
    EXPECT_LT(std::stoul("0" + std::string(content(base + ".rest"))), 10000u);
  }
}

}  // namespace
}  // namespace grapnel::testing
