#include <algorithm>
#include <map>

#include "base/text.h"
#include "bridge/matrix.h"
#include "cli/hook_source.h"
#include "cli/table.h"
#include "cli/verbs/bridging.h"

namespace grapnel::cli {

namespace {

// `grapnel agents` shows the tables of the dialects in three forms: an overview, everything about one agent, and the
// page docs/agents.md. Nothing is written by hand, so the three cannot disagree with what Grapnel does.

constexpr auto kAgentsArguments = std::to_array<ArgumentRow>({
    {"AGENT", "show everything about this agent (default: an overview of all agents)", ValueKind::Agent},
});
constexpr auto kAgentsOptions = std::to_array<OptionRow>({
    {"--markdown", "", "", "print the whole matrix as a page, docs/agents.md"},
    kJsonOption,
});

/// The width of the labels in front of the lines about one agent.
constexpr size_t kAgentLabelWidth = 12;

std::string labelled(std::string_view label, std::string_view text) {
  return "  " + std::string(label) + std::string(kAgentLabelWidth - label.size(), ' ') + std::string(text) + "\n";
}

/// The path as people would type it: below the current directory or the home directory.
std::string path_text(const std::string& path, const Environment& env) {
  const std::string home = std::string(env.get("HOME")) + "/";
  const bool is_at_home = home.size() > 1 && path.starts_with(home) && short_path(path) == path;
  return is_at_home ? "~/" + path.substr(home.size()) : short_path(path);
}

/// The settings files in which the agent already calls grapnel, or "".
std::string installed_text(const std::vector<Installed>& all, const Adapter& adapter, const Environment& env) {
  std::string out;
  for (const Installed& bridge : all) {
    if (bridge.agent != adapter.agent) continue;
    out += (out.empty() ? "" : ", ") + path_text(bridge.files.front().path, env);
  }
  return out;
}

/// One line for each agent.
std::string overview(const Invocation& in) {
  const auto installed = Manifest(in.env).load().value_or(std::vector<Installed>{});
  Table table(
      {{"agent"}, {"title", 10}, {"verified", 10}, {"events", 0, Keep::Start, true}, {"installed in", 16, Keep::End}});
  for (const Adapter& adapter : all_adapters()) {
    const std::string where = installed_text(installed, adapter, in.env);
    const std::string_view verified = adapter.dialect->verified;
    table.add({{std::string(adapter.agent), Style::Bold},
               {std::string(adapter.title)},
               {std::string(verified.empty() ? "unverified" : verified)},
               {std::to_string(every_event(adapter).size())},
               {where.empty() ? "-" : where}});
  }
  return table.text(in.console);
}

/// What an agent does with the effects of hooks at one event, grouped by how well that works.
std::string event_text(const EventRow& row, const Adapter& adapter, size_t width) {
  std::map<Fit::How, std::vector<std::string>> by_how;
  for (const Wish wish : wishes_at(row.kind)) {
    const Fit told = fit(row, wish);
    const std::string becomes = told.how == Fit::How::Degrades ? " becomes " + std::string(told.to) : "";
    by_how[told.how].push_back(std::string(to_string(wish)) + becomes);
  }
  const std::string name(spelling_of(*adapter.dialect, row));
  // The canonical name follows in brackets if the agent spells the event differently.
  const bool is_other = name != to_string(row.kind);
  std::string out = name + (is_other ? " (" + std::string(to_string(row.kind)) + ")" : "") + "\n";
  const auto line = [&](Fit::How how, std::string_view label) {
    if (!by_how[how].empty())
      out += labelled(label, wrap_words(text::join(by_how[how], ", "), kAgentLabelWidth + 2, width));
  };
  line(Fit::How::Works, "works");
  line(Fit::How::Degrades, "degrades");
  line(Fit::How::Impossible, "impossible");
  return out;
}

/// Everything about one agent: how well it was verified, its settings, and all its events.
std::string agent_text(const Adapter& adapter, const Console& console) {
  std::string out = console.styled(Style::Bold, adapter.title) + ", " +
                    (adapter.dialect->verified.empty() ? "unverified: from its documents"
                                                       : "verified with " + std::string(adapter.dialect->verified)) +
                    "\n";
  for (const Scope scope : {Scope::User, Scope::Project}) {
    const std::string name = settings_name(adapter, scope);
    if (!name.empty()) out += labelled(to_string(scope), name);
  }
  for (const EventRow* row : every_event(adapter)) out += "\n" + event_text(*row, adapter, console.width());
  return out;
}

/// All agents as JSON, or only one.
int print_json(Invocation& in, const Adapter* only) {
  std::vector<Json> agents;
  for (const Adapter& adapter : all_adapters()) {
    if (only == nullptr || only == &adapter) agents.push_back(agent_json(adapter));
  }
  in.console.out(Json::object({{"agents", Json::array(agents)}}).dump(JsonStyle::Pretty) + "\n");
  return kOk;
}

int run_agents(Invocation& in) {
  // Null stands for all agents.
  const Adapter* only = nullptr;
  if (in.args.has("AGENT")) {
    const auto adapter = adapter_of(in.args);
    if (!adapter) return report_input(in.console, adapter.error().message);
    only = *adapter;
  }
  if (in.args.has("--json")) return print_json(in, only);
  if (in.args.has("--markdown")) {
    in.console.out(agents_page());
  } else {
    in.console.out(only == nullptr ? overview(in) : agent_text(*only, in.console));
  }
  return kOk;
}

}  // namespace

const Command kAgents{
    .name = "agents",
    .summary = "what works in which agent, and where grapnel is installed",
    .about =
        "Lists the agents that `grapnel install` knows, the version each was verified with, and the settings that "
        "already call grapnel. With an agent's name it shows which effects of hooks work at which of its events, what "
        "the others become, and which are impossible.",
    .arguments = kAgentsArguments,
    .options = kAgentsOptions,
    .examples = R"(  grapnel agents
  grapnel agents codex
  grapnel agents --json | jq -r '.agents[] | select(.verified) | .agent'
)",
    .run = run_agents,
};

}  // namespace grapnel::cli
