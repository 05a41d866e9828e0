#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "cli/detach.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet_command.h"
#include "cli/helper_program.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

struct FleetVerb {
  std::string_view name;
  int (*run)(Invocation& in);
};
constexpr auto kFleetVerbs = std::to_array<FleetVerb>({
    {"init", fleet_init},         {"up", fleet_up},         {"down", fleet_down},
    {"token", fleet_token},       {"join", fleet_join},     {"leave", fleet_leave},
    {"revoke", fleet_revoke},     {"push", fleet_push},     {"promote", fleet_promote},
    {"rollback", fleet_rollback}, {"status", fleet_status}, {"log", fleet_log},
    {"why", fleet_why},           {"stats", fleet_stats},   {"export", fleet_export},
    {"flush", fleet_flush},       {"dead", fleet_dead},     {"approve", fleet_approve},
    {"machine", fleet_machine},   {"worker", fleet_worker}, {"collector", fleet_collector},
});

std::string verb_names() {
  std::string out;
  for (const FleetVerb& verb : kFleetVerbs) out += (out.empty() ? "" : ", ") + std::string(verb.name);
  return out;
}

int run_fleet(Invocation& in) {
  const std::string name = in.args.text("VERB");
  if (name.empty()) return report_usage(in.console, "fleet", "a verb is missing; there are " + verb_names());
  const auto* const verb = std::ranges::find(kFleetVerbs, name, &FleetVerb::name);
  if (verb != kFleetVerbs.end()) return verb->run(in);
  return report_usage(in.console, "fleet", "there is no verb '" + printable(name) + "'; there are " + verb_names());
}

int run(std::span<const std::string> words, Console& console, const Environment& env) {
  const Command command = fleet_command(run_fleet);
  const auto args = parse_arguments(command, words);
  if (!args) return report_usage(console, command.name, args.error());
  // Who may use which verb was decided by `grapnel`, which started this program.
  return run_verb(command, {*args, console, env, words});
}

}  // namespace

std::optional<std::vector<std::string>> words_of(Invocation& in, size_t least, size_t most, std::string_view what) {
  const auto& words = in.args.all("WORD");
  if (words.size() >= least && words.size() <= most) return words;
  report_usage(in.console, "fleet", "grapnel fleet " + in.args.text("VERB") + " takes " + std::string(what));
  return std::nullopt;
}

int report_failure(Invocation& in, const Error& error) {
  in.console.say(printable(error.message));
  const bool is_input = error.code == Errc::BadInput || error.code == Errc::NotFound;
  return is_input ? kBadUsage : error.code == Errc::Refused ? kNo : kInternal;
}

int print_done(Invocation& in, const Json& json, const std::string& text) {
  in.console.out(in.args.has("--json") ? json.dump(JsonStyle::Pretty) + "\n" : text);
  return kOk;
}

Result<void> start_own(const Environment& env, const std::vector<std::string>& words, const std::string& log) {
  const auto program = find_helper_program(env, kFleetProgram);
  if (!program) return std::unexpected(program.error());
  const UniqueFd out(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!out) return fail_errno("cannot write " + log);
  std::vector<char*> argv = {const_cast<char*>(kFleetProgram.data())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const bool is_started = detach({[&] {
    ::dup2(out.get(), STDOUT_FILENO);
    ::dup2(out.get(), STDERR_FILENO);
    ::execv(program->c_str(), argv.data());
    ::_exit(127);
  }});
  return is_started ? Result<void>() : fail_errno("cannot start a process");
}

}  // namespace grapnel::cli

int main(int argc, char** argv) {
  using namespace grapnel::cli;
  const auto words = begin_program(argc, argv);
  const auto env = grapnel::Environment::of_process();
  Console console(env);
  return run_guarded(console, words, [&] { return run(words, console, env); }).value_or(kInternal);
}
