#include "agent/pipeline_fixture.h"

// What hooks of each agent, rules, modes and people do to a tool call, and what the model is told.

namespace grapnel::agent {
namespace {

using enum ApprovalMode;

struct Case {
  const char* note;
  std::vector<HookOf> hooks = {};
  ApprovalMode mode = Yolo;
  PermissionRules rules = {};
  Approval person = Approval::Nobody;
  std::string command = "ls";
  ToolFailure failure = ToolFailure::None;
  std::string text = "ran ls";          ///< what the model is told
  std::vector<std::string> asked = {};  ///< the reasons a person was asked with
  std::string stop = {};
  const char* differs = nullptr;  ///< what the agent itself would do
};

const std::string kNobody = "This call needs approval and there is nobody to ask";

std::string specific(const std::string& members) {
  return says(R"({"hookSpecificOutput":{)" + members + "}}");
}

const std::vector<Case> kBefore = {
    {.note = "no hook, everything allowed"},
    {.note = "no hook, nobody to ask",
     .mode = Default,
     .failure = ToolFailure::Refused,
     .text = kNobody + ".",
     .asked = {""}},
    {.note = "no hook, a person agrees", .mode = Default, .person = Approval::Once, .asked = {""}},
    {.note = "no hook, a person refuses",
     .mode = Default,
     .person = Approval::No,
     .failure = ToolFailure::Refused,
     .text = "The user refused this call.",
     .asked = {""}},

    {.note = "Gemini blocks",
     .hooks = {{"gemini", "BeforeTool", says(R"({"decision":"block","reason":"not here"})")}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: not here"},
    {.note = "Gemini blocks without a reason",
     .hooks = {{"gemini", "BeforeTool", says(R"({"decision":"deny"})")}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: No reason provided"},
    {.note = "Clawd denies",
     .hooks = {{"clawd", "PreToolUse", says(R"({"permissionDecision":"deny","permissionDecisionReason":"not here"})")}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: not here"},
    {.note = "Blade denies",
     .hooks = {{"blade", "PreToolUse",
                specific(R"("permissionDecision":"deny","permissionDecisionReason":"not here")")}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: not here"},
    {.note = "Claude blocks by its exit code",
     .hooks = {{"claude", "PreToolUse", "echo not here >&2; exit 2"}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: not here"},
    {.note = "Agent Hooks block by their exit code",
     .hooks = {{"agenthooks", "pre-tool-call", "echo not here >&2; exit 2"}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: not here"},
    {.note = "one allows, another denies",
     .hooks = {{"claude", "PreToolUse", specific(R"("permissionDecision":"allow")")},
               {"gemini", "BeforeTool", says(R"({"decision":"deny","reason":"not here"})")}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: not here"},
    {.note = "a hook that crashes lets the call pass", .hooks = {{"clawd", "PreToolUse", "exit 1"}}},

    {.note = "Gemini stops the agent",
     .hooks = {{"gemini", "BeforeTool", says(R"({"continue":false,"stopReason":"enough"})")}},
     .failure = ToolFailure::Stopped,
     .text = "Agent execution stopped by hook: enough",
     .stop = "enough"},
    {.note = "stop is more than block",
     .hooks = {{"gemini", "BeforeTool", says(R"({"continue":false,"decision":"block","reason":"enough"})")}},
     .failure = ToolFailure::Stopped,
     .text = "Agent execution stopped by hook: enough",
     .stop = "enough"},
    {.note = "Claude stops the agent, and its own words stand in for a reason",
     .hooks = {{"claude", "PreToolUse", says(R"({"continue":false})")}},
     .failure = ToolFailure::Stopped,
     .text = "Agent execution stopped by hook: Blocked by hook",
     .stop = "Blocked by hook"},

    {.note = "Gemini asks although everything is allowed, and a person agrees",
     .hooks = {{"gemini", "BeforeTool", says(R"({"decision":"ask","reason":"sure?"})")}},
     .person = Approval::Once,
     .asked = {"sure?"}},
    {.note = "a hook asks, and nobody is there",
     .hooks = {{"blade", "PreToolUse", specific(R"("permissionDecision":"ask","permissionDecisionReason":"sure?")")}},
     .failure = ToolFailure::Refused,
     .text = kNobody + " (sure?).",
     .asked = {"sure?"},
     .differs = "Blade's SDK takes an ask for an approval when nobody handles it"},
    {.note = "a hook asks, and a person refuses",
     .hooks = {{"clawd", "PreToolUse", says(R"({"permissionDecision":"ask","permissionDecisionReason":"sure?"})")}},
     .person = Approval::No,
     .failure = ToolFailure::Refused,
     .text = "The user refused this call (sure?).",
     .asked = {"sure?"}},
    {.note = "a hook asks what a rule denies",
     .hooks = {{"gemini", "BeforeTool", says(R"({"decision":"ask"})")}},
     .rules = {.deny = {"Bash"}},
     .person = Approval::Once,
     .failure = ToolFailure::Denied,
     .text = "Permission denied: the rule 'Bash' denies it",
     .differs = "Gemini asks even then"},
    {.note = "a hook asks what a rule allows",
     .hooks = {{"clawd", "PreToolUse", says(R"({"permissionDecision":"ask","permissionDecisionReason":"sure?"})")}},
     .rules = {.allow = {"Bash"}},
     .person = Approval::Once,
     .asked = {"sure?"}},

    {.note = "Claude's allow spares the question",
     .hooks = {{"claude", "PreToolUse", specific(R"("permissionDecision":"allow")")}},
     .mode = Default},
    {.note = "Gemini's allow is no objection, nothing more",
     .hooks = {{"gemini", "BeforeTool", says(R"({"decision":"allow"})")}},
     .mode = Default,
     .failure = ToolFailure::Refused,
     .text = kNobody + ".",
     .asked = {""}},
    {.note = "an allow does not outdo a rule that denies",
     .hooks = {{"claude", "PreToolUse", specific(R"("permissionDecision":"allow")")}},
     .rules = {.deny = {"Bash(ls)"}},
     .failure = ToolFailure::Denied,
     .text = "Permission denied: the rule 'Bash(ls)' denies it"},
    {.note = "nor a rule that asks",
     .hooks = {{"claude", "PreToolUse", specific(R"("permissionDecision":"allow")")}},
     .rules = {.ask = {"Bash(ls)"}},
     .person = Approval::Once,
     .asked = {"the rule 'Bash(ls)' requires approval"}},
    {.note = "nor the plan",
     .hooks = {{"claude", "PreToolUse", specific(R"("permissionDecision":"allow")")}},
     .mode = Plan,
     .failure = ToolFailure::Denied,
     .text = "Permission denied: plan mode only runs read-only tools"},

    {.note = "Gemini replaces the input",
     .hooks = {{"gemini", "BeforeTool", specific(R"("tool_input":{"command":"pwd"})")}},
     .text = "ran pwd\n\n[Hook Note]\nA hook changed the input of this call before it ran: command"},
    {.note = "Clawd adds to the input",
     .hooks = {{"clawd", "PreToolUse", says(R"({"updatedInput":{"timeout":5}})")}},
     .text = "ran ls\n\n[Hook Note]\nA hook changed the input of this call before it ran: timeout"},
    {.note = "a change that changes nothing",
     .hooks = {{"clawd", "PreToolUse", says(R"({"updatedInput":{"command":"ls"}})")}}},
    {.note = "a change that is not valid",
     .hooks = {{"gemini", "BeforeTool", specific(R"("tool_input":{"comand":"pwd"})")}},
     .failure = ToolFailure::InvalidInput,
     .text = "The input of 'Bash' (as a hook changed it) is not valid: "},
    {.note = "rules see the input as changed, and deny it",
     .hooks = {{"blade", "PreToolUse", specific(R"("permissionDecision":"allow","updatedInput":{"command":"rm x"})")}},
     .rules = {.deny = {"Bash(rm *)"}},
     .failure = ToolFailure::Denied,
     .text = "Permission denied: the rule 'Bash(rm *)' denies it"},
    {.note = "rules see the input as changed, and allow it",
     .hooks = {{"gemini", "BeforeTool", specific(R"("tool_input":{"command":"pwd"})")}},
     .mode = Default,
     .rules = {.allow = {"Bash(pwd)"}},
     .text = "ran pwd\n\n[Hook Note]\nA hook changed the input of this call before it ran: command"},
    {.note = "a change and an ask",
     .hooks =
         {{"clawd", "PreToolUse",
           says(
               R"({"permissionDecision":"ask","permissionDecisionReason":"sure?","updatedInput":{"command":"pwd"}})")}},
     .person = Approval::Once,
     .text = "ran pwd\n\n[Hook Note]\nA hook changed the input of this call before it ran: command",
     .asked = {"sure?"},
     .differs = "Clawd drops the change when it asks"},

    {.note = "context from before the call",
     .hooks = {{"claude", "PreToolUse", specific(R"("additionalContext":"mind the gap")")}},
     .text = "ran ls\n\n[Hook Context]\nmind the gap"},
    {.note = "context of a call that is denied",
     .hooks = {{"claude", "PreToolUse",
                specific(
                    R"("permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"use make")")}},
     .failure = ToolFailure::Denied,
     .text = "Tool execution blocked: no\n\n[Hook Context]\nuse make"},
};

const std::vector<Case> kPermission = {
    {.note = "Blade approves",
     .hooks = {{"blade", "PermissionRequest", specific(R"("permissionDecision":"approve")")}},
     .mode = Default},
    {.note = "Clawd denies",
     .hooks = {{"clawd", "PermissionRequest", says(R"({"decision":"deny","reason":"not now"})")}},
     .mode = Default,
     .person = Approval::Once,
     .failure = ToolFailure::Denied,
     .text = "Permission denied: not now"},
    {.note = "Blade leaves it to the person",
     .hooks = {{"blade", "PermissionRequest",
                specific(R"("permissionDecision":"ask","permissionDecisionReason":"you say")")}},
     .mode = Default,
     .person = Approval::Once,
     .asked = {"you say"}},
    {.note = "nobody is asked for what the mode allows",
     .hooks = {{"clawd", "PermissionRequest", says(R"({"decision":"deny","reason":"not now"})")}}},
    {.note = "an approval answers a rule that asks",
     .hooks = {{"blade", "PermissionRequest", specific(R"("permissionDecision":"approve")")}},
     .rules = {.ask = {"Bash"}}},
    {.note = "an approval does not answer a hook that asks",
     .hooks = {{"clawd", "PreToolUse", says(R"({"permissionDecision":"ask","permissionDecisionReason":"sure?"})")},
               {"blade", "PermissionRequest", specific(R"("permissionDecision":"approve")")}},
     .person = Approval::Once,
     .asked = {"sure?"}},
    {.note = "a refusal does",
     .hooks = {{"clawd", "PreToolUse", says(R"({"permissionDecision":"ask","permissionDecisionReason":"sure?"})")},
               {"clawd", "PermissionRequest", says(R"({"decision":"deny","reason":"not now"})")}},
     .person = Approval::Once,
     .failure = ToolFailure::Denied,
     .text = "Permission denied: not now"},
    {.note = "Claude approves another input",
     .hooks = {{"claude", "PermissionRequest",
                specific(R"("decision":{"behavior":"allow","updatedInput":{"command":"pwd"}})")}},
     .mode = Default,
     .text = "ran pwd\n\n[Hook Note]\nA hook changed the input of this call before it ran: command"},
    {.note = "two hooks change the input at two moments",
     .hooks = {{"clawd", "PreToolUse", says(R"({"updatedInput":{"timeout":5}})")},
               {"claude", "PermissionRequest",
                specific(R"("decision":{"behavior":"allow","updatedInput":{"command":"pwd","timeout":5}})")}},
     .mode = Default,
     .text = "ran pwd\n\n[Hook Note]\nA hook changed the input of this call before it ran: timeout, command"},
    {.note = "but not one that a rule denies",
     .hooks = {{"claude", "PermissionRequest",
                specific(R"("decision":{"behavior":"allow","updatedInput":{"command":"rm x"}})")}},
     .mode = Default,
     .rules = {.deny = {"Bash(rm *)"}},
     .failure = ToolFailure::Denied,
     .text = "Permission denied: the rule 'Bash(rm *)' denies it"},
    {.note = "Claude interrupts",
     .hooks = {{"claude", "PermissionRequest",
                specific(R"("decision":{"behavior":"deny","message":"enough","interrupt":true})")}},
     .mode = Default,
     .failure = ToolFailure::Stopped,
     .text = "Agent execution stopped by hook: enough",
     .stop = "enough"},
};

const std::vector<Case> kAfter = {
    {.note = "Clawd's text is context",
     .hooks = {{"clawd", "PostToolUse", "echo formatted"}},
     .text = "ran ls\n\n[Hook Context]\nformatted"},
    {.note = "Gemini adds context, made harmless",
     .hooks = {{"gemini", "AfterTool", specific(R"("additionalContext":"<b>")")}},
     .text = "ran ls\n\n[Hook Context]\n&lt;b&gt;"},
    {.note = "context from before and after",
     .hooks = {{"claude", "PreToolUse", specific(R"("additionalContext":"before")")},
               {"blade", "PostToolUse", specific(R"("additionalContext":"after")")}},
     .text = "ran ls\n\n[Hook Context]\nbefore\n\nafter"},
    {.note = "Blade replaces the output",
     .hooks = {{"blade", "PostToolUse", specific(R"("updatedOutput":"nothing to see")")}},
     .text = "nothing to see"},
    {.note = "an output that is no text",
     .hooks = {{"blade", "PostToolUse", specific(R"("updatedOutput":{"files":2})")}},
     .text = R"({"files":2})",
     .differs = "Clawd writes a useless placeholder for objects"},
    {.note = "an output as it was shown, with another text",
     .hooks = {{"claude", "PostToolUse", specific(R"("updatedToolOutput":{"success":true,"llmContent":"less"})")}},
     .text = "less"},
    {.note = "context stays when the output is replaced",
     .hooks = {{"clawd", "PostToolUse",
                says(R"({"updatedOutput":"nothing to see","additionalContext":"look there"})")}},
     .text = "nothing to see\n\n[Hook Context]\nlook there",
     .differs = "Clawd loses the context"},
    {.note = "Claude's block is feedback",
     .hooks = {{"claude", "PostToolUse", says(R"({"decision":"block","reason":"lint failed"})")}},
     .text = "ran ls\n\n[Hook Feedback]\nlint failed"},
    {.note = "Agent Hooks' block is feedback",
     .hooks = {{"agenthooks", "post-tool-call", "echo lint failed >&2; exit 2"}},
     .text = "ran ls\n\n[Hook Feedback]\nlint failed"},
    {.note = "Gemini's block hides the output: the model reads the reason alone",
     .hooks = {{"gemini", "AfterTool", says(R"({"decision":"deny","reason":"lint failed"})")}},
     .text = "lint failed"},
    {.note = "Gemini stops the agent when the tool has run",
     .hooks = {{"gemini", "AfterTool", says(R"({"continue":false,"stopReason":"enough"})")}},
     .stop = "enough",
     .differs = "Gemini takes the result for an error; what the tool did stays known here"},
    {.note = "a stopped agent makes no tail call",
     .hooks =
         {{"gemini", "AfterTool",
           says(
               R"({"continue":false,"stopReason":"enough","hookSpecificOutput":{"tailToolCallRequest":{"name":"read_file","args":{"file_path":"x"}}}})")}},
     .stop = "enough"},
    {.note = "failures have hooks of their own",
     .hooks = {{"blade", "PostToolUse", specific(R"("updatedOutput":"fine")")},
               {"claude", "PostToolUseFailure", specific(R"("additionalContext":"try make")")}},
     .rules = {.deny = {"Bash"}},
     .failure = ToolFailure::Denied,
     .text = "Permission denied: the rule 'Bash' denies it\n\n[Hook Context]\ntry make"},
};

class Pipeline : public PipelineTest {
 protected:
  void check(const Case& c) {
    SCOPED_TRACE(c.note);
    person_ = Person();
    person_.answer = c.person;
    std::filesystem::remove_all(dir_ / "home/.config");
    set({.hooks = c.hooks, .mode = c.mode, .rules = c.rules});
    const ToolOutcome outcome = run("Bash", Json::object({{"command", Json::string(c.command)}}).dump());
    EXPECT_EQ(to_string(outcome.result.failure), to_string(c.failure));
    const bool is_beginning = c.failure == ToolFailure::InvalidInput;
    EXPECT_EQ(is_beginning ? text_of(outcome).substr(0, c.text.size()) : text_of(outcome), c.text);
    EXPECT_EQ(outcome.part.is_error, c.failure != ToolFailure::None);
    EXPECT_EQ(outcome.stop.value_or(""), c.stop);
    EXPECT_EQ(outcome.part.call_id, "call1");
    EXPECT_EQ(outcome.part.name, "Bash");
    std::vector<std::string> asked;
    for (const Question& question : person_.questions) asked.push_back(question.reason);
    EXPECT_EQ(asked, c.asked);
    EXPECT_EQ(person_.all<ToolStarted>().size(), c.failure == ToolFailure::None ? 1u : 0u);
    EXPECT_EQ(person_.all<ToolFinished>().size(), 1u);
  }
};

TEST_F(Pipeline, BeforeTheCall) {
  for (const Case& c : kBefore) check(c);
}

TEST_F(Pipeline, WhenPermissionIsNeeded) {
  for (const Case& c : kPermission) check(c);
}

TEST_F(Pipeline, AfterTheCall) {
  for (const Case& c : kAfter) check(c);
}

}  // namespace
}  // namespace grapnel::agent
