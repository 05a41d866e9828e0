#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "cli/ask_journal.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"
#include "cli/table.h"

namespace grapnel::cli {

namespace {

// `grapnel list` shows what an engine in this project would know. Two more sources are asked for each hook: the
// journal, for how often it ran, and the trust history, for whether it has changed.

constexpr auto kOwnListOptions = std::to_array<OptionRow>({
    {"--event", "-e", "EVENT", "only hooks of that event", ValueKind::Event},
    {"--verbose", "-v", "", "show all about each hook: matcher, timeout, source, how often it fired"},
    kJsonOption,
    {"--prompt", "", "", "print names and descriptions as a model is told about them"},
});
constexpr auto kListOptions = joined(kOwnListOptions, kHookSourceOptions);

/// The width of the labels in front of each line of a hook.
constexpr size_t kLabelWidth = 9;

/// Whether a hook of that name was trusted before it changed.
bool was_trusted(const HookInfo& hook, const std::vector<PinnedHook>& before) {
  return std::ranges::find(before, hook.name, &PinnedHook::name) != before.end();
}

/// Whether the hook is enabled and trusted. A hook without a digest needs no trust.
std::string state_text(const HookInfo& hook, const std::vector<PinnedHook>& before, const Console& console) {
  std::string state =
      hook.enabled ? console.styled(Style::Green, "enabled") : console.styled(Style::Yellow, "disabled");
  if (hook.observes) state += ", " + console.styled(Style::Yellow, "only observes");
  if (hook.warm) state += ", warm";
  if (!hook.trusted) {
    state += ", " + console.styled(Style::Red, "untrusted");
    return was_trusted(hook, before) ? state + ": changed since it was trusted" : state;
  }
  return hook.digest.empty() ? state : state + ", trusted";
}

/// The same in one word, with the colour that says whether to worry.
Cell state_cell(const HookInfo& hook, const std::vector<PinnedHook>& before) {
  if (hook.action.empty() && hook.handler != "callback") return {"never runs", Style::Yellow};
  if (!hook.enabled) return {"disabled", Style::Yellow};
  if (!hook.trusted) return {was_trusted(hook, before) ? "changed" : "untrusted", Style::Red};
  if (hook.observes) return {"observes", Style::Yellow};
  return {"enabled", Style::Green};
}

/// One line for each hook.
std::string table_text(const std::vector<HookInfo>& hooks, const std::vector<PinnedHook>& before,
                       const Console& console) {
  Table table({{"hook", 16}, {"event", 12}, {"does", 16}, {"state"}});
  for (const HookInfo& hook : hooks) {
    table.add(
        {{hook.name}, {events_text(hook)}, {hook.action.empty() ? "nothing" : hook.action}, state_cell(hook, before)});
  }
  return table.text(console) + "\n";
}

/// `12 times, last 2026-01-31 10:30:05`. A hook that never ran although it had many chances gets a hint.
std::string fired_text(const Json& fired, const Console& console) {
  const auto runs = static_cast<size_t>(fired["runs"].as_integer().value_or(0));
  const std::string events = count_text(static_cast<size_t>(fired["own_events"].as_integer().value_or(0)), "event");
  if (runs > 0) return count_text(runs, "time") + ", last " + time_text(fired["last"].as_string().value_or(""));
  if (fired["silent"].as_bool() != true) return "never, in " + events + " of its kind";
  return console.styled(Style::Yellow, "never, in " + events + " of its kind; `grapnel why --hook` explains it");
}

/// Everything about one hook, a line each.
std::string hook_block(const HookInfo& hook, const Json& fired, const std::vector<PinnedHook>& before,
                       const Console& console) {
  std::string out = console.styled(Style::Bold, printable(hook.name)) + "\n";
  if (!hook.description.empty()) out += "  about    " + printable(hook.description) + "\n";
  out += "  event    " + events_text(hook);
  if (!hook.matcher.empty()) out += ", when " + printable(hook.matcher);
  const std::string label = action_label(hook);
  out += "\n  " + label + std::string(kLabelWidth - label.size(), ' ') + action_text(hook) + "\n";
  const std::string pack = pack_of(hook.source.file);
  out += "  source   " + place_text({hook.source.file, hook.source.line, 0}) + "  (" + hook.dialect + ", " +
         hook.scope + (pack.empty() ? "" : ", pack " + printable(pack)) + ")\n";
  if (!hook.sandbox.empty()) out += "  sandbox  " + printable(hook.sandbox) + "\n";
  if (fired) out += "  fired    " + fired_text(fired, console) + "\n";
  return out + "  state    " + state_text(hook, before, console) + "\n\n";
}

std::string total_text(const std::vector<HookInfo>& hooks) {
  const auto disabled = std::ranges::count(hooks, false, &HookInfo::enabled);
  const auto untrusted = std::ranges::count(hooks, false, &HookInfo::trusted);
  std::set<std::string> files;
  std::map<std::string, size_t> packs;
  for (const HookInfo& hook : hooks) {
    files.insert(hook.source.file);
    if (const std::string pack = pack_of(hook.source.file); !pack.empty()) ++packs[pack];
  }
  std::string out = count_text(hooks.size(), "hook") + " in " + count_text(files.size(), "file");
  for (const auto& [pack, count] : packs) out += ", " + std::to_string(count) + " of the pack " + printable(pack);
  if (disabled > 0) out += ", " + std::to_string(disabled) + " disabled";
  if (untrusted > 0) out += ", " + std::to_string(untrusted) + " untrusted (`grapnel trust` shows them)";
  return out + "\n";
}

/// What to do when there are no hooks: repair the files, or write some.
std::string hint_text(const Invocation& in, const EngineOptions& options) {
  if (!existing_files(in, options).empty()) {
    return "The hook files here contain no usable hooks; run `grapnel check` to see why.\n";
  }
  return "There are no hooks here. `grapnel init` sets up rules for common jobs, `grapnel new` writes one,\n"
         "and --config names a file with hooks.\n";
}

/// The state of an MCP server in the words of hooks.
Cell server_state(const ServerSpec& server, const std::vector<PinnedHook>& before) {
  if (!server.enabled) return {"disabled", Style::Yellow};
  if (server.is_trusted()) return {"enabled", Style::Green};
  const bool has_changed = std::ranges::find(before, server.trusted.name, &PinnedHook::name) != before.end();
  return {has_changed ? "changed" : "untrusted", Style::Red};
}

/// The MCP servers that `grapnel agent` would connect to; "" if there are none.
std::string servers_text(const FoundServers& found, const std::vector<PinnedHook>& before, const Console& console) {
  if (found.servers.empty()) return "";
  Table table({{"MCP server", 12}, {"from", 12, Keep::End}, {"address", 16}, {"state"}});
  for (const ServerSpec& server : found.servers) {
    table.add({{server.name},
               {place_text({server.source.file, server.source.line, 0})},
               {server.address()},
               server_state(server, before)});
  }
  return "\n" + table.text(console);
}

Json server_json(const ServerSpec& server) {
  return Json::object({{"name", Json::string(server.name)},
                       {"dialect", Json::string(server.dialect->name)},
                       {"scope", Json::string(to_string(server.scope))},
                       {"source", to_json(server.source)},
                       {"address", Json::string(server.address())},
                       {"enabled", Json::boolean(server.enabled)},
                       {"trusted", Json::boolean(server.is_trusted())}});
}

/// The list for people. Remarks go to standard error, so that they do not mix with the list in a pipe.
void print_text(Invocation& in, const Engine& engine, const std::vector<HookInfo>& hooks,
                const EngineOptions& options) {
  const std::vector<PinnedHook> before = trusted_before(in.env, {options.project_dir, options.project_parts});
  if (in.args.has("--verbose")) {
    const Json fired = ask_journal(in.env, "fired");
    for (const HookInfo& hook : hooks) in.console.out(hook_block(hook, fired[hook.name], before, in.console));
  } else if (!hooks.empty()) {
    in.console.out(table_text(hooks, before, in.console));
  }
  if (!hooks.empty()) {
    in.console.out(total_text(hooks));
  } else if (in.args.has("--event") && !engine.hooks().empty()) {
    in.console.out("No hook listens to " + in.args.text("--event") + ".\n");
  } else {
    in.console.out(hint_text(in, options));
  }
  const FoundServers servers = servers_of({options.project_dir, options.project_parts}, in.env);
  if (!in.args.has("--event")) in.console.out(servers_text(servers, before, in.console));
  if (const std::string remark = remark_on_problems(engine); !remark.empty()) in.console.say(remark);
  // A file that cannot be read at all is already among the errors of the hooks.
  const auto known = engine.problems();
  for (const ConfigProblem& problem : servers.problems) {
    const bool is_known = std::ranges::find(known, problem.at, &ConfigProblem::at) != known.end();
    if (!is_known) in.console.say(printable(problem.to_string()));
  }
  if (!engine.is_enabled()) in.console.say("all hooks are switched off by GRAPNEL_DISABLE");
}

void print_json(Invocation& in, const Engine& engine, const std::vector<HookInfo>& hooks,
                const EngineOptions& options) {
  std::vector<Json> list;
  // Missing when there is no journal: the list is useful without it.
  const Json fired = ask_journal(in.env, "fired");
  for (const HookInfo& hook : hooks) list.push_back(to_json(hook).with("fired", fired[hook.name]));
  std::vector<Json> servers;
  for (const ServerSpec& server : servers_of({options.project_dir, options.project_parts}, in.env).servers) {
    servers.push_back(server_json(server));
  }
  const Json json = Json::object({{"project", Json::string(options.project_dir)},
                                  {"hooks", Json::array(list)},
                                  {"servers", Json::array(servers)},
                                  {"total", Json::number(static_cast<int64_t>(list.size()))},
                                  {"all_enabled", Json::boolean(engine.is_enabled())},
                                  {"problems", Json::number(static_cast<int64_t>(engine.problems().size()))}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
}

int run_list(Invocation& in) {
  std::optional<EventKind> event;
  if (in.args.has("--event")) {
    const auto found = find_event(in.args.text("--event"));
    if (!found) return report_input(in.console, found.error().message);
    event = *found;
  }
  auto project = project_dirs(in);
  if (!project) return report_input(in.console, project.error().message);
  const auto open = open_hooks(in, std::move(*project));
  if (!open) return report_input(in.console, open.error().message);
  std::vector<HookInfo> hooks = open->engine->hooks();
  std::erase_if(hooks, [&](const HookInfo& hook) {
    return event && std::ranges::find(hook.events, *event) == hook.events.end();
  });
  if (in.args.has("--prompt")) {
    const std::string text = describe_to_model(hooks);
    const Json json = Json::object({{"prompt", Json::string(text)}});
    in.console.out(in.args.has("--json") ? json.dump(JsonStyle::Pretty) + "\n" : text);
  } else if (in.args.has("--json")) {
    print_json(in, *open->engine, hooks, open->options);
  } else {
    print_text(in, *open->engine, hooks, open->options);
  }
  return kOk;
}

}  // namespace

const Command kList{
    .name = "list",
    .summary = "show every configured hook and where it comes from",
    .about =
        "Lists all hooks that apply here, in the order in which they run: from managed files, from your own files "
        "and from the project's, in every dialect: a line for each, with its events, what it does, and whether it is "
        "enabled and trusted (`changed`: it was trusted before it changed). With --verbose it shows the matcher, the "
        "timeout and the source as well, and how often it fired and when last as far as the journal knows. MCP servers "
        "that `grapnel agent` would use come after the hooks.",
    .arguments = {},
    .options = kListOptions,
    .examples = R"(  grapnel list
  grapnel list --event PreToolUse --verbose
  grapnel list --project ~/src/app --json
  grapnel list --prompt
)",
    .run = run_list,
};

}  // namespace grapnel::cli
