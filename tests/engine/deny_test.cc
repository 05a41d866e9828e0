#include "engine/fixture.h"

// How hooks in the wild say no before a tool runs: each of these must stop the call.

namespace grapnel::testing {
namespace {

struct Spelling {
  const char* note;
  const char* dialect;
  const char* command;
};

constexpr Spelling kSpellings[] = {
    {"documented", "claude",
     R"(echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}')"},
    {"without the event's name", "claude", R"(echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}')"},
    {"the older form", "claude", R"(echo '{"decision":"block","reason":"r"}')"},
    {"the older form with the newer word", "claude", R"(echo '{"decision":"deny","reason":"r"}')"},
    {"the newer form with the older word", "claude", R"(echo '{"hookSpecificOutput":{"permissionDecision":"block"}}')"},
    {"without the wrapper", "claude", R"(echo '{"permissionDecision":"deny","permissionDecisionReason":"r"}')"},
    {"the older form inside the wrapper", "claude",
     R"(echo '{"hookSpecificOutput":{"decision":"block","reason":"r"}}')"},
    {"a permission request's form", "claude",
     R"(echo '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"r"}}}')"},
    {"a behaviour at the top", "claude", R"(echo '{"decision":{"behavior":"block"}}')"},
    {"as a callback answers", "claude", R"(echo '{"behavior":"deny","message":"r"}')"},
    {"another agent's field", "claude", R"(echo '{"permission":"deny"}')"},
    {"as a model answers", "claude", R"(echo '{"ok":false,"reason":"r"}')"},
    {"a plain flag", "claude", R"(echo '{"block":true}')"},
    {"an exit code alone", "claude", "exit 2"},
    {"an exit code and a reason", "claude", "echo r >&2; exit 2"},
    {"an exit code and text", "claude", "echo r; exit 2"},
    {"an exit code and an empty answer", "claude", "echo '{}'; exit 2"},
    {"an exit code and an approval", "claude", R"(echo '{"decision":"approve"}'; exit 2)"},
    {"an exit code and half an answer", "claude", R"(printf '{"decision":'; exit 2)"},
    {"an exit code and JSON on stderr", "claude", R"(echo '{"decision":"block","reason":"r"}' >&2; exit 2)"},
    {"an answer and exit 1", "claude", R"(echo '{"decision":"block"}'; exit 1)"},
    {"an answer and exit 127", "claude", R"(echo '{"decision":"block"}'; exit 127)"},
    {"behind a greeting", "claude", R"(echo 'nvm: using node 22'; echo '{"decision":"block"}')"},
    {"behind another answer", "claude", R"(echo '{}'; echo '{"decision":"block"}')"},
    {"before another answer", "claude", R"(echo '{"decision":"block"}'; echo '{"suppressOutput":true}')"},
    {"behind a byte order mark", "claude", R"(printf '\357\273\277{"decision":"block"}')"},
    {"with carriage returns", "claude", R"(printf '{\r\n"decision": "block"\r\n}\r\n')"},
    {"over several lines", "claude", R"(printf '{\n  "decision": "block"\n}\n')"},
    {"as a string of JSON", "claude", R"(echo '"{\"decision\":\"block\"}"')"},
    {"documented", "codex",
     R"(echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}')"},
    {"without a reason", "codex",
     R"(echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}')"},
    {"the older form", "codex", R"(echo '{"decision":"block","reason":"r"}')"},
    {"an exit code and a reason", "codex", "echo r >&2; exit 2"},
    {"an exit code alone", "codex", "exit 2"},
    {"documented", "qwen", R"(echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}')"},
    {"an exit code", "qwen", "echo r >&2; exit 2"},
    {"documented", "blade",
     R"(echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}')"},
    {"a decision", "blade", R"(echo '{"decision":"block","reason":"r"}')"},
    {"a behaviour", "blade", R"(echo '{"decision":{"behavior":"block"},"systemMessage":"r"}')"},
    {"an exit code", "blade", "exit 2"},
    {"without the wrapper", "clawd", R"(echo '{"permissionDecision":"deny"}')"},
    {"with the wrapper", "clawd", R"(echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}')"},
    {"an exit code", "clawd", "echo r >&2; exit 2"},
    {"deny", "gemini", R"(echo '{"decision":"deny","reason":"r"}')"},
    {"block", "gemini", R"(echo '{"decision":"block","reason":"r"}')"},
    {"an exit code", "gemini", "echo r >&2; exit 2"},
    {"an answer and a higher exit code", "gemini", R"(echo '{"decision":"block"}'; exit 3)"},
    {"JSON on stderr", "gemini", R"(echo '{"decision":"block"}' >&2; exit 2)"},
    {"deny", "agenthooks", R"(echo '{"decision": "deny", "reason": "r"}')"},
    {"an exit code and a reason", "agenthooks", "echo r >&2; exit 2"},
    {"an exit code alone", "agenthooks", "exit 2"},
    {"an exit code and an approval", "agenthooks", R"(echo '{"decision": "allow"}'; exit 2)"},
    // Words that no agent documents, but that can mean nothing else.
    {"another word", "claude", R"(echo '{"hookSpecificOutput":{"permissionDecision":"refuse"}}')"},
    {"another case", "claude", R"(echo '{"hookSpecificOutput":{"permissionDecision":"DENY"}}')"},
    {"another word in the older form", "claude", R"(echo '{"decision":"denied"}')"},
    {"another word without the wrapper", "claude", R"(echo '{"permissionDecision":"denied"}')"},
    {"another behaviour at the top", "claude", R"(echo '{"behavior":"reject"}')"},
    {"a flag as a text", "claude", R"(echo '{"ok":"no"}')"},
    {"another behaviour", "blade", R"(echo '{"decision":{"behavior":"refuse"}}')"},
    {"another word", "gemini", R"(echo '{"decision":"refuse"}')"},
};
static_assert(std::size(kSpellings) >= 40);

/// What nobody understands: the hook has failed, and its failure policy decides.
constexpr Spelling kUnknown[] = {
    {"another word", "claude", R"(echo '{"hookSpecificOutput":{"permissionDecision":"hinder"}}')"},
    {"no word at all", "claude", R"(echo '{"hookSpecificOutput":{"permissionDecision":false}}')"},
    {"another word in another agent's field", "claude", R"(echo '{"permission":"never"}')"},
    {"another behaviour", "claude", R"(echo '{"decision":{"behavior":"stop"}}')"},
    {"a flag that is none", "claude", R"(echo '{"ok":"never"}')"},
    {"another word", "codex", R"(echo '{"hookSpecificOutput":{"permissionDecision":"hinder"}}')"},
    {"another word", "qwen", R"(echo '{"hookSpecificOutput":{"permissionDecision":"hinder"}}')"},
    {"another word", "blade", R"(echo '{"hookSpecificOutput":{"permissionDecision":"hinder"}}')"},
    {"another behaviour", "blade", R"(echo '{"decision":{"behavior":"hinder"}}')"},
    {"another word", "clawd", R"(echo '{"permissionDecision":"hinder"}')"},
    {"another word", "gemini", R"(echo '{"decision":"hinder"}')"},
    {"another word", "agenthooks", R"(echo '{"decision": "invalid"}')"},
};

Json settings_of(const Spelling& spelling) {
  const std::string event = std::string_view(spelling.dialect) == "gemini" ? "BeforeTool" : "PreToolUse";
  const Json hook = Json::object({{"type", Json::string("command")}, {"command", Json::string(spelling.command)}});
  return Json::object(
      {{"hooks", Json::object({{event, Json::array({Json::object({{"hooks", Json::array({hook})}})})}})}});
}

class Deny : public EngineTest {
 protected:
  /// The decision when the hook is the only one.
  Decision decide(const Spelling& spelling) {
    EngineOptions with = options();
    if (std::string_view(spelling.dialect) == "agenthooks") {
      const std::string hook = "home/.config/agents/hooks/h/";
      dir_.put(hook + "HOOK.md", "---\nname: h\ndescription: d\ntrigger: pre-tool-call\n---\n");
      dir_.put(hook + "scripts/run.sh", std::string("#!/bin/sh\n") + spelling.command + "\n", 0755);
    } else {
      with.discovery.use_hook_files = false;
      with.configs.push_back({spelling.dialect, "", settings_of(spelling)});
    }
    return Engine::create(with)->fire(pre_tool("Bash", R"({"command":"ls"})"));
  }
};

TEST_F(Deny, EverySpellingDenies) {
  for (const Spelling& spelling : kSpellings) {
    SCOPED_TRACE(std::string(spelling.dialect) + ": " + spelling.note);
    const Decision decision = decide(spelling);
    EXPECT_EQ(decision.verdict(), Verdict::Deny);
    EXPECT_EQ(decision.origin, Origin::Hook);
    EXPECT_FALSE(decision.reason().empty());
  }
}

TEST_F(Deny, AnUnknownVerdictIsAFailureAndNeverSilence) {
  for (const Spelling& spelling : kUnknown) {
    SCOPED_TRACE(std::string(spelling.dialect) + ": " + spelling.note);
    const Decision decision = decide(spelling);
    ASSERT_EQ(decision.hooks.size(), 1u);
    EXPECT_EQ(decision.hooks[0].kind, HookFate::Kind::Failed);
    EXPECT_EQ(decision.origin, Origin::FailOpen);
    EXPECT_FALSE(decision.effects.messages.empty()) << "people are told";
  }
}

}  // namespace
}  // namespace grapnel::testing
