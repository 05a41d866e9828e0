#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "cli/agent/slash.h"
#include "cli/hook_text.h"

namespace grapnel::cli {

namespace {

/// The command needs a name and got none.
void say_usage(Conversation& conversation, std::string_view what) {
  conversation.ui.say("Usage: /hooks " + std::string(what) + " NAME; /hooks list shows the names.");
}

/// The number of hooks in all and per event. A hook that listens to several events counts for each.
void show_status(Conversation& conversation, const std::string& /*name*/) {
  const Engine& engine = conversation.session->engine();
  const auto counts = engine.hook_counts();
  conversation.ui.say("status  " + std::string(engine.is_enabled() ? "enabled" : "disabled"));
  conversation.ui.say("hooks   " + std::to_string(engine.hooks().size()));
  conversation.ui.say("events  " + std::to_string(counts.size()));
  for (const auto& [event, count] : counts) {
    conversation.ui.say("  " + std::string(to_string(event)) + "  " + std::to_string(count));
  }
  if (!counts.empty()) conversation.ui.say("/hooks list shows them.");
}

/// Why a hook would not run; "" when it would.
std::string state_of(const HookInfo& hook) {
  if (!hook.trusted) return "  not trusted";
  return hook.enabled ? "" : "  disabled";
}

/// One hook with its details; rows without a value are left out.
void show_hook(Conversation& conversation, const HookInfo& hook) {
  conversation.ui.say("  " + conversation.console.styled(Style::Bold, printable(hook.name)) + state_of(hook));
  const auto row = [&](std::string_view title, const std::string& text) {
    if (!text.empty()) conversation.ui.say("    " + std::string(title) + "  " + printable(text));
  };
  row("about  ", hook.description);
  row("matcher", hook.matcher);
  row(hook.command.empty() ? "action " : "command", hook.action);
  row("timeout", duration_text(hook.timeout));
  row("from   ", place_text(hook.source));
}

/// Grouped by event, so a hook that listens to several events appears several times.
void show_list(Conversation& conversation, const std::string& /*name*/) {
  const auto hooks = conversation.session->engine().hooks();
  if (hooks.empty()) {
    return conversation.ui.say("There are no hooks. `grapnel list` shows where they can be.");
  }
  for (const EventKind event : all_event_kinds()) {
    const auto is_for = [&](const HookInfo& hook) {
      return std::ranges::find(hook.events, event) != hook.events.end();
    };
    if (std::ranges::any_of(hooks, is_for)) conversation.ui.say(to_string(event));
    for (const HookInfo& hook : hooks) {
      if (is_for(hook)) show_hook(conversation, hook);
    }
  }
}

/// Suggests the name that looks most similar.
std::string unknown_hook(const Engine& engine, const std::string& name) {
  const auto hooks = engine.hooks();
  std::vector<std::string_view> names;
  for (const HookInfo& hook : hooks) names.push_back(hook.name);
  const std::string_view near = text::nearest(name, names);
  return "No hook is named '" + printable(name) + "'" +
         (near.empty() ? "; /hooks list shows them all." : "; did you mean '" + printable(near) + "'?");
}

/// Names need not be unique; one enabled hook of that name is enough.
bool is_on(const Engine& engine, const std::string& name) {
  return std::ranges::any_of(engine.hooks(), [&](const HookInfo& hook) { return hook.name == name && hook.enabled; });
}

/// Switches the hook and then checks its state again, because the engine does not always follow: managed hooks stay
/// enabled, and a hook may be disabled for another reason.
void switch_hook(Conversation& conversation, const std::string& name, bool on) {
  Engine& engine = conversation.session->engine();
  if (name.empty()) return say_usage(conversation, on ? "enable" : "disable");
  const bool was_on = is_on(engine, name);
  // `set_enabled` fails only when no hook has the name.
  if (!engine.set_enabled(name, on)) return conversation.ui.say(unknown_hook(engine, name));
  const std::string word = on ? "enabled" : "disabled";
  if (was_on == on) return conversation.ui.say("'" + printable(name) + "' is " + word + " already.");
  if (is_on(engine, name) != on) {
    return conversation.ui.say("'" + printable(name) + "' stays " + (on ? "disabled." : "enabled: it is managed."));
  }
  conversation.ui.say("'" + printable(name) + "' is " + word + " for this conversation.");
}

void enable_hook(Conversation& conversation, const std::string& name) {
  switch_hook(conversation, name, true);
}

void disable_hook(Conversation& conversation, const std::string& name) {
  switch_hook(conversation, name, false);
}

/// Turns the engine as a whole on or off; single hooks keep their own state.
void switch_all(Conversation& conversation, bool on) {
  Engine& engine = conversation.session->engine();
  const std::string word = on ? "enabled" : "disabled";
  if (engine.hooks().empty()) return conversation.ui.say("There are no hooks.");
  if (engine.is_enabled() == on) return conversation.ui.say("All hooks are " + word + " already.");
  engine.set_all_enabled(on);
  conversation.ui.say(count_text(engine.hooks().size(), "hook") + " " + word + " for this conversation.");
}

void enable_all(Conversation& conversation, const std::string& /*name*/) {
  switch_all(conversation, true);
}

void disable_all(Conversation& conversation, const std::string& /*name*/) {
  switch_all(conversation, false);
}

/// A row per subcommand. The empty name is `/hooks` alone.
struct HooksCommand {
  std::string_view name;
  void (*run)(Conversation& conversation, const std::string& name);
};
constexpr auto kHooksCommands = std::to_array<HooksCommand>({
    {"", show_status},
    {"status", show_status},
    {"list", show_list},
    {"enable", enable_hook},
    {"disable", disable_hook},
    {"enable-all", enable_all},
    {"disable-all", disable_all},
});

}  // namespace

void run_hooks_command(Conversation& conversation, std::string_view arguments) {
  const std::string name = text::to_lower(arguments.substr(0, arguments.find(' ')));
  const auto* const found = std::ranges::find(kHooksCommands, name, &HooksCommand::name);
  if (found == kHooksCommands.end()) {
    return conversation.ui.say("There is no /hooks " + printable(name) +
                               "; use status, list, enable, disable, enable-all or disable-all.");
  }
  found->run(conversation, std::string(text::trim(arguments.substr(name.size()))));
}

}  // namespace grapnel::cli
