#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/verbs/bridging.h"

namespace grapnel::cli {

namespace {

// `grapnel install` first makes a plan with all changes (bridge/install.h), then carries it out. A dry run stops after
// the plan, so it shows exactly what would be written.

constexpr auto kInstallArguments = std::to_array({kAgentArgument});
constexpr auto kInstallOptions = std::to_array<OptionRow>({
    {"--scope", "", "user|project", "whose settings are changed (default: user)", ValueKind::Text},
    {"--events", "", "LIST", "only these events, with commas between them; 'all' for every one there is",
     ValueKind::Text},
    {"--on-missing", "", "pass|block",
     "what happens to tool calls when grapnel is gone: they pass with a warning, or stop (default: pass)",
     ValueKind::Text},
    kBridgeProjectOption,
    kDryRunOption,
    kJsonOption,
});

/// The agent's event of that name, which may also be canonical or from another agent. Fails: BadInput.
Result<const EventRow*> find_row(const Adapter& adapter, const std::string& name) {
  if (const EventRow* row = adapter.dialect->find_event(name)) return row;
  const auto kind = find_event(name);
  if (!kind) return std::unexpected(kind.error());
  if (const EventRow* row = adapter.dialect->find_event(*kind)) return row;
  return fail(Errc::BadInput, std::string(adapter.title) + " has no event " + std::string(to_string(*kind)));
}

/// The events to install, each only once. Fails: BadInput.
Result<std::vector<const EventRow*>> events_of(const Invocation& in, const Adapter& adapter) {
  const Arguments& args = in.args;
  if (!args.has("--events")) return wanted_events(in, adapter);
  std::vector<const EventRow*> rows;
  const std::string list = args.text("--events");
  // A plug-in is one file that passes on every event, so there is nothing to select.
  if (adapter.form == EntryForm::Plugin) {
    return fail(Errc::BadInput, "the plug-in for " + std::string(adapter.title) + " takes all events");
  }
  if (list == "all") return wirable_events(adapter);
  for (const std::string_view name : text::split(list, ',')) {
    const auto row = find_row(adapter, std::string(text::trim(name)));
    if (!row) return std::unexpected(row.error());
    const auto& left_alone = adapter.left_alone;
    if (std::ranges::find(left_alone, (*row)->kind) != left_alone.end()) {
      return fail(Errc::BadInput, std::string((*row)->wire_name) +
                                      " cannot be installed: a hook there does the work of " +
                                      std::string(adapter.title) + ", which grapnel cannot");
    }
    // Two canonical events can be the same event of the agent; it gets one entry.
    const auto is_same = [&](const EventRow* known) { return known->wire_name == (*row)->wire_name; };
    if (std::ranges::none_of(rows, is_same)) rows.push_back(*row);
  }
  return rows;
}

/// What is written into the settings: the program, the events, and what happens when the program is gone.
Result<Wiring> wiring_of(const Invocation& in, const BridgeTarget& target) {
  auto events = events_of(in, *target.adapter);
  if (!events) return std::unexpected(events.error());
  const auto on_missing = in.args.text("--on-missing") == "block" ? OnMissing::Block : OnMissing::Pass;
  return wiring_with(in.env, target, on_missing, std::move(*events));
}

int run_install(Invocation& in) {
  const auto adapter = adapter_of(in.args);
  if (!adapter) return report_input(in.console, adapter.error().message);
  const Scope scope = in.args.text("--scope") == "project" ? Scope::Project : Scope::User;
  const auto target = target_of(in, **adapter, scope);
  if (!target) return report_input(in.console, target.error().message);
  const auto wiring = wiring_of(in, *target);
  if (!wiring) return report_input(in.console, wiring.error().message);
  auto plan = plan_install(*target, *wiring, Manifest(in.env));
  if (!plan) return report_bridge_error(in, plan.error());
  if (auto done = carry_out_wanted(in, *plan); !done) return report_bridge_error(in, done.error());
  if (!in.args.has("--dry-run")) {
    if (auto noted = note_own_places(in.env); !noted) return report_bridge_error(in, noted.error());
  }
  const std::string title((*adapter)->title);
  const std::string sentence = plan->is_change()
                                   ? title + " calls grapnel at " + count_text(wiring->events.size(), "event") + " now."
                                   : title + " calls grapnel already; nothing was changed.";
  return tell_plans(in, {*plan}, sentence);
}

}  // namespace

const Command kInstall{
    .name = "install",
    .summary = "let an agent call grapnel, so that your hooks apply in it",
    .about =
        "Adds an entry to the agent's own settings for each of its events, which hands the event to `grapnel fire "
        "--bridge`. Everything else in the file stays as it is, byte for byte, and a copy is kept. Doing it twice "
        "changes nothing; `grapnel uninstall` restores what was there. If grapnel is gone one day, the entries "
        "report that and, with --on-missing block, stop tool calls until it is back. Settings of a project are shared: "
        "their entries call the grapnel in each person's PATH.",
    .arguments = kInstallArguments,
    .options = kInstallOptions,
    .examples = R"(  grapnel install claude
  grapnel install gemini --scope project --dry-run
  grapnel install codex --events PreToolUse,Stop --on-missing block
)",
    .run = run_install,
    .for_people = [](const Arguments& args) { return args.has("--dry-run") ? ForPeople::No : ForPeople::NotAgent; },
};

}  // namespace grapnel::cli
