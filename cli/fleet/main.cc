#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/detach.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet_command.h"
#include "cli/helper_program.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

/// `options`: all that it takes besides --json. The table of rows (fleet_command.h) is for all verbs together, so what
/// a verb would not notice is refused here.
struct FleetVerb {
  std::string_view name;
  int (*run)(Invocation& in);
  std::string_view options;
  bool takes_words = false;
};
constexpr auto kFleetVerbs = std::to_array<FleetVerb>({
    {"init", fleet_init, "--listen --host --node --database --no-start"},
    {"up", fleet_up, ""},
    {"down", fleet_down, ""},
    {"token", fleet_token, "--role --name --expires"},
    {"join", fleet_join, "--channel --no-start", true},
    {"leave", fleet_leave, "--yes"},
    {"revoke", fleet_revoke, "", true},
    {"push", fleet_push, "--name --channel --percent --expires --yes", true},
    {"promote", fleet_promote, "--channel --to --percent --expires --yes", true},
    {"rollback", fleet_rollback, "--channel --expires --yes", true},
    {"status", fleet_status, "--utc"},
    {"log", fleet_log,
     "--machine --since --until --session --agent --event --tool --text --hook --verdict --would --limit --utc"},
    {"why", fleet_why, "--utc", true},
    {"stats", fleet_stats, "--machine --hook --since --until --utc"},
    {"export", fleet_export, "--otlp --jsonl --follow --wait"},
    {"flush", fleet_flush, "--wait"},
    {"dead", fleet_dead, "--all --utc", true},
    {"approve", fleet_approve, "--follow --once --for-session --pattern --deny --yes", true},
    {"machine", fleet_machine, "--once --wait"},
    {"worker", fleet_worker, "--attempts --parallel"},
    {"collector", fleet_collector, "--database --once"},
});

int report_unknown(Invocation& in, const std::string& name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const FleetVerb& verb : kFleetVerbs) {
    names.push_back(verb.name);
    all += (all.empty() ? "" : ", ") + std::string(verb.name);
  }
  const std::string_view near = text::nearest(name, names);
  const std::string what = name.empty() ? "a verb is missing" : "there is no verb '" + printable(name) + "'";
  return report_usage(in.console, "fleet",
                      what + (near.empty() ? "; there are " + all : "; did you mean '" + std::string(near) + "'?"));
}

int run_fleet(Invocation& in) {
  const std::string name = in.args.text("VERB");
  if (name.empty()) return report_unknown(in, name);
  const auto* const verb = std::ranges::find(kFleetVerbs, name, &FleetVerb::name);
  if (verb == kFleetVerbs.end()) return report_unknown(in, name);
  const auto known = text::split(verb->options, ' ');
  for (const OptionRow& row : kFleetOptions) {
    const bool is_known = row.name == kJsonOption.name || std::ranges::find(known, row.name) != known.end();
    if (is_known || !in.args.has(row.name)) continue;
    return report_usage(
        in.console, "fleet",
        "grapnel fleet " + name + " does not take " + std::string(row.name) + " (" + std::string(row.help) + ")");
  }
  if (!verb->takes_words && !words_of(in, 0, 0, "no words")) return kBadUsage;
  return verb->run(in);
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
