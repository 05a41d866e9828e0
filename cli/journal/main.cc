#include <algorithm>
#include <csignal>
#include <exception>

#include "cli/journal/journal_verbs.h"
#include "cli/journal_commands.h"

namespace grapnel::cli {

namespace {

int run(std::span<const std::string> words, Console& console, const Environment& env) {
  const auto verbs = std::to_array<Command>({log_command(run_log), stats_command(run_stats), why_command(run_why),
                                             record_command(run_record), fired_command(run_fired)});
  const auto* const verb = std::ranges::find(verbs, words.empty() ? "" : words.front(), &Command::name);
  if (verb == verbs.end())
    return report_usage(console, "", "this program is called by `grapnel log`, `stats`, `why`, `record`");
  const auto rest = words.subspan(1);
  const auto args = parse_arguments(*verb, rest);
  if (!args) return report_usage(console, verb->name, args.error());
  if (args->has("--help")) {
    console.out(help_text(*verb, console));
    return kOk;
  }
  Invocation in{*args, console, env, rest};
  return verb->run(in);
}

int run_guarded(std::span<const std::string> words, Console& console, const Environment& env) {
  try {
    const int status = run(words, console, env);
    if (console.flush()) return status;
    console.say("cannot write to standard output");
  } catch (const std::exception& error) {
    console.say(std::string("internal error: ") + error.what());
  }
  return kInternal;
}

}  // namespace

}  // namespace grapnel::cli

int main(int argc, char** argv) {
  grapnel::cli::occupy_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto env = grapnel::Environment::of_process();
  grapnel::cli::Console console(env);
  return grapnel::cli::run_guarded(words, console, env);
}
