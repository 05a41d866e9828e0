#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/error.h"
#include "grapnel/tool.h"

#include "base/boxed.h"
#include "match/matcher.h"

/// What a rule of `grapnel.yaml` asks of an event, and what it answers.
///
/// A condition is a tree of questions. An answer is yes, no or may be: what only the running shell knows is never a
/// sure yes. A deny, an ask and an action take "may be" for a yes; an allow does not. A question about commands, flags,
/// effects or paths is about *some* command of the text where the rule denies, and about *every* one where it allows;
/// `not` turns that round.
namespace grapnel {

/// What a command does, as `effect` names it.
enum class CommandEffect : uint8_t { Readonly, Writes, Network, Destructive };
/// `readonly`.
std::string_view to_string(CommandEffect effect);

/// The tool is of one of these kinds, or has one of these names in any agent.
struct ToolQuestion {
  std::vector<ToolKind> kinds;
  std::vector<Matcher> names;
};

/// One simple command has one of the leading words, one of the flags and one of the effects; what is empty is not
/// asked.
struct CommandQuestion {
  std::vector<std::vector<std::string>> words;
  std::vector<std::string> flags;
  std::vector<CommandEffect> effects;
};

/// A file the call names, reads or writes: argument, redirection, patch. Asked about the name and about what it leads
/// to.
struct PathQuestion {
  std::vector<Matcher> patterns;
};

/// A text of the event.
struct TextQuestion {
  enum class Of : uint8_t { Prompt, Output, Session, Agent, Mode };
  Of of = Of::Prompt;
  std::vector<Matcher> patterns;
};

/// A value inside the tool's input.
struct InputQuestion {
  std::string pointer;  ///< a JSON pointer
  std::vector<Matcher> patterns;
};

/// A file that was touched in this turn.
struct ChangedQuestion {
  std::vector<Matcher> patterns;
};

using Question =
    std::variant<ToolQuestion, CommandQuestion, PathQuestion, TextQuestion, InputQuestion, ChangedQuestion>;

/// A tree of questions. `All` of nothing holds.
struct Condition {
  enum class Op : uint8_t { All, Any, Not, Ask };
  Op op = Op::All;
  std::vector<Condition> parts;  ///< of All, Any; the one of Not
  Question question;             ///< of Ask
  SourcePos at;

  /// One line for people, in the words of rule files: `tool shell, command git push, flag -f or --force`.
  std::string describe() const;
};

/// Changes to the call or to what came of it.
struct RuleRewrite {
  /// A JSON pointer into the input and the new text, in which `{1}`, `{2}`… stand for what `*` of the matching command
  /// pattern took, `{path}` for the matching path, and `{name}` for a field of the input.
  std::vector<std::pair<std::string, std::string>> input;
  std::vector<std::string> command;  ///< the matching command's leading words become these; others stay
  std::optional<size_t> max_lines;   ///< of the output; the middle is cut
  std::vector<Matcher> drop_lines;   ///< lines of the output that match are left out
  std::vector<std::pair<std::string, std::string>> mask;  ///< regexes in the output and what takes their place

  bool empty() const { return input.empty() && command.empty() && !max_lines && drop_lines.empty() && mask.empty(); }
};

/// Context for the model.
struct Inject {
  enum class How : uint8_t { Always, OncePerSession, OncePerCompaction };
  std::string text;
  std::string file;  ///< when set its content is injected; relative to the project
  How how = How::Always;
  size_t budget = 0;  ///< bytes; 0: the engine's limit
};

/// What a rule answers by itself, in process, when its condition holds.
struct RuleHandler {
  Verdict verdict = Verdict::Pass;
  std::string reason;
  RuleRewrite rewrite;
  Boxed<Inject> inject;
  std::string notify;

  /// One line for people: `deny: Secrets stay out of the conversation.`
  std::string describe() const;
};

}  // namespace grapnel
