#include <algorithm>

#include "agent/pipeline_fixture.h"

// What the stages tell hooks, people and embedders, and the calls that are not like others.

namespace grapnel::agent {
namespace {

using enum ApprovalMode;

class PipelineDetails : public PipelineTest {};

TEST_F(PipelineDetails, ToolsAreFoundByAnyAgentsName) {
  struct Row {
    const char* note;
    const char* dialect;  ///< of the session
    const char* tool;
    const char* input;
    const char* canonical;
    const char* text;
  };
  const Row rows[] = {
      {"the canonical name", "canonical", "Bash", R"({"command":"ls"})", "Bash", "ran ls"},
      {"Gemini's in a session of Gemini's", "gemini", "run_shell_command", R"({"command":"ls"})", "Bash", "ran ls"},
      {"Gemini's elsewhere", "claude", "run_shell_command", R"({"command":"ls"})", "Bash", "ran ls"},
      {"a canonical one in a session of Gemini's", "gemini", "Read", R"({"file_path":"a"})", "Read", "ran a"},
      {"Agent Hooks'", "canonical", "Shell", R"({"command":"ls"})", "Bash", "ran ls"},
      {"an embedder's tool", "gemini", "deploy", R"({"target":"prod"})", "deploy", "ran prod"},
      {"no tool, but nearly", "canonical", "Bsh", "{}", "Bsh", "There is no tool 'Bsh'. Did you mean 'Bash'?"},
      {"no tool, but nearly one of Gemini's", "gemini", "run_shel_command", "{}", "run_shel_command",
       "There is no tool 'run_shel_command'. Did you mean 'run_shell_command'?"},
      {"no tool at all", "canonical", "teleport", "{}", "teleport",
       "There is no tool 'teleport'. Tools: Bash, Read, Write, Edit, Glob, deploy, broken"},
      {"a tool of others that is not offered", "gemini", "web_fetch", "{}", "WebFetch",
       "There is no tool 'web_fetch'. Tools: run_shell_command, read_file, write_file, replace, glob, deploy, broken"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    set({.dialect = row.dialect});
    const ToolOutcome outcome = run(row.tool, row.input);
    EXPECT_EQ(text_of(outcome), row.text);
    EXPECT_EQ(outcome.tool_name, row.canonical);
    EXPECT_EQ(outcome.part.name, row.tool) << "the model hears of the call as it made it";
  }
}

TEST_F(PipelineDetails, ArgumentsAreRenamedAndSoAreHooksChanges) {
  tools_.push_back(small_tool("Grep", ToolKind::Grep, "path"));
  set({.hooks = {{"gemini", "BeforeTool",
                  "cat > seen; " + says(R"({"hookSpecificOutput":{"tool_input":{"pattern":"x","dir_path":"lib"}}})")}},
       .dialect = "gemini"});
  const ToolOutcome outcome = run("grep_search", R"({"pattern":"x","dir_path":"src"})");
  EXPECT_EQ(noted("seen")["tool_input"], json(R"({"pattern":"x","dir_path":"src"})"));
  EXPECT_EQ(text_of(outcome), "ran lib\n\n[Hook Note]\nA hook changed the input of this call before it ran: path");
  EXPECT_EQ(outcome.input, json(R"({"pattern":"x","path":"lib"})"));
  ASSERT_EQ(person_.all<ToolStarted>().size(), 1u);
  EXPECT_EQ(person_.all<ToolStarted>()[0].name, "grep_search");
  EXPECT_EQ(person_.all<ToolStarted>()[0].input, json(R"({"pattern":"x","dir_path":"lib"})"));
}

TEST_F(PipelineDetails, HooksSeeTheCallAndWhatBecameOfIt) {
  set({.hooks = {{"claude", "PreToolUse", "cat > pre"},
                 {"blade", "PostToolUse", "cat > post"},
                 {"blade", "PostToolUseFailure", "cat > failure"},
                 {"gemini", "AfterTool", "cat > after"}}});
  run("Bash", R"({"command":"ls"})");
  const Json pre = noted("pre");
  EXPECT_EQ(pre["tool_name"], Json::string("Bash"));
  EXPECT_EQ(pre["tool_input"], json(R"({"command":"ls"})"));
  EXPECT_EQ(pre["tool_use_id"], Json::string("call1"));
  EXPECT_EQ(pre["session_id"], Json::string("s1"));
  EXPECT_EQ(noted("post")["tool_output"], json(R"({"success":true,"llmContent":"ran ls","returnDisplay":"ran ls"})"));
  EXPECT_EQ(noted("after")["tool_response"]["llmContent"], Json::string("ran ls"));
  EXPECT_TRUE(noted("after")["tool_response"]["error"].is_missing());
  EXPECT_EQ(written("failure"), "") << "it did not fail";

  struct Row {
    const char* tool;
    const char* input;
    const char* error;
    const char* type;
    bool is_timeout;
    bool has_run = true;
  };
  const Row rows[] = {
      {"broken", R"({"how":"fail"})", "no luck", "failed", false},
      {"broken", R"({"how":"time out"})", "took too long", "timed_out", true},
      {"broken", R"({"how":"throw"})", "The tool 'broken' failed: disk on fire", "failed", false},
      {"broken", R"({"how":"throw a number"})",
       "The tool 'broken' failed: it threw something that is not a std::exception", "failed", false},
      {"teleport", "{}", "There is no tool 'teleport'. Tools: Bash, Read, Write, Edit, Glob, deploy, broken",
       "not_found", false, false},
  };
  int id = 0;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.error);
    const ToolOutcome outcome = run(row.tool, row.input, "id" + std::to_string(++id));
    EXPECT_EQ(text_of(outcome), row.error);
    EXPECT_TRUE(outcome.part.is_error);
    const Json failure = noted("failure");
    EXPECT_EQ(failure["tool_name"], Json::string(row.tool));
    EXPECT_EQ(failure["error"], Json::string(row.error));
    EXPECT_EQ(failure["error_type"], Json::string(row.type));
    EXPECT_EQ(failure["is_interrupt"], Json::boolean(false));
    EXPECT_EQ(failure["is_timeout"], Json::boolean(row.is_timeout));
    EXPECT_EQ(noted("after")["tool_response"]["error"] == Json::string(row.error), row.has_run)
        << "Gemini has no AfterTool for a tool that never ran";
  }
}

TEST_F(PipelineDetails, InvalidInputAndRefusalsAreFailuresToo) {
  set({.hooks = {{"blade", "PostToolUseFailure", "cat > failure"}, {"clawd", "PreToolUse", "echo > asked"}},
       .mode = Default,
       .rules = {.deny = {"Write"}}});
  EXPECT_EQ(run("Bash", R"({"comand":"ls"})").result.failure, ToolFailure::InvalidInput);
  EXPECT_EQ(noted("failure")["error_type"], Json::string("invalid_input"));
  EXPECT_EQ(written("asked"), "") << "hooks are not asked about a call that cannot be made";
  run("Write", R"({"file_path":"a"})");
  EXPECT_EQ(noted("failure")["error_type"], Json::string("denied"));
  run("Bash", R"({"command":"ls"})");
  EXPECT_EQ(noted("failure")["error_type"], Json::string("refused"));
}

TEST_F(PipelineDetails, GeminiHasNoAfterToolForACallThatNeverRan) {
  for (const std::string dialect : {"gemini", "canonical"}) {
    SCOPED_TRACE(dialect);
    set({.hooks = {{"gemini", "BeforeTool", "grep -q forbidden && " + says(R"({"decision":"deny","reason":"no"})")},
                   {"gemini", "AfterTool", "cat > after"},
                   {"blade", "PostToolUseFailure", "cat > failure"}},
         .mode = Default,
         .rules = {.allow = {"Read"}, .deny = {"Write"}},
         .dialect = dialect});
    run("Bash", R"({"command":"forbidden"})", "1");
    run("Write", R"({"file_path":"a"})", "2");
    run("Bash", R"({"command":"ls"})", "3");
    run("Bash", R"({"comand":"ls"})", "4");
    EXPECT_EQ(written("after"), "");
    EXPECT_EQ(noted("failure")["error_type"], Json::string("invalid_input")) << "Blade has";
  }
}

TEST_F(PipelineDetails, ContextLooksAsInTheSessionsDialect) {
  const HookOf hook = {"gemini", "AfterTool", says(R"({"hookSpecificOutput":{"additionalContext":"a < b"}})")};
  set({.hooks = {hook}, .dialect = "gemini"});
  EXPECT_EQ(text_of(run("run_shell_command", R"({"command":"ls"})")),
            "ran ls\n\n<hook_context>a &lt; b</hook_context>");
  set({.hooks = {hook}, .dialect = "claude"});
  EXPECT_EQ(text_of(run("Bash", R"({"command":"ls"})")), "ran ls\n\n[Hook Context]\na &lt; b");
}

TEST_F(PipelineDetails, ATailCallTakesThePlaceOfTheCall) {
  const std::string tail = R"({"hookSpecificOutput":{"additionalContext":"moved",
      "tailToolCallRequest":{"name":"write_file","args":{"file_path":"b"}}}})";
  set({.hooks = {{"gemini", "AfterTool", "grep -q original_request_name || " + says(tail)},
                 {"gemini", "BeforeTool", "cat > seen"}}});
  const ToolOutcome outcome = run("Read", R"({"file_path":"a"})");
  EXPECT_EQ(text_of(outcome), "ran b\n\n[Hook Context]\nmoved") << "what hooks said about the first call is kept";
  EXPECT_EQ(outcome.part.name, "Read") << "the answer to what the model asked for";
  EXPECT_EQ(outcome.part.call_id, "call1");
  EXPECT_EQ(outcome.tool_name, "Write");
  EXPECT_EQ(outcome.input, json(R"({"file_path":"b"})"));
  EXPECT_EQ(noted("seen")["tool_name"], Json::string("write_file"));
  EXPECT_EQ(noted("seen")["original_request_name"], Json::string("Read"));
}

TEST_F(PipelineDetails, ATailCallNeedsPermissionLikeAnyOther) {
  struct Row {
    const char* note;
    const char* tail;
    ToolFailure failure;
    const char* text;
  };
  const Row rows[] = {
      {"a rule denies it", R"({"name":"write_file","args":{"file_path":"b"}})", ToolFailure::Denied,
       "Permission denied: the rule 'Write' denies it"},
      {"its own hooks see it", R"({"name":"replace","args":{"file_path":"a"}})", ToolFailure::Denied,
       "Tool execution blocked: no edits"},
      {"no such tool", R"({"name":"teleport","args":{}})", ToolFailure::Unknown,
       "There is no tool 'teleport'. Tools: Bash, Read, Write, Edit, Glob, deploy, broken"},
      {"no name", R"({"args":{}})", ToolFailure::Unknown,
       "There is no tool ''. Tools: Bash, Read, Write, Edit, Glob, deploy, broken"},
      {"no arguments", R"({"name":"read_file"})", ToolFailure::InvalidInput, "The input of 'Read' is not valid: "},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    const std::string answer = R"({"hookSpecificOutput":{"tailToolCallRequest":)" + std::string(row.tail) + "}}";
    set({.hooks = {{"gemini", "AfterTool", "grep -q original_request_name || " + says(answer)},
                   {"clawd", "PreToolUse",
                    "grep -q '\"Edit\"' && " +
                        says(R"({"permissionDecision":"deny","permissionDecisionReason":"no edits"})")}},
         .rules = {.deny = {"Write"}}});
    const ToolOutcome outcome = run("Read", R"({"file_path":"a"})");
    EXPECT_EQ(to_string(outcome.result.failure), to_string(row.failure));
    EXPECT_TRUE(text_of(outcome).starts_with(row.text)) << text_of(outcome);
    EXPECT_EQ(outcome.part.name, "Read");
  }
}

TEST_F(PipelineDetails, TailCallsEnd) {
  set({.hooks = {{"gemini", "AfterTool",
                  "n=$(ls | wc -l); touch f$n; printf "
                  "'{\"hookSpecificOutput\":{\"tailToolCallRequest\":{\"name\":\"read_file\",\"args\":{\"file_path\":"
                  "\"%s\"}}}}' $n"}}});
  EXPECT_EQ(text_of(run("Read", R"({"file_path":"a"})")), "ran 7");
  EXPECT_EQ(person_.all<ToolFinished>().size(), 1u + kMaxTailCalls);
  ASSERT_EQ(person_.all<Told>().size(), 1u);
  EXPECT_EQ(person_.all<Told>()[0].notice.text, "a hook asked for more than 8 tail calls in a row");
}

TEST_F(PipelineDetails, CanUseToolIsAskedFirst) {
  struct Row {
    const char* note;
    Verdict callback;
    const char* hook;  ///< of PermissionRequest
    Approval person;
    ToolFailure failure;
    const char* text;
    size_t questions;
  };
  const Row rows[] = {
      {"allow", Verdict::Allow, "deny", Approval::No, ToolFailure::None, "ran ls", 0},
      {"deny", Verdict::Deny, "approve", Approval::Once, ToolFailure::Denied, "Permission denied: says the host", 0},
      {"ask, and a hook approves", Verdict::Ask, "approve", Approval::No, ToolFailure::None, "ran ls", 0},
      {"ask, and a hook denies", Verdict::Ask, "deny", Approval::Once, ToolFailure::Denied,
       "Permission denied: says the hook", 0},
      {"ask, and a hook too", Verdict::Ask, "ask", Approval::Once, ToolFailure::None, "ran ls", 1},
      {"no answer", Verdict::Pass, "ask", Approval::Nobody, ToolFailure::Refused, "This call needs approval", 1},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    person_ = Person();
    person_.answer = row.person;
    std::vector<ToolUse> uses;
    set({.hooks = {{"clawd", "PermissionRequest",
                    says(R"({"reason":"says the hook","decision":")" + std::string(row.hook) + "\"}")}},
         .mode = Default,
         .dialect = "gemini",
         .can_use_tool = [&](const ToolUse& use, std::stop_token) {
           uses.push_back(use);
           return PermissionAnswer{row.callback, "says the host"};
         }});
    const ToolOutcome outcome = run("run_shell_command", R"({"command":"ls"})");
    EXPECT_EQ(to_string(outcome.result.failure), to_string(row.failure));
    EXPECT_TRUE(text_of(outcome).starts_with(row.text)) << text_of(outcome);
    EXPECT_EQ(person_.questions.size(), row.questions);
    ASSERT_EQ(uses.size(), 1u);
    EXPECT_EQ(uses[0].name, "run_shell_command");
    EXPECT_EQ(uses[0].use_id, "call1");
    EXPECT_EQ(uses[0].access, ToolAccess::Execute);
  }
}

TEST_F(PipelineDetails, CanUseToolIsAskedAboutEveryCallInEveryMode) {
  struct Row {
    const char* tool;
    const char* input;
    ToolAccess access;
  };
  const Row rows[] = {
      {"Read", R"({"file_path":"a"})", ToolAccess::ReadOnly},
      {"Write", R"({"file_path":"a"})", ToolAccess::Write},
      {"Bash", R"({"command":"ls"})", ToolAccess::Execute},
  };
  for (const ApprovalMode mode : {Default, ApprovalMode::AutoEdit, ApprovalMode::Plan, ApprovalMode::Yolo}) {
    for (const Row& row : rows) {
      SCOPED_TRACE(std::string(to_string(mode)) + " " + row.tool);
      std::vector<ToolUse> uses;
      set({.mode = mode,
           .rules = {.allow = {"Read", "Write", "Bash"}},
           .can_use_tool = [&](const ToolUse& use, std::stop_token) {
             uses.push_back(use);
             return PermissionAnswer{Verdict::Deny, "says the host"};
           }});
      EXPECT_EQ(text_of(run(row.tool, row.input)), "Permission denied: says the host");
      ASSERT_EQ(uses.size(), 1u);
      EXPECT_EQ(to_string(uses[0].access), to_string(row.access));
    }
  }
}

TEST_F(PipelineDetails, WhatTheAnswersOfCanUseToolMean) {
  struct Row {
    const char* note;
    Verdict callback;
    ApprovalMode mode;
    PermissionRules rules;
    const char* tool;
    const char* text;
    size_t questions;
  };
  constexpr auto kYolo = ApprovalMode::Yolo;
  const Row rows[] = {
      {"allow answers an ask rule", Verdict::Allow, Default, {.ask = {"Write"}}, "Write", "ran a", 0},
      {"allow does not overrule a deny rule",
       Verdict::Allow,
       kYolo,
       {.deny = {"Write"}},
       "Write",
       "Permission denied: the rule 'Write' denies it",
       0},
      {"nor plan mode", Verdict::Allow, ApprovalMode::Plan, {}, "Write", "Permission denied: plan mode", 0},
      {"ask asks about reading", Verdict::Ask, Default, {}, "Read", "The user refused this call", 1},
      {"ask asks in yolo mode", Verdict::Ask, kYolo, {}, "Write", "The user refused this call", 1},
      {"ask asks in spite of an allow rule",
       Verdict::Ask,
       Default,
       {.allow = {"Write"}},
       "Write",
       "The user refused this call",
       1},
      {"no opinion: as without a callback", Verdict::Pass, kYolo, {}, "Write", "ran a", 0},
      {"no opinion, and the mode asks", Verdict::Pass, Default, {}, "Write", "The user refused this call", 1},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.note);
    person_ = Person();
    person_.answer = Approval::No;
    set({.mode = row.mode, .rules = row.rules, .can_use_tool = [&](const ToolUse&, std::stop_token) {
           return PermissionAnswer{row.callback};
         }});
    const std::string text = text_of(run(row.tool, R"({"file_path":"a"})"));
    EXPECT_TRUE(text.starts_with(row.text)) << text;
    EXPECT_EQ(person_.questions.size(), row.questions);
  }
}

TEST_F(PipelineDetails, CanUseToolComesAfterPreToolUseAndBeforeAPerson) {
  int asked = 0;
  set({.hooks = {{"blade", "PreToolUse",
                  says(R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",
                         "permissionDecisionReason":"why"}})")}},
       .mode = Default,
       .can_use_tool = [&](const ToolUse&, std::stop_token) {
         ++asked;
         return PermissionAnswer{Verdict::Allow};
       }});
  person_.answer = Approval::Once;
  EXPECT_EQ(text_of(run("Read", R"({"file_path":"a"})")), "ran a");
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(person_.questions.size(), 1u) << "a hook that wants a person gets one";

  set({.hooks = {{"clawd", "PreToolUse", says(R"({"permissionDecision":"allow","updatedInput":{"command":"pwd"}})")}},
       .mode = Default,
       .can_use_tool = [&](const ToolUse& use, std::stop_token) {
         EXPECT_EQ(use.input, json(R"({"command":"pwd"})")) << "what will really run";
         return PermissionAnswer{Verdict::Allow};
       }});
  EXPECT_TRUE(text_of(run("Bash", R"({"command":"ls"})", "call2")).starts_with("ran pwd"));
}

TEST_F(PipelineDetails, APersonWhoSaidAlwaysIsNotAskedAgainByCanUseTool) {
  set({.mode = Default,
       .can_use_tool = [](const ToolUse&, std::stop_token) { return PermissionAnswer{Verdict::Ask}; }});
  person_.answer = Approval::Always;
  EXPECT_EQ(text_of(run("Read", R"({"file_path":"a"})", "1")), "ran a");
  EXPECT_EQ(text_of(run("Read", R"({"file_path":"a"})", "2")), "ran a");
  EXPECT_EQ(person_.questions.size(), 1u);
}

TEST_F(PipelineDetails, ACanUseToolThatThrowsGrantsNothing) {
  set({.mode = ApprovalMode::Yolo,
       .can_use_tool = [](const ToolUse&, std::stop_token) -> PermissionAnswer { throw std::runtime_error("oops"); }});
  EXPECT_EQ(run("Read", R"({"file_path":"a"})").result.failure, ToolFailure::Refused);
  ASSERT_EQ(person_.questions.size(), 1u);
  EXPECT_EQ(person_.questions[0].reason, "the permission callback threw: oops");
}

TEST_F(PipelineDetails, APersonSeesAQuestionAndHooksANotification) {
  dir_.put("project/a.txt", "one\ntwo\n");
  set({.hooks = {{"gemini", "Notification", "cat > gemini"},
                 {"blade", "Notification", "cat > blade"},
                 {"gemini", "BeforeTool",
                  "grep -q make && " + says(R"({"decision":"ask","reason":"why","systemMessage":"look out"})")}},
       .mode = Default});
  person_.answer = Approval::Once;
  run("Bash", R"({"command":"make"})");
  ASSERT_EQ(person_.questions.size(), 1u);
  EXPECT_EQ(person_.questions[0].tool, "Bash");
  EXPECT_EQ(person_.questions[0].title, "run: make");
  EXPECT_EQ(person_.questions[0].reason, "why");
  EXPECT_EQ(person_.questions[0].message, "look out");
  EXPECT_EQ(noted("gemini")["notification_type"], Json::string("ToolPermission"));
  EXPECT_EQ(noted("gemini")["message"], Json::string("Tool run: make requires execution"));
  EXPECT_EQ(noted("gemini")["details"],
            json(R"({"type":"exec","title":"run: make","command":"make","rootCommand":"make"})"));
  EXPECT_EQ(noted("blade")["notification_type"], Json::string("permission_prompt"));
  EXPECT_EQ(noted("blade")["title"], Json::string("run: make"));
  EXPECT_EQ(noted("blade")["message"], Json::string("Tool run: make requires execution"));

  run("Write", R"({"file_path":"a.txt","content":"one\n2\n"})", "call2");
  ASSERT_EQ(person_.questions.size(), 2u);
  EXPECT_EQ(person_.questions[1].title, "write: a.txt");
  const Json details = noted("gemini")["details"];
  EXPECT_EQ(details["type"], Json::string("edit"));
  EXPECT_EQ(details["fileName"], Json::string("a.txt"));
  EXPECT_EQ(details["originalContent"], Json::string("one\ntwo\n"));
  EXPECT_EQ(details["newContent"], Json::string("one\n2\n"));
  EXPECT_EQ(details["isModifying"], Json::boolean(true));
  EXPECT_EQ(details["fileDiff"], Json::string("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"));
}

TEST_F(PipelineDetails, ANotificationMayBeChangedOrKeptBackTheQuestionNot) {
  person_.answer = Approval::Once;
  set({.hooks = {{"gemini", "Notification", says(R"({"hookSpecificOutput":{"message":"psst"}})")}}, .mode = Default});
  run("Bash", R"({"command":"ls"})");
  ASSERT_EQ(person_.all<Told>().size(), 1u);
  EXPECT_EQ(person_.all<Told>()[0].notice.text, "psst");

  set({.mode = Default});
  ASSERT_TRUE(hooks_->engine().register_callback(
      {.name = "quiet", .events = {EventKind::Notification}, .call = [](const Event&, std::stop_token) {
         return Effects{.verdict = Verdict::Deny};
       }}));
  run("Bash", R"({"command":"ls"})", "call2");
  EXPECT_EQ(person_.all<Told>().size(), 1u) << "nothing more";
  EXPECT_EQ(person_.questions.size(), 2u);
}

TEST_F(PipelineDetails, AlwaysLastsForTheSessionAndThisSubject) {
  set({.mode = Default});
  person_.answer = Approval::Always;
  run("Bash", R"({"command":"ls"})", "1");
  run("Bash", R"({"command":"ls"})", "2");
  EXPECT_EQ(person_.questions.size(), 1u);
  run("Bash", R"({"command":"ls -a"})", "3");
  EXPECT_EQ(person_.questions.size(), 2u);
  run("Write", R"({"file_path":"src/../a"})", "4");
  run("Write", R"({"file_path":"a"})", "5");
  EXPECT_EQ(person_.questions.size(), 3u) << "the same file, spelled otherwise";
}

TEST_F(PipelineDetails, RulesSeeWhereAPathReallyLeads) {
  dir_.put("project/src/x", "");
  dir_.put("elsewhere/x", "");
  std::filesystem::create_symlink(dir_ / "elsewhere", dir_ / "project/src/link");
  set({.mode = Default, .rules = {.allow = {"Write(src/**)"}, .deny = {"Write(secret/**)"}}});
  EXPECT_EQ(text_of(run("Write", R"({"file_path":"src/x"})", "1")), "ran src/x");
  EXPECT_EQ(run("Write", R"({"file_path":"src/../b"})", "2").result.failure, ToolFailure::Refused);
  EXPECT_EQ(run("Write", R"({"file_path":"src/../secret/b"})", "3").result.failure, ToolFailure::Denied);
  EXPECT_EQ(run("Write", R"({"file_path":"src/link/x"})", "4").result.failure, ToolFailure::Refused);
}

TEST_F(PipelineDetails, AnInterruptEndsTheCallWhereverItIs) {
  set({.hooks = {{"blade", "PostToolUseFailure", "cat > failure"}}});
  ASSERT_TRUE(hooks_->engine().register_callback(
      {.name = "impatient", .events = {EventKind::PreToolUse}, .call = [this](const Event&, std::stop_token) {
         cancel_.request_stop();
         return Effects{};
       }}));
  const ToolOutcome outcome = run("Bash", R"({"command":"ls"})");
  EXPECT_EQ(outcome.result.failure, ToolFailure::Interrupted);
  EXPECT_TRUE(person_.all<ToolStarted>().empty());
  EXPECT_EQ(noted("failure")["is_interrupt"], Json::boolean(true));
}

TEST_F(PipelineDetails, AnInterruptDuringTheQuestionIsNoAnswer) {
  class Leaving final : public AgentUi {
   public:
    explicit Leaving(std::stop_source& source) : source_(source) {}
    Approval ask(const Question&, std::stop_token) override {
      source_.request_stop();
      return Approval::Always;
    }

   private:
    std::stop_source& source_;
  } leaving(cancel_);
  set({.mode = Default});
  const PipelineContext context{.tools = tools_,
                                .hooks = *hooks_,
                                .facts = facts_,
                                .permissions = *permissions_,
                                .can_use_tool = can_use_tool_,
                                .ui = leaving,
                                .tool_context = {.workspace = &*workspace_},
                                .cancel = cancel_.get_token()};
  const llm::ToolCallPart call{.id = "1", .name = "Bash", .input = json(R"({"command":"ls"})"), .signature = ""};
  EXPECT_EQ(run_tool_call(call, context).result.failure, ToolFailure::Interrupted);
  EXPECT_EQ(permissions_->judge({"Bash", ToolKind::Shell, "ls"}).verdict, Verdict::Ask) << "nothing was approved";
}

}  // namespace
}  // namespace grapnel::agent
