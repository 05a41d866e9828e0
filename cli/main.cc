#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/command.h"
#include "cli/guesses.h"
#include "cli/version.h"

namespace grapnel::cli {

std::span<const Command* const> all_commands() {
  // A new verb needs a row here and its declaration in command.h. The order is the order of the help.
  static constexpr auto kAll = std::to_array<const Command*>(
      {&kInit,      &kFire,   &kList,    &kCheck,  &kExplain, &kWhy,       &kLog,     &kStats,  &kUi,
       &kTest,      &kRecord, &kStatus,  &kDoctor, &kNew,     &kAdd,       &kUpdate,  &kRemove, &kInstall,
       &kUninstall, &kAgents, &kConvert, &kSchema, &kEnable,  &kDisable,   &kApprove, &kTrust,  &kUntrust,
       &kAgent,     &kFleet,  &kServe,   &kBench,  &kMcp,     &kCompletion});
  return kAll;
}

namespace {

using Words = std::span<const std::string>;

/// The verb of that name, or null.
const Command* find_command(std::string_view name) {
  const auto all = all_commands();
  const auto found = std::ranges::find(all, name, [](const Command* command) { return command->name; });
  return found == all.end() ? nullptr : *found;
}

/// What to use instead of a verb that does not exist: one that other programs call so, or one with a similar name.
std::string advice_on_verb(const std::string& word) {
  const std::string_view meant = verb_meant_by(word);
  if (!meant.empty()) {
    // The summary is about the verb as a whole, not about what one of its options does.
    const Command* command = find_command(meant);
    return "; try `grapnel " + std::string(meant) + "`" +
           (command == nullptr ? "" : ": " + std::string(command->summary));
  }
  std::vector<std::string_view> names = {"--help", "--version"};
  for (const Command* command : all_commands()) names.push_back(command->name);
  const std::string_view near = text::nearest(word, names);
  return near.empty() ? "" : "; did you mean '" + std::string(near) + "'?";
}

/// Prints the error for a first word that is neither a verb nor an option of `grapnel` itself.
int report_unknown_verb(Console& console, const std::string& word) {
  const std::string what = word.starts_with('-') ? "unknown option" : "unknown verb";
  return report_usage(console, "", what + " '" + printable(word) + "'" + advice_on_verb(word));
}

/// The exit status, changed for callers that look like an agent's hook (`--as`). Status 2 tells an agent to block, so a
/// mistake in the hook's command line would block every action. Status 1 only reports a failed hook.
int spare_agent(int status, std::string_view verb, Words words) {
  const bool is_other_verb = verb != kFire.name && find_command(verb) != nullptr;
  const bool for_agent = std::ranges::any_of(words, [](const std::string& word) {
    return word == "--as" || word.starts_with("--as=") || word.starts_with("-a");
  });
  return status != kOk && for_agent && !is_other_verb ? 1 : status;
}

int print_help(Console& console, Words words) {
  const Command* command = words.empty() ? nullptr : find_command(words.front());
  if (command == nullptr && !words.empty()) return report_unknown_verb(console, words.front());
  console.out(command == nullptr ? overview_text(all_commands(), console) : help_text(*command, console));
  return kOk;
}

int run_command(const Command& command, Words words, Console& console, const Environment& env) {
  const auto args = parse_arguments(command, words);
  if (!args) return spare_agent(report_usage(console, command.name, args.error()), command.name, words);
  Invocation in{*args, console, env, words};
  if (const std::string why = args->has("--help") ? "" : refusal_of(command, in); !why.empty()) {
    console.say(why);
    note_refusal(command, in);
    return kNo;
  }
  const int status = run_verb(command, in);
  if (status == kOk && !args->has("--help")) note_weakening(command, in);
  return status;
}

/// Finds the verb and runs it. Without any words the overview goes to standard error, as a usage error.
int run(Words words, Console& console, const Environment& env) {
  if (words.empty()) {
    console.err(overview_text(all_commands(), console));
    return kBadUsage;
  }
  const std::string& verb = words.front();
  const Words rest = words.subspan(1);
  if (verb == "--help" || verb == "-h" || verb == "help") return print_help(console, rest);
  if (verb == "--version" || verb == "-V" || verb == "version") {
    console.out(version_text(GRAPNEL_VERSION));
    return kOk;
  }
  if (const Command* command = find_command(verb)) return run_command(*command, rest, console, env);
  return spare_agent(report_unknown_verb(console, verb), verb, rest);
}

/// The exit status of the program, also when the verb threw or its output could not be written.
int run_program(Words words, const Environment& env) {
  Console console(env);
  const auto status = run_guarded(console, words, [&] { return run(words, console, env); });
  if (status) return *status;
  return words.empty() ? kInternal : spare_agent(kInternal, words.front(), words.subspan(1));
}

}  // namespace

}  // namespace grapnel::cli

int main(int argc, char** argv) {
  const auto words = grapnel::cli::begin_program(argc, argv);
  return grapnel::cli::run_program(words, grapnel::Environment::of_process());
}
