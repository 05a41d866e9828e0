#pragma once

#include <string>
#include <vector>

#include "bridge/install.h"
#include "cli/command.h"

/// What `install` and `uninstall` have in common. Both make plans, carry them out unless it is a dry run, and report.
namespace grapnel::cli {

inline constexpr ArgumentRow kAgentArgument{"AGENT", "the agent (see grapnel agents)", ValueKind::Agent, true};
inline constexpr OptionRow kBridgeProjectOption{
    "--project", "-p", "DIR", "the project of --scope project (default: the current directory)", ValueKind::Directory};
inline constexpr OptionRow kDryRunOption{"--dry-run", "-n", "", "show what would change, and change nothing"};

/// The agent of that name, or the one that the command line names. Fails: BadInput, with the nearest name.
Result<const Adapter*> adapter_named(const std::string& name);
Result<const Adapter*> adapter_of(const Arguments& args);

/// The usual events, and frequent ones for which there is a hook: only then they are worth a process each.
std::vector<const EventRow*> wanted_events(const Invocation& in, const Adapter& adapter);

/// What is written into the agent's settings: this program, at these events. Settings of a project are shared by a
/// team, so they name the program that PATH leads to on each machine. Fails: BadInput when the program is in a place
/// that cannot be written there.
Result<Wiring> wiring_with(const Environment& env, const BridgeTarget& target, OnMissing on_missing,
                           std::vector<const EventRow*> events);

/// The settings of the agent in that scope. Fails: BadInput for a project that is not a directory.
Result<BridgeTarget> target_of(const Invocation& in, const Adapter& adapter, Scope scope);

/// Notes the person's own places, which bridges use from now on (cli/believed.h).
Result<void> note_own_places(const Environment& env);

/// Carries out a plan, unless it is a dry run. Fails: as `carry_out`.
Result<void> carry_out_wanted(const Invocation& in, const BridgePlan& plan);

/// Reports what was done or, in a dry run, what would be done. `sentence` says it in one line.
int tell_plans(Invocation& in, const std::vector<BridgePlan>& plans, const std::string& sentence);

/// Reports why a plan failed. Nothing was changed in that case.
int report_bridge_error(Invocation& in, const Error& error);

}  // namespace grapnel::cli
