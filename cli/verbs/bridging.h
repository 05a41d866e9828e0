#pragma once

#include <string>
#include <vector>

#include "bridge/install.h"
#include "cli/command.h"

/// What `install` and `uninstall` share.
namespace grapnel::cli {

inline constexpr ArgumentRow kAgentArgument{"AGENT", "the agent (see grapnel agents)", ValueKind::Agent, true};
inline constexpr OptionRow kBridgeProjectOption{
    "--project", "-p", "DIR", "the project of --scope project (default: the current directory)", ValueKind::Directory};
inline constexpr OptionRow kDryRunOption{"--dry-run", "-n", "", "show what would change, and change nothing"};

/// The agent that is meant. Fails: BadInput, with the nearest name.
Result<const Adapter*> adapter_of(const Arguments& args);

/// Its settings of that scope. Fails: BadInput for a project that is not a directory.
Result<BridgeTarget> target_of(const Invocation& in, const Adapter& adapter, Scope scope);

/// Carries a plan out, unless it is a dry run. Fails: as `carry_out`.
Result<void> carry_out_wanted(const Invocation& in, const BridgePlan& plan);

/// Tells what was done, or would be. `sentence` says it in one line.
int tell_plans(Invocation& in, const std::vector<BridgePlan>& plans, const std::string& sentence);

/// Says why it cannot be done. Nothing was changed then.
int report_bridge_error(Invocation& in, const Error& error);

}  // namespace grapnel::cli
