#include <algorithm>

#include "base/text.h"
#include "call/doubt.h"
#include "rule/answer.h"

/// What is doubtful about a match, and where. The place is the part of the command line that the doubt is about, as it
/// is written there.
namespace grapnel::rule {

namespace {

constexpr size_t kMaxPlace = 60;

std::string in_ticks(std::string_view text) {
  return "`" + std::string(text) + "`";
}

/// The first line of a text, cut to a readable length.
std::string shortened(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::string out = text::cap(line, kMaxPlace);
  return line.size() < text.size() && out.size() == line.size() ? out + " …" : out;
}

/// The command as it stands in the text. Code is named by the program that runs it, because it may be long.
std::string place_of(const shell::SimpleCommand* command, call::ToolCall& subject) {
  const std::string text = subject.command_text().value_or("");
  if (command == nullptr) return in_ticks(shortened(text));
  if (command->code && !command->wrappers.empty() && !command->wrappers.back().empty()) {
    return in_ticks(command->wrappers.back() + " …");
  }
  if (command->begin >= command->end || command->end > text.size()) return in_ticks(shortened(text));
  return in_ticks(shortened(std::string_view(text).substr(command->begin, command->end - command->begin)));
}

std::string mention(const std::string& evidence) {
  return evidence.empty() ? "" : "mentions " + in_ticks(evidence);
}

}  // namespace

std::string describe_doubt(const Match& match, call::ToolCall& subject) {
  const shell::SimpleCommand* const command = match.command;
  if (subject.commands() == nullptr) return "it is known only when it runs whether the rule applies";
  if (!match.runs.empty()) {
    return place_of(nullptr, subject) + " runs text that may be " + in_ticks(shortened(match.runs));
  }
  if (command != nullptr && command->code) {
    const std::string place = place_of(command, subject);
    if (match.evidence.empty()) return place + " makes text from something else and runs it";
    return place + " " + mention(match.evidence) + ", and what it does with it is not known";
  }
  if (command != nullptr && call::is_unseen_code(*command)) {
    return place_of(command, subject) + " runs code that the command does not show";
  }
  if (match.reached.empty() && command == nullptr && subject.commands()->is_unclear) {
    return "the command cannot be read completely, and it " + mention(match.evidence);
  }
  const std::string place = place_of(command, subject);
  if (match.file != nullptr || command == nullptr) {
    if (!match.reached.empty()) return place + " may use " + in_ticks(match.reached);
    const std::string about = match.evidence.empty() ? "" : ", and the text " + mention(match.evidence);
    const bool is_unknown = match.file == nullptr || !match.file->is_known;
    return place + (is_unknown ? " names a file" : " does something") + " that is known only when it runs" + about;
  }
  const bool is_dynamic = command->words.empty() || command->words[0].is_dynamic();
  const std::string unknown = is_dynamic         ? " runs a program that is known only when it runs"
                              : command->is_open ? " gets words that are known only when it runs"
                                                 : " has words that are known only when it runs";
  return place + unknown + (match.evidence.empty() ? "" : ", and the text " + mention(match.evidence));
}

}  // namespace grapnel::rule
