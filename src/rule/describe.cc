#include <algorithm>

#include "base/text.h"
#include "rule/answer.h"
#include "shell/understanding.h"

/// Why the condition of a hook does not hold, for people. It asks the questions again, and compares what the event has
/// with what the condition asked for.
namespace grapnel::rule {

namespace {

/// Texts and lists are cut, so that a reason stays one line.
constexpr size_t kMaxShown = 200;
constexpr size_t kMaxFiles = 3;

/// The text in quotes, with control characters escaped.
std::string quoted(std::string_view text) {
  return Json::string(text::cap(text, kMaxShown)).dump();
}

std::string list(const std::vector<Matcher>& patterns) {
  std::string out;
  for (const Matcher& pattern : patterns) out += (out.empty() ? "" : ", ") + std::string(pattern.pattern());
  return out;
}

std::string list(const std::vector<std::string>& words) {
  return text::join(words, ", ");
}

/// The key of the question as it is written in grapnel.yaml.
std::string_view word_for(TextQuestion::Of of) {
  switch (of) {
    case TextQuestion::Of::Prompt:
      return "prompt";
    case TextQuestion::Of::Output:
      return "output";
    case TextQuestion::Of::Session:
      return "session";
    case TextQuestion::Of::Agent:
      return "agent";
    case TextQuestion::Of::Mode:
      return "mode";
  }
  return "";
}

/// One sentence for each kind of question: what the event has in place of what was asked for.
class Failing {
 public:
  explicit Failing(call::ToolCall& subject) : subject_(subject) {}

  std::string operator()(const ToolQuestion& question) {
    std::vector<std::string> wanted;
    for (const ToolKind kind : question.kinds) wanted.emplace_back(to_string(kind));
    for (const Matcher& name : question.names) wanted.emplace_back(name.pattern());
    return subject_.tool().empty() ? "there is no tool"
                                   : "tool " + quoted(subject_.tool()) + " is none of " + list(wanted);
  }

  std::string operator()(const CommandQuestion& question) {
    if (!subject_.command_text()) return "there is no command";
    std::vector<std::string> wanted;
    for (const auto& words : question.words) wanted.push_back(text::join(words, " "));
    if (!question.flags.empty()) wanted.push_back("with " + text::join(question.flags, " or "));
    std::string does;
    // In the order of `CommandEffect`.
    constexpr std::string_view kEffects[] = {"readonly", "writes", "network", "destructive"};
    for (const CommandEffect effect : question.effects) {
      does += (does.empty() ? "" : " or ") + std::string(kEffects[static_cast<size_t>(effect)]);
    }
    if (!does.empty()) wanted.push_back("effect " + does);
    return "command " + quoted(*subject_.command_text()) + " does not match " + list(wanted);
  }

  std::string operator()(const PathQuestion& question) {
    const std::vector<call::File>& files = subject_.files().files;
    if (files.empty()) return "there is no path";
    std::string names;
    for (size_t i = 0; i < std::min(files.size(), kMaxFiles); ++i)
      names += (i == 0 ? "" : ", ") + quoted(files[i].said);
    if (files.size() > kMaxFiles) names += " and " + std::to_string(files.size() - kMaxFiles) + " more";
    return "path " + names + " matches none of " + list(question.patterns);
  }

  std::string operator()(const TextQuestion& question) {
    return std::string(word_for(question.of)) + " matches none of " + list(question.patterns);
  }

  std::string operator()(const InputQuestion& question) {
    const Json value = subject_.input().at_pointer(question.pointer);
    if (!value) return "input has no " + question.pointer;
    return "input " + question.pointer + " " + text::cap(value.dump(), kMaxShown) + " matches none of " +
           list(question.patterns);
  }

  std::string operator()(const ChangedQuestion& question) {
    return "no file changed in this turn matches " + list(question.patterns);
  }

 private:
  call::ToolCall& subject_;
};

/// What Grapnel does not understand about the command. Then nothing is sure about what it runs and which files it uses.
std::string why_unclear(const Condition& condition, call::ToolCall& subject) {
  const bool is_about_command = std::holds_alternative<CommandQuestion>(condition.question) ||
                                std::holds_alternative<PathQuestion>(condition.question);
  const call::ParsedCommand* parsed = is_about_command ? subject.commands() : nullptr;
  if (parsed == nullptr || !subject.command_text()) return "";
  const bool is_odd = std::ranges::any_of(parsed->commands, [](const shell::SimpleCommand& command) {
    return std::ranges::any_of(command.words, &shell::Word::is_odd);
  });
  if (!parsed->is_unclear && !is_odd) {
    const bool is_about_files = std::holds_alternative<PathQuestion>(condition.question);
    return is_about_files && !subject.files().is_complete ? ": not all files that it uses are known" : "";
  }
  return ": Grapnel does not understand the whole command, because " +
         std::string(parsed->is_unclear ? shell::why_unclear(*subject.command_text()) : shell::kWhyOdd);
}

}  // namespace

std::string describe_failure(const Condition& condition, call::ToolCall& subject, Quantifier quantifier) {
  // A rule that allows may also fail because the answer was only `Maybe`. The sentence then has to say so.
  const bool is_maybe = answer(condition, subject, quantifier).answer == call::Certainty::Maybe;
  const std::string unsure = is_maybe ? " for sure" : "";
  switch (condition.op) {
    case Condition::Op::Ask:
      return std::visit(Failing(subject), condition.question) + unsure + why_unclear(condition, subject);
    case Condition::Op::Not:
      return is_maybe ? "the condition under 'not' may hold" : "the condition under 'not' holds";
    case Condition::Op::All:
      // The first part that fails is reason enough.
      for (const Condition& part : condition.parts) {
        if (!is_enough(answer(part, subject, quantifier).answer, quantifier)) {
          return describe_failure(part, subject, quantifier);
        }
      }
      return "";
    case Condition::Op::Any: {
      // Every part failed, and each one could have been the way to make the condition hold.
      std::string out;
      for (const Condition& part : condition.parts) {
        out += (out.empty() ? "" : "; ") + describe_failure(part, subject, quantifier);
      }
      return out;
    }
  }
  return "";
}

}  // namespace grapnel::rule
