#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "bridge/manifest.h"
#include "call/commands.h"
#include "cli/doctor/doctor.h"
#include "dialect/dialect.h"
#include "discover/find/places.h"
#include "os/files.h"
#include "os/resolve.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kProgram = "grapnel";

/// The word that starts Grapnel in a hook's command (`grapnel`, or a path), or "" when the command does not run
/// `grapnel fire`.
std::string grapnel_in(const HookSpec& hook) {
  if (hook.command() == nullptr) return "";
  for (const shell::SimpleCommand& command : call::commands_of(hook.command_text()).commands) {
    const bool is_fire = command.words.size() > 1 && command.words[1].text == "fire";
    if (is_fire && shell::base_name(command.words[0].text) == kProgram) return command.words[0].text;
  }
  return "";
}

/// What is known about one agent: its first hook, and whether any of its hooks calls Grapnel.
struct AgentUse {
  const HookSpec* first = nullptr;
  bool calls_grapnel = false;
};

}  // namespace

// Two hooks are the same if their events and their command are. Only hooks from different dialects are reported.
void check_duplicates(const DoctorContext& patient, Findings& findings) {
  std::map<std::string, const HookSpec*> seen;
  for (const HookSpec& hook : patient.registry.hooks) {
    if (hook.command() == nullptr || !hook.enabled || !grapnel_in(hook).empty()) continue;
    const auto [known, is_new] = seen.emplace(hook.events.to_string() + hook.command_text(), &hook);
    if (is_new || known->second->dialect == hook.dialect) continue;
    findings.push_back(
        {"duplicates", Severity::Warning,
         "the same hook is defined for two agents: '" + text::cap(hook.command_text(), 60) + "'", hook.source,
         "both run at every event, because Grapnel runs the hooks of all agents; the other is at " +
             text::format_position(known->second->source),
         "keep one of them: Grapnel runs a hook for every agent, no matter which agent's file defines it"});
  }
}

// Two passes. The first one looks at each hook that calls Grapnel and reports a program that does not exist. The second
// one reports agents that never call Grapnel although other agents have hooks, because those hooks have no effect in
// them.
void check_agents(const DoctorContext& patient, Findings& findings) {
  const auto bridges = Manifest(patient.env).load().value_or(std::vector<Installed>{});
  const auto is_bridged = [&](const Dialect& dialect) {
    return std::ranges::find(bridges, dialect.name, &Installed::agent) != bridges.end();
  };
  std::map<std::string_view, AgentUse> agents;  // sorted by name: reports have the same order everywhere
  std::set<const Dialect*> with_hooks;
  for (const HookSpec& hook : patient.registry.hooks) {
    with_hooks.insert(hook.dialect);
    AgentUse& use = agents[hook.dialect->name];
    if (use.first == nullptr) use.first = &hook;
    const std::string program = grapnel_in(hook);
    if (program.empty()) continue;
    use.calls_grapnel = true;
    const auto path = os::find_executable(program, patient.env.get("PATH"), patient.project);
    if (path && os::stamp(*path)) continue;
    findings.push_back({"agents", Severity::Error, "the agent calls '" + program + "', which does not exist",
                        hook.source, "none of your hooks runs in that agent, and most agents do not report this",
                        "install Grapnel there, or correct the path"});
  }
  for (const auto& [name, use] : agents) {
    const Dialect* const dialect = use.first->dialect;
    const bool has_own_settings = dialect->file_format() && dialect->file_format() != PlaceFormat::HookDirectories;
    if (use.calls_grapnel || is_bridged(*dialect) || !has_own_settings || with_hooks.size() < 2) continue;
    findings.push_back({"agents", Severity::Note,
                        std::string(name) + " runs its own hooks only: its settings do not call Grapnel",
                        use.first->source, "hooks in the files of other agents have no effect in it",
                        find_adapter(dialect->name) == nullptr
                            ? "add a hook to it that runs `grapnel fire --as " + std::string(dialect->name) + "`"
                            : "run `grapnel install " + std::string(dialect->name) + "`"});
  }
}

}  // namespace grapnel::cli
