#include <algorithm>
#include <filesystem>

#include "bridge/manifest.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"
#include "cli/serve/start.h"
#include "cli/table.h"
#include "discover/find/overrides.h"
#include "engine/leftovers.h"
#include "session/approvals.h"

namespace grapnel::cli {

namespace {

// One line for each thing that can be off: the hooks of the user, each project, each agent. What is looked at comes
// from discovery and from the checks of `grapnel doctor`, so that the verbs cannot disagree.

constexpr auto kStatusOptions = std::to_array<OptionRow>({
    kJsonOption,
    {"--project", "-p", "DIR", "the project that is shown first (default: found upwards from the current directory)",
     ValueKind::Directory},
});

/// One line. `off` says that a guard which exists does not work.
struct Line {
  std::string_view kind;  ///< `hooks`, `project`, `servers`, `agent`, `approval`, `leftover`, `server`
  std::string name;
  std::string_view state;  ///< one word
  bool off = false;
  std::string detail;
  std::string fix = {};  ///< a command, or ""
};

/// How many hooks of a set are in which condition.
struct Count {
  size_t on = 0;
  size_t observing = 0;
  size_t untrusted = 0;
  size_t disabled = 0;

  size_t all() const { return on + observing + untrusted + disabled; }
};

bool is_of_project(Scope scope) {
  return scope == Scope::Project || scope == Scope::Local;
}

Count count_hooks(const Registry& registry, bool of_project) {
  Count count;
  for (const HookSpec& hook : registry.hooks) {
    if (is_of_project(hook.scope) != of_project) continue;
    if (hook.trust == Trust::Untrusted) {
      ++count.untrusted;
    } else if (!hook.enabled) {
      ++count.disabled;
    } else if (hook.observes()) {
      ++count.observing;
    } else {
      ++count.on;
    }
  }
  return count;
}

/// What is wrong with the files of one side, the worst first: a broken file, one that is gone, single mistakes.
struct Trouble {
  const BrokenFile* unreadable = nullptr;
  const BrokenFile* lost = nullptr;
  const ConfigProblem* mistake = nullptr;
};

Trouble find_trouble(const Registry& registry, const std::string& project, bool of_project) {
  Trouble out;
  for (const BrokenFile& file : registry.broken) {
    if (is_of_project(file.scope) != of_project) continue;
    const bool is_lost = file.state != BrokenFile::State::Unreadable;
    if (is_lost && !file.was_trusted) continue;
    const BrokenFile*& place = is_lost ? out.lost : out.unreadable;
    // A file without a good version is worse than one that has one.
    if (place == nullptr || (file.good_from.empty() && !place->good_from.empty())) place = &file;
  }
  for (const ConfigProblem& problem : registry.problems) {
    const bool is_projects = !project.empty() && problem.at.file.starts_with(project + "/");
    if (problem.is_error() && is_projects == of_project && out.mistake == nullptr) out.mistake = &problem;
  }
  return out;
}

/// How many hooks are on, and what became of the others that are trusted.
std::string count_detail(const Count& count) {
  std::string out = count_text(count.on, "hook") + " on";
  if (count.observing > 0) out += ", " + std::to_string(count.observing) + " only observing";
  if (count.disabled > 0) out += ", " + std::to_string(count.disabled) + " disabled";
  return out;
}

/// The line of the user's own hooks, or of a project's.
Line hooks_line(const Registry& registry, const std::string& project, bool of_project) {
  const Count count = count_hooks(registry, of_project);
  const Trouble trouble = find_trouble(registry, project, of_project);
  Line line{of_project ? "project" : "hooks", of_project ? project : "yours", "on", false, count_detail(count)};
  if (count.all() == 0 && trouble.unreadable == nullptr && trouble.lost == nullptr) {
    line.state = "none";
    line.detail = "no hooks";
  }
  if (count.disabled > 0 || count.observing > 0) {
    const bool only_observe = count.on == 0 && count.disabled == 0;
    line = {line.kind, line.name, only_observe ? "observe" : "partly", true, line.detail, "grapnel list"};
  }
  if (trouble.mistake != nullptr) {
    line = {
        line.kind,      line.name, "mistake", true, place_text(trouble.mistake->at) + ": " + trouble.mistake->message,
        "grapnel check"};
  }
  if (count.untrusted > 0) {
    line = {line.kind,
            line.name,
            "untrusted",
            true,
            std::to_string(count.untrusted) + " of " + count_text(count.all(), "hook") + " not trusted",
            "grapnel trust"};
  }
  if (trouble.lost != nullptr) {
    line = {line.kind,
            line.name,
            "lost",
            true,
            place_text(trouble.lost->at) + " no longer has its " + count_text(trouble.lost->good_hooks, "hook"),
            "grapnel trust"};
  }
  if (trouble.unreadable != nullptr) {
    const BrokenFile& file = *trouble.unreadable;
    const bool holds = !file.good_from.empty();
    line = {line.kind,
            line.name,
            holds ? "last-good" : "broken",
            true,
            place_text(file.at) + (holds ? " is broken; its version of " + file.good_from + " holds" : ": " + file.why),
            "grapnel check"};
  }
  return line;
}

/// The project that is asked about, and all others that have trusted hooks. Projects that were removed are left out,
/// and so are directories inside of the first one.
std::vector<ProjectDirs> projects_of(const Environment& env, const ProjectDirs& first) {
  std::vector<ProjectDirs> out{first};
  const auto known = trust_store(env).all();
  std::error_code error;
  for (const auto& [name, digests] : known.value_or(TrustedProjects{})) {
    const bool is_inside = name == first.root || name.starts_with(first.root + "/");
    if (!is_inside && std::filesystem::is_directory(name, error)) out.push_back({name});
  }
  return out;
}

/// A line for a project's MCP servers, if some of them wait for trust.
void add_servers(const Invocation& in, const ProjectDirs& project, std::vector<Line>& lines) {
  const FoundServers found = servers_of(project, in.env);
  const auto waiting = std::ranges::count_if(found.servers, [](const ServerSpec& one) { return !one.is_trusted(); });
  if (waiting == 0) return;
  lines.push_back({"servers", project.root, "untrusted", true,
                   count_text(static_cast<size_t>(waiting), "MCP server") + " not trusted", "grapnel trust"});
}

/// One line for each agent that calls Grapnel, with what `grapnel doctor` finds about its entries.
void add_agents(const Invocation& in, bool has_hooks, std::vector<Line>& lines) {
  Findings findings;
  check_bridges({in.env, "", in.env.state_dir(), "", {}}, findings);
  const auto bridges = Manifest(in.env).load();
  if (!bridges) return lines.push_back({"agent", "all", "unknown", true, bridges.error().message, "grapnel doctor"});
  for (const Installed& bridge : *bridges) {
    const std::string& settings = bridge.files.front().path;
    const auto finding = std::ranges::find(findings, settings, [](const Finding& f) { return f.at.file; });
    Line line{"agent", bridge.agent, "on", false, settings};
    if (finding != findings.end()) {
      line = {"agent", bridge.agent, "off", true, finding->what, install_command(bridge)};
    }
    lines.push_back(std::move(line));
  }
  if (!bridges->empty()) return;
  lines.push_back({"agent", "any", has_hooks ? "off" : "none", has_hooks, "no agent calls grapnel", "grapnel install"});
}

std::vector<Line> collect(const Invocation& in, const ProjectDirs& project) {
  std::vector<Line> lines;
  bool has_hooks = false;
  for (const ProjectDirs& one : projects_of(in.env, project)) {
    const Registry registry = registry_of(in, one);
    if (one == project) lines.push_back(hooks_line(registry, one.root, false));
    lines.push_back(hooks_line(registry, one.root, true));
    if (one == project) add_servers(in, one, lines);
    has_hooks |= !registry.hooks.empty();
  }
  add_agents(in, has_hooks, lines);
  for (const SessionState::Approved& approved : stored_approvals(in.env.runtime_dir())) {
    lines.push_back({"approval", approved.session, "on", false,
                     approved.pattern.empty() ? "exactly this: " + approved.subject : approved.pattern});
  }
  for (const KnownLeftover& left : running_leftovers(in.env.state_dir() + "/leftovers.jsonl")) {
    lines.push_back({"leftover", left.hook, "running", false,
                     left.process.name + " (" + std::to_string(left.process.pid) + "), since " + time_text(left.time)});
  }
  const bool is_served = ask_server(in.env, "status").has_value();
  lines.push_back({"server", "", is_served ? "running" : "stopped", false, is_served ? "" : "fire works without it"});
  if (read_overrides(in.env).disable_all) {
    lines.insert(lines.begin(),
                 {"hooks", "all", "off", true, "the environment switches all hooks off", "unset GRAPNEL_DISABLE"});
  }
  return lines;
}

Json line_json(const Line& line) {
  return Json::object({{"kind", Json::string(line.kind)},
                       {"name", Json::string(line.name)},
                       {"state", Json::string(line.state)},
                       {"off", Json::boolean(line.off)},
                       {"detail", Json::string(line.detail)},
                       {"fix", line.fix.empty() ? Json() : Json::string(line.fix)}});
}

/// A path as people would type it, if the text begins with one.
std::string with_tilde(const std::string& text, const Environment& env) {
  const std::string home = env.home();
  const bool is_below = home.size() > 1 && text.starts_with(home + "/");
  return is_below ? "~" + text.substr(home.size()) : text;
}

std::string status_table(const std::vector<Line>& lines, const Console& console, const Environment& env) {
  Table table({{""}, {"", 12, Keep::End}, {""}, {"", 20}});
  for (const Line& line : lines) {
    const Style style = line.off ? Style::Red : line.state == "on" ? Style::Green : Style::Dim;
    table.add({{std::string(line.kind)},
               {with_tilde(line.name, env)},
               {std::string(line.state), style},
               {with_tilde(line.detail, env)}});
  }
  return table.text(console);
}

/// The answer in words, and what helps.
std::string status_summary(const std::vector<Line>& lines, const Console& console, const Environment& env) {
  const auto off = static_cast<size_t>(std::ranges::count(lines, true, &Line::off));
  if (off == 0) return "All guards that exist are on.\n";
  Table table({{""}, {"", 12, Keep::End}, {""}});
  for (const Line& line : lines) {
    if (line.off && !line.fix.empty())
      table.add({{"  " + std::string(line.kind)}, {with_tilde(line.name, env)}, {line.fix}});
  }
  const std::string what = off == 1 ? "One line is off." : std::to_string(off) + " lines are off.";
  return table.empty() ? what + "\n" : what + " To find out more, or to repair it:\n" + table.text(console);
}

int run_status(Invocation& in) {
  auto project = project_dirs(in);
  if (!project) return report_input(in.console, project.error().message);
  project->root = canonical_directory(project->root);
  const std::vector<Line> lines = collect(in, *project);
  const auto off = static_cast<size_t>(std::ranges::count(lines, true, &Line::off));
  if (in.args.has("--json")) {
    std::vector<Json> list;
    for (const Line& line : lines) list.push_back(line_json(line));
    in.console.out(
        Json::object({{"ok", Json::boolean(off == 0)}, {"lines", Json::array(list)}}).dump(JsonStyle::Pretty) + "\n");
  } else {
    in.console.out(status_table(lines, in.console, in.env) + "\n" + status_summary(lines, in.console, in.env));
  }
  return off == 0 ? kOk : kNo;
}

}  // namespace

const Command kStatus{
    .name = "status",
    .summary = "are my guards on? One line for each agent and project",
    .about =
        "Shows on one screen whether the guards that exist work: your own hooks, the hooks of this project and of "
        "every "
        "project that you trusted, and the agents that call grapnel. A line that is red says what is off and which "
        "command helps. The exit status is 1 when something is off.",
    .arguments = {},
    .options = kStatusOptions,
    .examples = R"(  grapnel status
  grapnel status --json | jq -r '.lines[] | select(.off) | .detail'
)",
    .run = run_status,
};

}  // namespace grapnel::cli
