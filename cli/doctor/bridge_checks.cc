#include <unistd.h>

#include <algorithm>

#include "bridge/install.h"
#include "cli/doctor/doctor.h"
#include "cli/hook_text.h"
#include "cli/waiting_person.h"
#include "discover/find/ask_setting.h"
#include "os/resolve.h"

namespace grapnel::cli {

namespace {

/// What repairs a bridge.
std::string install_line(const Installed& bridge) {
  return "run `" + install_command(bridge) + "`" + (bridge.scope == Scope::Project ? " in that project" : "");
}

/// Reports a bridge whose program is gone, for example after it was moved or removed without `grapnel uninstall`.
/// Settings of a project name no path: their program has to be in PATH.
void check_program(const Installed& bridge, const Adapter& adapter, const Environment& env, Findings& findings) {
  const bool is_shared = bridge.program == kProgramName;
  const auto found = is_shared ? os::find_executable(bridge.program, env.get("PATH"), "/") : bridge.program;
  if (found && ::access(found->c_str(), X_OK) == 0) return;
  const bool blocks = bridge.on_missing == OnMissing::Block;
  findings.push_back(
      {"bridges",
       Severity::Error,
       std::string(adapter.title) + " calls " + bridge.program +
           (is_shared ? ", which is not in PATH" : ", which no longer exists"),
       {bridge.files.front().path, 0, 0},
       blocks ? "its tool calls are blocked" : "none of your hooks runs in it, and it only shows a message",
       is_shared ? "put the directory of grapnel into PATH"
                 : install_line(bridge) + " with the grapnel that is there now"});
}

/// Reports a bridge that has lost entries. Agents or people may have rewritten the settings since; settings that cannot
/// be read at all count as having lost all entries.
void check_events(const Installed& bridge, const Adapter& adapter, Findings& findings) {
  const std::string& settings = bridge.files.front().path;
  const auto wired = wired_events(adapter, settings);
  size_t missing = bridge.events.size();
  if (wired) {
    missing = static_cast<size_t>(std::ranges::count_if(
        bridge.events, [&](const std::string& event) { return std::ranges::find(*wired, event) == wired->end(); }));
  }
  if (missing == 0) return;
  findings.push_back({"bridges",
                      Severity::Warning,
                      std::string(adapter.title) + " has lost " + std::to_string(missing) + " of " +
                          std::to_string(bridge.events.size()) + " entries that call grapnel",
                      {settings, 0, 0},
                      "your hooks do not run at these events",
                      install_line(bridge) + ", or `grapnel uninstall " + bridge.agent + "` if you meant it"});
}

/// Reports hooks for events at which the agent does not call Grapnel: they were written after the installation, or the
/// user chose the events.
void check_hooks(const Installed& bridge, const Adapter& adapter, const Registry& registry, Findings& findings) {
  const auto is_called = [&](const EventRow* row) {
    return std::ranges::find(bridge.events, spelling_of(*adapter.dialect, *row)) != bridge.events.end();
  };
  for (const EventRow* row : wirable_events(adapter)) {
    const auto hook = std::ranges::find_if(registry.hooks, [&](const HookSpec& one) {
      return one.enabled && one.dialect != adapter.dialect && one.listens_to(row->kind);
    });
    if (hook == registry.hooks.end() || is_called(row) || adapter.form == EntryForm::Plugin) continue;
    findings.push_back({"bridges", Severity::Warning,
                        "hook '" + hook->name + "' is for " + std::string(row->wire_name) + ", at which " +
                            std::string(adapter.title) + " does not call grapnel",
                        hook->source, "the hook does not run in this agent", install_line(bridge) + " again"});
  }
}

/// Reports an agent that does not wait for a hook as long as people want to be waited for.
void check_patience(const Installed& bridge, const Adapter& adapter, const Environment& env, Findings& findings) {
  const AskSetting setting = read_ask_setting({"/", "", &env});
  const auto patience =
      patience_for(env, adapter.agent, EventKind::PreToolUse, setting.wait, std::chrono::milliseconds(0));
  if (!setting.in_page || patience >= setting.wait) return;
  const std::string& settings = bridge.files.front().path;
  const auto usual = entry_timeout(adapter, EventKind::PreToolUse) * adapter.dialect->timeouts.unit;
  const bool is_changed = wired_timeout(adapter, settings, EventKind::PreToolUse).value_or(usual) < usual;
  const std::string shorter = "write ask_wait: " + std::to_string(patience.count() / 1000) + "s";
  findings.push_back({"bridges",
                      Severity::Warning,
                      std::string(adapter.title) + " does not wait " + duration_text(setting.wait) + " for a hook",
                      {is_changed ? settings : grapnel_settings_files({"/", "", &env})[1], 0, 0},
                      "a question waits there for " + duration_text(patience) + " only",
                      is_changed ? install_line(bridge) + " again, which sets the timeout to " + duration_text(usual) +
                                       ", or " + shorter
                                 : shorter});
}

}  // namespace

std::string install_command(const Installed& bridge) {
  return "grapnel install " + bridge.agent + (bridge.scope == Scope::Project ? " --scope project" : "");
}

// The manifest lists what `grapnel install` did. Each bridge is compared with the files as they are now.
void check_bridges(const DoctorContext& patient, Findings& findings) {
  const auto bridges = Manifest(patient.env).load();
  if (!bridges) {
    findings.push_back({"bridges", Severity::Error, bridges.error().message, bridges.error().at.value_or(SourcePos{}),
                        "grapnel does not know which agents call it, and cannot install anything",
                        "remove that file and install again"});
    return;
  }
  for (const Installed& bridge : *bridges) {
    const Adapter* adapter = find_adapter(bridge.agent);
    // An agent that this version does not know cannot be checked.
    if (adapter == nullptr) continue;
    check_program(bridge, *adapter, patient.env, findings);
    check_events(bridge, *adapter, findings);
    check_hooks(bridge, *adapter, patient.registry, findings);
    check_patience(bridge, *adapter, patient.env, findings);
  }
}

}  // namespace grapnel::cli
