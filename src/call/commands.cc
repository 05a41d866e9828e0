#include "call/commands.h"

#include <string>

#include "call/doubt.h"
#include "call/wrappers.h"

namespace grapnel::call {

namespace {

/// Code that is not read may use every variable that the text sets, so their values are part of what it mentions. If
/// the text decodes something, the code may get words that nobody sees.
void complete_code(ParsedCommand& parsed) {
  std::string values;
  bool has_code = false;
  for (const SimpleCommand& command : parsed.commands) {
    for (const Assignment& assignment : command.assignments) (values += '\n') += assignment.value.text;
    const bool declares =
        !command.words.empty() && (command.words[0].text == "export" || command.words[0].text == "declare");
    for (const Word& word : declares ? command.words : std::vector<Word>{}) (values += '\n') += word.text;
    has_code = has_code || command.code;
  }
  if (!has_code) return;
  const bool is_hidden = decodes_text(parsed);
  for (SimpleCommand& command : parsed.commands) {
    if (is_hidden) command.code.reset();
    if (command.code) *command.code += values;
  }
}

}  // namespace

ParsedCommand commands_of(std::string_view text, const shell::Variables* known) {
  ParsedCommand parsed = shell::parse(text, unwrap, known);
  complete_code(parsed);
  return parsed;
}

}  // namespace grapnel::call
