#include "grapnel/hook_service.h"

#include "engine/fixture.h"

namespace grapnel::testing {
namespace {

class HookServiceTest : public EngineTest {
 protected:
  HookService service_with(std::string settings) { return service_in("clawd", std::move(settings)); }
  HookService service_in(const char* dialect, std::string settings) {
    return HookService(engine_with(dialect, std::move(settings)));
  }
  HookService::Session session_{.session_id = "s1", .project_dir = dir_ / "project"};
  HookService::ToolCall bash_{.name = "Bash", .use_id = "", .input = json(R"({"command":"ls"})")};
};

TEST_F(HookServiceTest, IsNeutralWithoutHooks) {
  auto switched_off = engine_with("clawd", R"({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"exit 2"}]}]}})");
  switched_off->set_all_enabled(false);
  HookService services[] = {HookService(nullptr), HookService(std::move(switched_off)), service_with("{}")};
  EXPECT_FALSE(services[0].is_hooks_available());
  EXPECT_FALSE(services[1].is_hooks_available());
  EXPECT_TRUE(services[2].is_hooks_available());
  for (HookService& service : services) {
    EXPECT_FALSE(service.on_session_start(session_).blocked);
    EXPECT_FALSE(service.on_user_prompt_submit(session_, "hi").blocked);
    EXPECT_EQ(service.on_user_prompt_submit(session_, "hi").context, "");
    EXPECT_FALSE(service.on_stop(session_, "end_turn").blocked);
    EXPECT_FALSE(service.on_compaction(session_, 1000, 10).blocked);
    EXPECT_EQ(service.on_pre_tool_use(session_, bash_).decision, PreToolDecision::NoOpinion);
    EXPECT_FALSE(service.on_pre_tool_use(session_, bash_).modified_input);
    EXPECT_EQ(service.on_post_tool_use(session_, bash_, Json::string("out")).additional_context, "");
    EXPECT_EQ(service.on_post_tool_use_failure(session_, bash_, "e").feedback, "");
    EXPECT_EQ(service.on_permission_request(session_, bash_), Verdict::Ask);
    EXPECT_FALSE(service.on_subagent_start(session_, "explore", "look").blocked);
    EXPECT_FALSE(service.on_subagent_stop(session_, "a", "explore", "done").blocked);
    EXPECT_FALSE(service.on_task_completed(session_, "t", "do it").blocked);
    EXPECT_EQ(service.on_notification(session_, "info", "hello").message, "hello");
    EXPECT_EQ(service.on_before_model(session_, Json::object()).verdict(), Verdict::Pass);
    EXPECT_EQ(service.on_before_tool_selection(session_, Json::object()).verdict(), Verdict::Pass);
    EXPECT_EQ(service.on_after_model(session_, Json::object(), Json::object()).verdict(), Verdict::Pass);
    service.on_session_end(session_);
    service.on_turn_end(session_, "bye");
    service.on_post_compact(session_, "summary");
  }
}

TEST_F(HookServiceTest, PassesOnWhatHooksSay) {
  HookService service = service_with(R"J({"hooks":{
    "PreToolUse":[{"matcher":{"tools":"Bash"},"hooks":[{"type":"command","command":"echo '{\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"sure?\",\"updatedInput\":{\"timeout\":5}}'"}]}],
    "PostToolUse":[{"hooks":[{"type":"command","command":"echo one"},{"type":"command","command":"echo '{\"additionalContext\":\"two\",\"updatedOutput\":\"new\"}'"}]}],
    "PostToolUseFailure":[{"hooks":[{"type":"command","command":"cat > failure.json"}]}],
    "PermissionRequest":[{"hooks":[{"type":"command","command":"echo '{\"decision\":\"approve\"}'"},{"type":"command","command":"exit 2"}]}],
    "UserPromptSubmit":[{"hooks":[{"type":"command","command":"echo branch main"}]}],
    "Stop":[{"name":"ensure-todos-complete","hooks":[{"type":"command","command":"if grep -q '\\[ \\]' TODO.md 2>/dev/null; then echo '{\"continue\":true,\"reason\":\"Incomplete TODOs found\"}'; fi"}]}],
    "Compaction":[{"hooks":[{"type":"command","command":"echo '{\"prevent\":true,\"reason\":\"not now\"}'"}]}]
  }})J");
  const auto pre = service.on_pre_tool_use(session_, bash_);
  EXPECT_EQ(pre.decision, PreToolDecision::Ask);
  EXPECT_EQ(pre.reason, "sure?");
  EXPECT_EQ(*pre.modified_input, json(R"({"command":"ls","timeout":5})"));

  const auto post = service.on_post_tool_use(session_, bash_, Json::string("out"));
  EXPECT_EQ(post.additional_context, "one\n\ntwo");
  EXPECT_EQ(*post.modified_output, Json::string("new"));

  service.on_post_tool_use_failure(session_, bash_, "it broke");
  std::ifstream failure(dir_ / "project/failure.json");
  const Json seen = json({std::istreambuf_iterator<char>(failure), {}});
  EXPECT_EQ(seen["error"], Json::string("it broke"));
  EXPECT_EQ(seen["session_id"], Json::string("s1"));

  EXPECT_EQ(service.on_permission_request(session_, bash_), Verdict::Allow) << "the first decision returns";
  EXPECT_EQ(service.on_user_prompt_submit(session_, "hi").context, "branch main");
  EXPECT_FALSE(service.on_stop(session_, "end_turn").blocked);
  dir_.put("project/TODO.md", "- [ ] everything\n");
  EXPECT_TRUE(service.on_stop(session_, "end_turn").blocked);
  EXPECT_EQ(service.on_stop(session_, "end_turn").reason, "Incomplete TODOs found");
  EXPECT_TRUE(service.on_compaction(session_, 1000, 10).blocked);
  EXPECT_EQ(service.on_compaction(session_, 1000, 10).reason, "not now");
}

// A host that runs a call without asking because `decision == Allow` must have been told so by a hook.
TEST_F(HookServiceTest, SubagentsGetContextAndSaySuccess) {
  HookService service = service_in("claude", R"J({"hooks":{
    "SubagentStart":[{"hooks":[{"type":"command","command":"echo '{\"hookSpecificOutput\":{\"hookEventName\":\"SubagentStart\",\"additionalContext\":\"look in src\"}}'"}]}]
  }})J");
  const auto start = service.on_subagent_start(session_, "explore", "look");
  EXPECT_FALSE(start.blocked);
  EXPECT_EQ(start.context, "look in src");
  HookService ends = service_in("blade", R"J({"hooks":{
    "SubagentStop":[{"hooks":[{"type":"command","command":"cat > stop.json"}]}],
    "TaskCompleted":[{"hooks":[{"type":"command","command":"cat > task.json"}]}]
  }})J");
  ends.on_subagent_stop(session_, "a1", "explore", "found nothing", false);
  ends.on_task_completed(session_, "t1", "do it");
  EXPECT_EQ(json(dir_.read("project/stop.json"))["success"].as_bool(), false);
  EXPECT_EQ(json(dir_.read("project/task.json"))["success"].as_bool(), true);
}

TEST_F(HookServiceTest, SilenceBeforeAToolIsNoConsent) {
  const struct {
    const char* note;
    const char* command;
    PreToolDecision want;
  } cases[] = {
      {"a hook that says nothing", "true", PreToolDecision::NoOpinion},
      {"a hook that only adds context", R"(echo '{\"additionalContext\":\"hm\"}')", PreToolDecision::NoOpinion},
      {"a hook that only changes the input", R"(echo '{\"updatedInput\":{\"a\":1}}')", PreToolDecision::NoOpinion},
      {"a hook that fails and lets pass", "exit 1", PreToolDecision::NoOpinion},
      {"a hook that allows", R"(echo '{\"permissionDecision\":\"allow\"}')", PreToolDecision::Allow},
      {"a hook that denies", "exit 2", PreToolDecision::Deny},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.note);
    HookService service = service_with(
        std::string(R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":")") + c.command + R"("}]}]}})");
    EXPECT_EQ(to_string(service.on_pre_tool_use(session_, bash_).decision), to_string(c.want));
  }
  EXPECT_EQ(HookService::PreToolResult{}.decision, PreToolDecision::NoOpinion);
  static_assert(!std::is_convertible_v<PreToolDecision, Verdict> && !std::is_convertible_v<Verdict, PreToolDecision>);
}

struct PermissionCase {
  const char* note;
  const char* tool;
  const char* input;
  const char* hook;  ///< what a PermissionRequest hook prints
  Verdict want;
  const char* message;
};

// Blade (seed 004): `canUseTool` is asked first; `ask` goes on to hooks, then to a person.
TEST_F(HookServiceTest, PermissionIsTheCallbacksThenTheHooksThenAPersons) {
  const CanUseTool can_use_tool = [](const ToolUse& use, const std::stop_token&) -> PermissionAnswer {
    if (use.access == ToolAccess::ReadOnly) return {Verdict::Allow};
    if (use.input["command"].as_string().value_or("").contains("rm -rf")) return {Verdict::Deny, "too dangerous"};
    if (use.name == "Write") throw std::runtime_error("no idea");
    return {Verdict::Ask};
  };
  constexpr auto kApprove = R"({"decision":"approve"})";
  constexpr auto kRefuse = R"({"decision":"deny","reason":"says the hook"})";
  const PermissionCase cases[] = {
      {"read-only tools are allowed without hooks", "Read", R"({"file_path":"a"})", kRefuse, Verdict::Allow, ""},
      {"a refusal has its message", "Bash", R"({"command":"rm -rf /"})", kApprove, Verdict::Deny, "too dangerous"},
      {"ask falls back to hooks: approved", "Bash", R"({"command":"ls"})", kApprove, Verdict::Allow, ""},
      {"ask falls back to hooks: refused", "Bash", R"({"command":"ls"})", kRefuse, Verdict::Deny, "says the hook"},
      {"ask, and no hook has an opinion", "Bash", R"({"command":"ls"})", "", Verdict::Ask, ""},
      {"a callback that throws grants nothing", "Write", R"({"file_path":"a"})", "", Verdict::Ask,
       "the permission callback threw: no idea"},
      {"…and hooks are asked", "Write", R"({"file_path":"a"})", kRefuse, Verdict::Deny, "says the hook"},
  };
  for (const PermissionCase& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("project/answer.json", c.hook);
    HookService service =
        service_with(R"({"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"cat answer.json"}]}]}})");
    const PermissionAnswer answer = service.request_permission(session_, {c.tool, "u1", json(c.input)}, can_use_tool);
    EXPECT_EQ(answer.verdict, c.want);
    EXPECT_EQ(answer.message, c.message);
  }
}

TEST_F(HookServiceTest, APermissionCallbackKnowsTheCall) {
  struct Case {
    const char* tool;
    ToolAccess access;
  };
  const Case cases[] = {{"Read", ToolAccess::ReadOnly},       {"Glob", ToolAccess::ReadOnly},
                        {"Edit", ToolAccess::Write},          {"Bash", ToolAccess::Execute},
                        {"write_file", ToolAccess::Write},    {"run_shell_command", ToolAccess::Execute},
                        {"mcp__files__get", ToolAccess::Mcp}, {"SomethingElse", ToolAccess::Execute}};
  HookService service(nullptr);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.tool);
    std::stop_source stop;
    stop.request_stop();
    bool asked = false;
    const CanUseTool can_use_tool = [&](const ToolUse& use, const std::stop_token& cancel) -> PermissionAnswer {
      asked = true;
      EXPECT_EQ(use.name, c.tool);
      EXPECT_EQ(use.use_id, "u7");
      EXPECT_EQ(to_string(use.access), to_string(c.access));
      EXPECT_TRUE(cancel.stop_requested());
      return {};
    };
    EXPECT_EQ(service.request_permission(session_, {c.tool, "u7", json("{}")}, can_use_tool, stop.get_token()).verdict,
              Verdict::Ask);
    EXPECT_TRUE(asked);
  }
}

}  // namespace
}  // namespace grapnel::testing
