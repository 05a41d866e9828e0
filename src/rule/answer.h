#pragma once

#include <string>
#include <vector>

#include "call/tool_call.h"
#include "model/hook_spec.h"

/// Questions of rules, answered.
///
///   Condition ──▶ call::ToolCall (the event, worked out as far as asked) ──▶ yes, no or may be, and what it was about
///
/// Questions about commands, flags, effects and paths are about *some* of them where a rule denies, asks or acts, and
/// about *every* one where it allows; `not` turns that round. So a deny finds one bad command among good ones, an allow
/// is lost by one that is not known, and the same holds for `deny: not …` and `allow: not …`.
namespace grapnel::rule {

enum class Quantifier : uint8_t { Some, Every };

/// Which one the hook's condition is asked with.
Quantifier quantifier_of(const HookSpec& hook);

/// Whether the answer makes the hook run: a may-be does, unless it would allow.
bool is_enough(call::Certainty answer, Quantifier quantifier);

/// An answer and what it was about, for reasons and rewrites. Points into the subject and the condition.
struct Match {
  call::Certainty answer = call::Certainty::No;
  call::File* file = nullptr;
  size_t name = 0;  ///< which of the file's names matched
  const shell::SimpleCommand* command = nullptr;
  const std::vector<std::string>* pattern = nullptr;  ///< of the command
  const CommandQuestion* question = nullptr;
};

/// Whether the words, a flag and an effect are all of this one command; `pattern` is what its words matched.
call::Certainty ask_command(const CommandQuestion& question, const shell::SimpleCommand& command,
                            const std::vector<std::string>*& pattern);

Match answer(const Condition& condition, call::ToolCall& subject, Quantifier quantifier);

/// Whether the hook's condition holds; one without a condition always does.
Match ask(const HookSpec& hook, call::ToolCall& subject);

/// Why a condition that did not hold did not: `path "src/a.py" matches none of **/.env*`.
std::string describe_failure(const Condition& condition, call::ToolCall& subject, Quantifier quantifier);

/// Whether some question of the condition is about files touched in this turn.
bool asks_for_changes(const Condition& condition);

}  // namespace grapnel::rule
