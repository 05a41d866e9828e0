#include <algorithm>
#include <csignal>

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

int run_program(std::span<const std::string> words, const Environment& env) {
  Console console(env);
  return run_guarded(console, [&] { return run(words, console, env); }).value_or(kInternal);
}

}  // namespace

}  // namespace grapnel::cli

int main(int argc, char** argv) {
  grapnel::cli::occupy_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto env = grapnel::Environment::of_process();
  return grapnel::cli::run_program(words, env);
}
