#include "cli/for_people.h"

#include <unistd.h>

#include <algorithm>

#include "base/shell_word.h"
#include "cli/command.h"
#include "cli/weakened_note.h"

namespace grapnel::cli {

ForPeople always_for_people(const Arguments&) {
  return ForPeople::Consent;
}

std::string refusal_of(const Command& command, const Invocation& in) {
  const ForPeople whom = command.for_people == nullptr ? ForPeople::No : command.for_people(in.args);
  if (whom == ForPeople::No) return "";
  const std::string verb = "'grapnel " + std::string(command.name) + "'";
  if (const std::string agent = agent_around(in.env); !agent.empty()) {
    return verb + " is for people, and this runs in " + agent + "; run it yourself in a terminal of your own";
  }
  const bool may_run = whom != ForPeople::Consent || in.args.has("--yes") || ::isatty(STDIN_FILENO) == 1;
  return may_run ? "" : verb + " makes guards weaker, so it needs a terminal or --yes; nothing was changed";
}

/// Keeps a record, and a notice for the next session.
static void note(const Command& command, const Invocation& in, Weakening how, const std::string& reason) {
  std::string what = "grapnel " + std::string(command.name);
  for (const std::string& word : in.words) {
    const bool is_plain =
        std::ranges::none_of(word, [](char c) { return std::string_view(" '\"\\$`;&|<>()*?\n\t").contains(c); });
    if (word != "--yes" && word != "-y")
      what += " " + (is_plain && !word.empty() ? printable(word) : quote_word(printable(word)));
  }
  // Without a server the answers are the same, so nobody has to be told that one was stopped.
  if (&command == &kServe) return record_weakening(in.env, what, reason, how);
  if (const auto noted = note_weakening(in.env, what, reason, how); !noted) {
    in.console.say(noted.error().to_string());
  }
}

void note_weakening(const Command& command, const Invocation& in) {
  if (command.for_people == nullptr || command.for_people(in.args) != ForPeople::Consent) return;
  // A rule that answers is noted when it is written, wherever the person answered (cli/rule_of_ask.h).
  if (&command == &kApprove) return;
  note(command, in, Weakening::Done,
       ::isatty(STDIN_FILENO) == 1 ? "somebody at a terminal did this" : "somebody did this with --yes");
}

void note_refusal(const Command& command, const Invocation& in) {
  const bool weakens = command.for_people(in.args) == ForPeople::Consent || &command == &kTrust;
  const std::string agent = weakens ? agent_around(in.env) : "";
  if (!agent.empty()) note(command, in, Weakening::Refused, "refused, because it ran in " + agent);
}

}  // namespace grapnel::cli
