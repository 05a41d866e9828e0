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

/// Rules of `grapnel.yaml`: the questions that a rule asks about an event, and its answer.
///
/// A condition is a tree of questions. A question is answered with yes, no or maybe. Maybe means that only the running
/// shell can know, for example in `rm $FILES`. A rule that denies or asks then does what its `unsure` says, a rule that
/// acts acts, and a rule that allows does not.
///
/// A command line may contain several commands. A rule that denies wants to know whether *some* command of it matches,
/// and a rule that allows whether *every* command does; this applies to questions about commands, flags, effects and
/// paths. `not` swaps the two.
namespace grapnel {

/// What a command does; the words of `effect` in rules.
enum class CommandEffect : uint8_t { Readonly, Writes, Network, Destructive };
/// `readonly`, `writes`, `network`, `destructive`.
std::string_view to_string(CommandEffect effect);

/// Is the tool of one of these kinds, or does it have one of these names in any agent?
struct ToolQuestion {
  std::vector<ToolKind> kinds;
  std::vector<Matcher> names;
};

/// Does one simple command begin with one of these lists of words, with one of the flags and one of the effects? Empty
/// lists are not asked about.
struct CommandQuestion {
  std::vector<std::vector<std::string>> words;
  std::vector<std::string> flags;
  std::vector<CommandEffect> effects;
};

/// Does the call name, read or write such a file, in an argument, a redirection or a patch? The patterns are compared
/// with the name and with the file that it leads to.
struct PathQuestion {
  std::vector<Matcher> patterns;
  std::vector<CommandEffect> effects = {};  ///< what the call does to that file, if the rule says so in the same map
};

/// Does a text of the event match?
struct TextQuestion {
  enum class Of : uint8_t { Prompt, Output, Session, Agent, Mode };
  Of of = Of::Prompt;
  std::vector<Matcher> patterns;
};

/// Does a value inside of the tool's input match?
struct InputQuestion {
  std::string pointer;  ///< a JSON pointer
  std::vector<Matcher> patterns;
};

/// Was such a file written in this turn?
struct ChangedQuestion {
  std::vector<Matcher> patterns;
};

using Question =
    std::variant<ToolQuestion, CommandQuestion, PathQuestion, TextQuestion, InputQuestion, ChangedQuestion>;

/// A tree of questions. `All` without parts is true.
struct Condition {
  enum class Op : uint8_t { All, Any, Not, Ask };
  Op op = Op::All;
  std::vector<Condition> parts;  ///< of All and Any; exactly one for Not
  Question question;             ///< of Ask
  SourcePos at;

  /// One line for people, in the words of rule files: `tool shell, command git push, flag -f or --force`.
  std::string describe() const;
};

/// Changes to the tool call or to its output.
struct RuleRewrite {
  /// A JSON pointer into the input, and the new text. In the text, `{1}`, `{2}`… stand for the parts that the `*` of
  /// the matching command pattern matched, `{path}` for the matching path, and `{name}` for a field of the input.
  std::vector<std::pair<std::string, std::string>> input;
  std::vector<std::string> command;  ///< replace the leading words of the matching command; the others stay
  std::optional<size_t> max_lines;   ///< of the output; the middle is cut out
  std::vector<Matcher> drop_lines;   ///< lines of the output to leave out
  std::vector<std::pair<std::string, std::string>> mask;  ///< regexes in the output, and their replacements

  bool empty() const { return input.empty() && command.empty() && !max_lines && drop_lines.empty() && mask.empty(); }
};

/// Context for the model.
struct Inject {
  enum class How : uint8_t { Always, OncePerSession, OncePerCompaction };
  std::string text;
  std::string file;  ///< if set, the content of this file is injected; relative to the project
  How how = How::Always;
  size_t budget = 0;  ///< bytes; 0: the engine's limit
};

/// The answer of a rule. Rules run in the engine, without a process.
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
