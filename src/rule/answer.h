#pragma once

#include <string>
#include <vector>

#include "call/tool_call.h"
#include "model/hook_spec.h"

/// rule: decides whether the condition of a hook holds, and what a rule answers if it does.
///
///   Condition ──▶ call::ToolCall (the event, worked out as far as needed) ──▶ Yes, No or Maybe, and what it was about
///
/// A condition is a tree of questions: about the tool, its commands, paths, input and so on. Questions about commands,
/// flags, effects and paths ask about *some* of them in a rule that denies, asks or acts, and about *every* one in a
/// rule that allows; `not` turns this round. So a deny rule finds one bad command among good ones, an allow rule fails
/// because of one command that is not known, and the same is true for `deny: not …` and `allow: not …`.
///
/// Order of calls for one event: `ask` for each hook, `is_enough` to decide whether it runs, and for rules `respond`
/// (respond.h), which may use rewrite.h. `describe_failure` explains to people why a hook did not run.
namespace grapnel::rule {

enum class Quantifier : uint8_t { Some, Every };

/// The quantifier for the condition of this hook: `Every` for rules that allow, `Some` for all other hooks.
Quantifier quantifier_of(const HookSpec& hook);

/// Whether the hook runs with this answer. `Maybe` is enough, except for a rule that allows.
bool is_enough(call::Certainty answer, Quantifier quantifier);

/// An answer, and what it was about, for reasons and rewrites. Points into the subject and the condition.
struct Match {
  call::Certainty answer = call::Certainty::No;
  call::File* file = nullptr;
  size_t name = 0;  ///< which of the file's names matched
  const shell::SimpleCommand* command = nullptr;
  const std::vector<std::string>* pattern = nullptr;  ///< the words of the question that the command matched
  const CommandQuestion* question = nullptr;
  /// Of a `Maybe`: the word of the text that makes it likely, or "" if the text does not show all that runs.
  std::string evidence = {};
  std::string reached = {};  ///< a file on the disk that a command reaches without naming it, as people call it
  std::string runs = {};     ///< the command that a text in the command line is, if a shell reads it once more
};

/// Whether the words, a flag and an effect of the question all apply to this one command. Sets `pattern` to the words
/// that matched.
call::Certainty ask_command(const CommandQuestion& question, const shell::SimpleCommand& command,
                            const std::vector<std::string>*& pattern);

Match answer(const Condition& condition, call::ToolCall& subject, Quantifier quantifier);

/// Whether a question about tools that read is also about tools that search. It is beside a path, in a rule that does
/// not allow.
bool counts_searches(const ToolQuestion& question);
/// Whether the parts of the condition have to hold together, and one of them is about files.
bool asks_for_path(const Condition& condition);

/// Whether the condition of the hook holds. A hook without a condition always runs.
Match ask(const HookSpec& hook, call::ToolCall& subject);

/// Why a condition does not hold, for people: `path "src/a.py" matches none of **/.env*`.
std::string describe_failure(const Condition& condition, call::ToolCall& subject, Quantifier quantifier);

/// Why it cannot be told whether the condition holds, for people: `` `python3 -c …` mentions `.env`, and what it does
/// with it is not known``. Only for a match with the answer `Maybe`.
std::string describe_doubt(const Match& match, call::ToolCall& subject);

/// Whether some question of the condition is about files touched in this turn.
bool asks_for_changes(const Condition& condition);

}  // namespace grapnel::rule
