#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/init/agents.h"
#include "cli/init/job_plan.h"
#include "cli/init/menu.h"
#include "cli/project_hooks.h"
#include "cli/verbs/bridging.h"

namespace grapnel::cli {

namespace {

// `grapnel init` goes through four steps: which jobs, write their files, trust the rules that were written, let agents
// call Grapnel. Each step can be answered on the command line, so that a script needs no terminal.

constexpr auto kInitArguments = std::to_array<ArgumentRow>({
    {"DIR", "the project (default: found upwards from the current directory)", ValueKind::Directory},
});
constexpr auto kInitOptions = std::to_array<OptionRow>({
    {"--with", "-w", "JOBS", "the jobs, with commas between them; 'all' for every one (default: a menu)",
     ValueKind::Job, true},
    {"--list", "-l", "", "show the jobs, and write nothing"},
    {"--scope", "-s", "user|project", "whose rules they become (default: project)", ValueKind::Text},
    {"--install", "-i", "AGENTS", "let these agents call grapnel, with commas between them", ValueKind::Agent},
    {"--no-install", "", "", "let no agent call grapnel, and do not ask"},
    {"--yes", "-y", "", "trust the new rules, and install into every agent that is found, without asking"},
    kJsonOption,
});

/// What was done, for the report.
struct InitOutcome {
  std::vector<const Job*> jobs;
  JobTarget target;
  JobPlan plan;
  bool may_run = false;  ///< the rules are trusted, or need no trust
  std::vector<BridgePlan> installed;
  std::vector<std::string> failures;  ///< agents that could not be installed into, and why
};

Json names_json(const std::vector<std::string>& names) {
  std::vector<Json> out;
  for (const std::string& name : names) out.push_back(Json::string(name));
  return Json::array(out);
}

int list_jobs(Invocation& in) {
  if (!in.args.has("--json")) {
    in.console.out(jobs_text());
    return kOk;
  }
  std::vector<Json> jobs;
  for (const Job& job : all_jobs()) {
    std::vector<std::string> rules;
    for (const JobRule& rule : job.rules) rules.push_back(rule.name);
    jobs.push_back(Json::object({{"name", Json::string(job.name)},
                                 {"title", Json::string(job.title)},
                                 {"does", Json::string(job.promise)},
                                 {"rules", names_json(rules)}}));
  }
  in.console.out(Json::object({{"jobs", Json::array(jobs)}}).dump(JsonStyle::Pretty) + "\n");
  return kOk;
}

/// Whether a person may be asked. With `--json` the output is for a program.
bool may_ask(const Invocation& in) {
  return !in.args.has("--json") && !in.args.has("--yes") && can_ask(in.console);
}

Result<std::vector<const Job*>> wanted_jobs(Invocation& in) {
  if (in.args.has("--with")) {
    auto jobs = jobs_named(in.args.all("--with"));
    if (jobs && jobs->empty()) return fail(Errc::BadInput, "--with names no job; `grapnel init --list` shows them");
    return jobs;
  }
  if (may_ask(in)) return ask_for_jobs(in.console);
  return fail(Errc::BadInput, "name the jobs with --with; `grapnel init --list` shows them");
}

Result<JobTarget> target_for(const Invocation& in) {
  const Scope scope = in.args.text("--scope") == "user" ? Scope::User : Scope::Project;
  const std::string project = scope == Scope::Project ? project_named(in).root : absolute_path(".", "");
  std::string place = place_for(project, in.env, scope, PlaceFormat::Rules);
  if (place.empty()) return fail(Errc::BadInput, std::string(kNoPlace));
  return JobTarget{std::move(place), scope, scope == Scope::Project ? project : ""};
}

/// Lets the rules that were just written run, and leaves the trust in all other hooks as it is: somebody else may have
/// put them into the project.
Result<bool> trust_own(Invocation& in, const InitOutcome& outcome) {
  if (outcome.target.scope == Scope::User) return true;
  auto project = load_project(in.env, {outcome.target.inside});
  if (!project) return std::unexpected(project.error());
  const auto is_new = [&](const HookSpec& hook) {
    return hook.source.file == outcome.target.rule_file &&
           std::ranges::find(outcome.plan.added, hook.name) != outcome.plan.added.end();
  };
  const auto is_waiting = [&](const HookSpec& hook) { return is_new(hook) && hook.trust == Trust::Untrusted; };
  const auto count = static_cast<size_t>(std::ranges::count_if(project->hooks, is_waiting));
  if (count == 0)
    return std::ranges::none_of(project->hooks, [](const auto& h) { return h.trust == Trust::Untrusted; });
  const bool agrees =
      in.args.has("--yes") || (may_ask(in) && says_yes(in.console,
                                                       "Trust " + count_text(count, "new rule") + ", so that " +
                                                           (count == 1 ? "it" : "they") + " may run here?",
                                                       true));
  if (!agrees) return false;
  std::erase_if(project->hooks, [&](const HookSpec& hook) { return !is_new(hook) && hook.trust != Trust::Trusted; });
  std::erase_if(project->servers, [](const ServerSpec& server) { return !server.is_trusted(); });
  if (auto kept = trust_hooks(in.env, *project); !kept) return std::unexpected(kept.error());
  return true;
}

/// The agents that shall call Grapnel.
Result<std::vector<const Adapter*>> wanted_agents(Invocation& in) {
  if (in.args.has("--install")) return agents_named(in.args.text("--install"));
  std::vector<const Adapter*> found;
  if (in.args.has("--no-install")) return found;
  const auto known = Manifest(in.env).load().value_or(std::vector<Installed>{});
  for (const Adapter* adapter : agents_found(in.env)) {
    const bool calls = std::ranges::any_of(
        known, [&](const Installed& bridge) { return bridge.agent == adapter->agent && bridge.scope == Scope::User; });
    if (!calls) found.push_back(adapter);
  }
  if (in.args.has("--yes")) return found;
  return may_ask(in) ? ask_for_agents(in.console, found) : std::vector<const Adapter*>{};
}

/// One agent that cannot be installed into does not keep the others from it.
void install_all(Invocation& in, const std::vector<const Adapter*>& agents, InitOutcome& outcome) {
  for (const Adapter* adapter : agents) {
    auto plan = install_into(in, *adapter);
    if (plan) {
      outcome.installed.push_back(std::move(*plan));
    } else {
      Error shown = plan.error();
      if (shown.at) shown.at->file = short_path(shown.at->file);
      outcome.failures.push_back(std::string(adapter->title) + ": " + shown.to_string());
    }
  }
}

/// The lines about files and rules.
std::string written_text(const InitOutcome& outcome) {
  const JobPlan& plan = outcome.plan;
  const std::string file = printable(short_path(outcome.target.rule_file));
  std::string out;
  if (plan.added.empty()) {
    out += "Nothing to add: " + file + " has these rules already.\n";
  } else {
    out += "Added " + count_text(plan.added.size(), "rule") + " to " + file + ".\n";
  }
  if (!plan.added.empty() && !plan.there.empty()) out += "Already there: " + text::join(plan.there, ", ") + ".\n";
  for (const PlannedFile& planned : plan.files) {
    if (planned.path != outcome.target.rule_file) out += "  made  " + printable(short_path(planned.path)) + "\n";
  }
  for (const std::string& path : plan.kept) out += "  kept  " + printable(short_path(path)) + ", which is changed\n";
  return out;
}

/// The lines about what holds now, and in which agents.
std::string holds_text(const Invocation& in, const InitOutcome& outcome) {
  const std::vector<std::string> agents = agents_that_call(in.env);
  std::string out;
  for (const BridgePlan& plan : outcome.installed) {
    out += std::string(plan.adapter->title) + " calls grapnel now.\n";
    for (const std::string& note : plan.notes) out += "note: " + printable(note) + "\n";
  }
  if (!outcome.may_run) out += "Not all rules run yet: read and trust them with `grapnel trust`.\n";
  if (agents.empty()) out += "No agent calls grapnel yet: run `grapnel install AGENT`; `grapnel agents` lists them.\n";
  const bool holds = outcome.may_run && !agents.empty();
  out += "\n" + (holds ? "Holds now, in " + text::join(agents, ", ") : std::string("Holds then")) + ":\n";
  for (const Job* job : outcome.jobs) out += "  " + std::string(job->name) + ": " + job->promise + "\n";
  const std::string where = std::filesystem::path(outcome.target.rule_file).parent_path();
  const std::string directory = outcome.target.scope == Scope::User ? " " + printable(short_path(where)) : "";
  return out + "Try the rules with `grapnel test" + directory + "`, and see what they did with `grapnel log`.\n";
}

Json outcome_json(const Invocation& in, const InitOutcome& outcome) {
  std::vector<std::string> jobs;
  for (const Job* job : outcome.jobs) jobs.emplace_back(job->name);
  std::vector<std::string> files;
  for (const PlannedFile& planned : outcome.plan.files) files.push_back(planned.path);
  return Json::object({{"rule_file", Json::string(outcome.target.rule_file)},
                       {"scope", Json::string(to_string(outcome.target.scope))},
                       {"jobs", names_json(jobs)},
                       {"added", names_json(outcome.plan.added)},
                       {"already_there", names_json(outcome.plan.there)},
                       {"written", names_json(files)},
                       {"kept", names_json(outcome.plan.kept)},
                       {"may_run", Json::boolean(outcome.may_run)},
                       {"agents", names_json(agents_that_call(in.env))},
                       {"failures", names_json(outcome.failures)}});
}

int report_outcome(Invocation& in, const InitOutcome& outcome) {
  if (in.args.has("--json")) {
    in.console.out(outcome_json(in, outcome).dump(JsonStyle::Pretty) + "\n");
  } else {
    in.console.out(written_text(outcome) + holds_text(in, outcome));
    for (const std::string& failure : outcome.failures) in.console.say(printable(failure));
  }
  return outcome.failures.empty() ? kOk : kNo;
}

int run_init(Invocation& in) {
  if (in.args.has("--list")) return list_jobs(in);
  InitOutcome outcome;
  // Everything that may be refused is looked at before the first file is written.
  auto target = target_for(in);
  if (!target) return report_input(in.console, target.error().message);
  if (in.args.has("--install")) {
    if (const auto known = agents_named(in.args.text("--install")); !known)
      return report_input(in.console, known.error().message);
  }
  auto jobs = wanted_jobs(in);
  if (!jobs) return report_input(in.console, jobs.error().message);
  outcome.target = std::move(*target);
  outcome.jobs = std::move(*jobs);
  auto plan = plan_jobs(outcome.jobs, outcome.target);
  if (!plan) return report_bridge_error(in, plan.error());
  outcome.plan = std::move(*plan);
  if (auto written = write_jobs(outcome.plan); !written) return report_bridge_error(in, written.error());
  const auto may_run = trust_own(in, outcome);
  if (!may_run) return report_bridge_error(in, may_run.error());
  outcome.may_run = *may_run;
  const auto agents = wanted_agents(in);
  if (!agents) return report_input(in.console, agents.error().message);
  install_all(in, *agents, outcome);
  return report_outcome(in, outcome);
}

}  // namespace

const Command kInit{
    .name = "init",
    .summary = "set up rules for common jobs, and let your agents use them",
    .about =
        "Writes rules for the jobs that you choose into the project's .agents/grapnel.yaml, or with --scope user into "
        "yours, with tests and scripts beside them. Then it offers to trust them and to let the agents on this machine "
        "call grapnel. Run it again to add a job: what is there stays as it is.",
    .arguments = kInitArguments,
    .options = kInitOptions,
    .examples = R"(  grapnel init
  grapnel init --with stop-destruction,protect-secrets --yes
  grapnel init --with not-done-until-green --install claude,codex
  grapnel init --list
)",
    .run = run_init,
    .for_people = [](const Arguments& args) { return args.has("--list") ? ForPeople::No : ForPeople::NotAgent; },
};

}  // namespace grapnel::cli
