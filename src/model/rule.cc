#include "model/rule.h"

#include <array>

#include "base/text.h"

namespace grapnel {

// Describes rules in the words of rule files. `grapnel list` and `grapnel explain` show these texts, so that people can
// compare them with what they wrote.

namespace {

constexpr size_t kMaxText = 120;

std::string one_of(const std::vector<std::string>& words) {
  return text::join(words, " or ");
}

/// The pattern as its file spells it: regexes between slashes.
std::string pattern_text(const Matcher& matcher) {
  const std::string pattern(matcher.pattern());
  return matcher.syntax() == MatchSyntax::StrictRegex ? "/" + pattern + "/" : pattern;
}

std::string one_of(const std::vector<Matcher>& patterns) {
  std::vector<std::string> words;
  for (const Matcher& matcher : patterns) words.push_back(pattern_text(matcher));
  return one_of(words);
}

std::string_view word_of(TextQuestion::Of of) {
  constexpr auto kWords = std::to_array<std::string_view>({"prompt", "output", "session", "agent", "mode"});
  return kWords[static_cast<size_t>(of)];
}

/// One function for each kind of question; a list in a question reads as "a or b".
struct DescribeQuestion {
  std::string operator()(const ToolQuestion& question) const {
    std::vector<std::string> words;
    for (const ToolKind kind : question.kinds) words.emplace_back(to_string(kind));
    for (const Matcher& name : question.names) words.push_back(pattern_text(name));
    return "tool " + one_of(words);
  }
  std::string operator()(const CommandQuestion& question) const {
    std::vector<std::string> parts;
    std::vector<std::string> commands;
    for (const auto& words : question.words) commands.push_back(text::join(words, " "));
    std::vector<std::string> effects;
    for (const CommandEffect effect : question.effects) effects.emplace_back(to_string(effect));
    if (!commands.empty()) parts.push_back("command " + one_of(commands));
    if (!question.flags.empty()) parts.push_back("flag " + one_of(question.flags));
    if (!effects.empty()) parts.push_back("effect " + one_of(effects));
    return text::join(parts, ", ");
  }
  std::string operator()(const PathQuestion& question) const { return "path " + one_of(question.patterns); }
  std::string operator()(const TextQuestion& question) const {
    return std::string(word_of(question.of)) + " " + one_of(question.patterns);
  }
  std::string operator()(const InputQuestion& question) const {
    return "input " + question.pointer + " " + one_of(question.patterns);
  }
  std::string operator()(const ChangedQuestion& question) const { return "changed " + one_of(question.patterns); }
};

/// Parentheses are needed only around groups of several parts. `not` brings its own.
std::string join_parts(const std::vector<Condition>& parts, std::string_view between) {
  std::string out;
  for (const Condition& part : parts) {
    const bool is_group = part.parts.size() > 1 && part.op != Condition::Op::Not;
    out += (out.empty() ? "" : std::string(between)) + (is_group ? "(" + part.describe() + ")" : part.describe());
  }
  return out;
}

std::string describe_rewrite(const RuleRewrite& rewrite) {
  std::vector<std::string> parts;
  for (const auto& [pointer, value] : rewrite.input) parts.push_back(pointer + " becomes " + value);
  if (!rewrite.command.empty()) parts.push_back("the command becomes " + text::join(rewrite.command, " "));
  if (rewrite.max_lines) parts.push_back("at most " + std::to_string(*rewrite.max_lines) + " lines");
  if (!rewrite.drop_lines.empty()) parts.push_back("without lines " + one_of(rewrite.drop_lines));
  for (const auto& [pattern, instead] : rewrite.mask) parts.push_back("/" + pattern + "/ becomes " + instead);
  return text::join(parts, ", ");
}

}  // namespace

std::string_view to_string(CommandEffect effect) {
  constexpr auto kWords = std::to_array<std::string_view>({"readonly", "writes", "network", "destructive"});
  return kWords[static_cast<size_t>(effect)];
}

/// `All` reads as a list with commas, as in rule files.
std::string Condition::describe() const {
  switch (op) {
    case Op::All:
      return join_parts(parts, ", ");
    case Op::Any:
      return join_parts(parts, " or ");
    case Op::Not:
      return "not (" + join_parts(parts, ", ") + ")";
    case Op::Ask:
      break;
  }
  return std::visit(DescribeQuestion{}, question);
}

/// The parts of the answer, separated by semicolons. Injected texts may be long, so they are cut.
std::string RuleHandler::describe() const {
  std::vector<std::string> parts;
  if (verdict != Verdict::Pass) {
    parts.push_back(std::string(to_string(verdict)) + (reason.empty() ? "" : ": " + reason));
  }
  if (!rewrite.empty()) parts.push_back("rewrite: " + describe_rewrite(rewrite));
  if (inject) parts.push_back("inject: " + (inject->file.empty() ? text::cap(inject->text, kMaxText) : inject->file));
  if (!notify.empty()) parts.push_back("notify: " + notify);
  return text::join(parts, "; ");
}

}  // namespace grapnel
