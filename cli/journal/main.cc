#include <algorithm>

#include "cli/journal/journal_verbs.h"
#include "cli/journal_commands.h"

namespace grapnel::cli {

namespace {

/// Runs the verb. People should not start this program themselves, so there is no help of its own.
int run(std::span<const std::string> words, Console& console, const Environment& env) {
  // The rows are the same as in `grapnel`, with functions that do the work (journal_commands.h).
  const auto verbs =
      std::to_array<Command>({log_command(run_log), stats_command(run_stats), why_command(run_why),
                              record_command(run_record), fired_command(run_fired), recent_command(run_recent)});
  const auto* const verb = std::ranges::find(verbs, words.empty() ? "" : words.front(), &Command::name);
  if (verb == verbs.end())
    return report_usage(console, "",
                        "this program is only for use by grapnel: run `grapnel log`, `stats`, `why` or `record`");
  const auto rest = words.subspan(1);
  const auto args = parse_arguments(*verb, rest);
  if (!args) return report_usage(console, verb->name, args.error());
  return run_verb(*verb, {*args, console, env, rest});
}

int run_program(std::span<const std::string> words, const Environment& env) {
  Console console(env);
  return run_guarded(console, words, [&] { return run(words, console, env); }).value_or(kInternal);
}

}  // namespace

}  // namespace grapnel::cli

int main(int argc, char** argv) {
  const auto words = grapnel::cli::begin_program(argc, argv);
  return grapnel::cli::run_program(words, grapnel::Environment::of_process());
}
