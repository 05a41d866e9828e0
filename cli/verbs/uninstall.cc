#include <algorithm>

#include "cli/hook_source.h"
#include "cli/verbs/bridging.h"

namespace grapnel::cli {

namespace {

constexpr auto kUninstallArguments = std::to_array({kAgentArgument});
constexpr auto kUninstallOptions = std::to_array<OptionRow>({
    {"--scope", "", "user|project", "whose settings are restored (default: both)", ValueKind::Text},
    kBridgeProjectOption,
    kDryRunOption,
    kYesOption,
    kJsonOption,
});

/// Whether the settings of that scope are to be restored.
bool is_meant(const Arguments& args, Scope scope) {
  return !args.has("--scope") || args.text("--scope") == to_string(scope);
}

/// Restores the settings in each scope. Without `--scope`, a scope in which the agent has no settings is skipped; a
/// scope that the user names is reported.
Result<std::vector<BridgePlan>> take_back(const Invocation& in, const Adapter& adapter) {
  std::vector<BridgePlan> plans;
  for (const Scope scope : {Scope::User, Scope::Project}) {
    if (!is_meant(in.args, scope)) continue;
    const auto target = target_of(in, adapter, scope);
    if (!target) return std::unexpected(target.error());
    if (!settings_path(*target) && !in.args.has("--scope")) continue;
    auto plan = plan_uninstall(*target, Manifest(in.env));
    if (!plan) return std::unexpected(plan.error());
    if (auto done = carry_out_wanted(in, *plan); !done) return std::unexpected(done.error());
    plans.push_back(std::move(*plan));
  }
  return plans;
}

int run_uninstall(Invocation& in) {
  const auto adapter = adapter_of(in.args);
  if (!adapter) return report_input(in.console, adapter.error().message);
  const auto plans = take_back(in, **adapter);
  if (!plans) return report_bridge_error(in, plans.error());
  const std::string title((*adapter)->title);
  const bool is_change = std::ranges::any_of(*plans, &BridgePlan::is_change);
  return tell_plans(
      in, *plans,
      is_change ? title + " does not call grapnel any more." : title + " does not call grapnel; nothing was changed.");
}

}  // namespace

const Command kUninstall{
    .name = "uninstall",
    .summary = "take grapnel out of an agent's settings again",
    .about =
        "Restores the settings as they were before `grapnel install`, to the byte, also when there was no file. If "
        "they have been changed since, your changes stay and only the entries that call grapnel are removed.",
    .arguments = kUninstallArguments,
    .options = kUninstallOptions,
    .examples = R"(  grapnel uninstall claude
  grapnel uninstall gemini --scope project --dry-run
)",
    .run = run_uninstall,
    .for_people = [](const Arguments& args) { return args.has("--dry-run") ? ForPeople::No : ForPeople::Consent; },
};

}  // namespace grapnel::cli
