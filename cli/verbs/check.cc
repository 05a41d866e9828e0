#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/text.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/pack/pack_home.h"
#include "cli/project_hooks.h"
#include "cli/warm_text.h"
#include "dialect/dialect.h"
#include "discover/discover.h"
#include "discover/find/overrides.h"
#include "discover/formats/hook_md.h"
#include "discover/formats/rule_checks.h"
#include "engine/protected_places.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

// `grapnel check` reads the files as an engine does, so what it reports is what an event would run into. Three kinds of
// problems are put together: errors of the readers, hooks that never run, and doubtful rules.

constexpr auto kCheckArguments = std::to_array<ArgumentRow>({
    {"FILE", "settings files, hook directories or packs to check (default: all that apply here)", ValueKind::File,
     false, true},
});
constexpr auto kCheckOptions = std::to_array<OptionRow>({
    kJsonOption,
    {"--dialect", "", "NAME", "the dialect of the files (default: detected from their content)", ValueKind::Dialect},
    {"--project", "-p", "DIR",
     "the project whose hook files are checked (default: found upwards from the current directory)",
     ValueKind::Directory},
});

/// A longer line is shown from a point shortly before the column of the problem.
constexpr size_t kMaxLine = 160;

/// The line of the file that a problem points at, or "".
std::string source_line(const SourcePos& at, size_t max_bytes) {
  const auto content = os::read_file(at.file, max_bytes);
  if (!content || at.line == 0) return "";
  const auto lines = text::split(*content, '\n');
  return at.line <= lines.size() ? std::string(lines[at.line - 1]) : "";
}

/// The line with its number, and a caret below the column. The caret is placed by the columns of the printed text,
/// because control characters are spelled out and some characters have several bytes.
std::string excerpt(const SourcePos& at, const std::string& line, const Console& console) {
  if (line.empty() || at.column == 0 || at.column > line.size() + 1) return "";
  const size_t column = at.column - 1;
  const size_t start = line.size() > kMaxLine && column > kMaxLine / 2 ? column - kMaxLine / 2 : 0;
  const std::string before = printable(line.substr(start, column - start));
  const std::string after = printable(text::trim(line.substr(column, kMaxLine)));
  size_t width = 0;
  for (const char c : before) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  const std::string number = std::to_string(at.line);
  return console.styled(Style::Dim, "  " + number + " | ") + before + after + "\n" +
         console.styled(Style::Dim, "  " + std::string(number.size(), ' ') + " | ") + std::string(width, ' ') +
         console.styled(Style::Bold, "^") + "\n";
}

/// A problem with its place, its line and a hint.
std::string problem_block(const ConfigProblem& problem, size_t max_bytes, const Console& console) {
  const std::string place = place_text(problem.at);
  std::string out = place.empty() ? "" : console.styled(Style::Bold, place) + ": ";
  out += problem.is_error() ? console.styled(Style::Red, "error: ") : console.styled(Style::Yellow, "warning: ");
  out += printable(problem.message) + "\n";
  out += excerpt(problem.at, source_line(problem.at, max_bytes), console);
  if (!problem.hint.empty()) out += "  hint: " + printable(problem.hint) + "\n";
  return out + "\n";
}

/// Whose format the named files have, by file. A file without hooks is not in the list, and neither is a rule file,
/// whose name says what it is.
std::map<std::string, std::string> dialects_of(const std::vector<std::string>& named,
                                               const std::vector<HookInfo>& hooks) {
  std::map<std::string, std::string> out;
  for (const HookInfo& hook : hooks) {
    const bool is_named = std::ranges::find(named, hook.source.file) != named.end();
    if (is_named && hook.dialect != kGrapnelDialect.name) out.emplace(hook.source.file, hook.dialect);
  }
  return out;
}

/// The dialects of these files for the last line, ` (claude, gemini)`, or "".
std::string dialects_text(const std::map<std::string, std::string>& dialects) {
  std::set<std::string_view> names;
  for (const auto& [file, dialect] : dialects) names.insert(dialect);
  std::string out;
  for (const std::string_view name : names) out += (out.empty() ? " (" : ", ") + std::string(name);
  return out.empty() ? "" : out + ")";
}

/// What was checked.
struct Checked {
  size_t hooks = 0;
  size_t servers = 0;  ///< MCP servers
  std::vector<std::string> files;
  std::map<std::string, std::string> dialects;  ///< see `dialects_of`
};

/// The last line: how many problems there are, and how many hooks and servers are fine.
std::string total_text(size_t errors, size_t warnings, const Checked& checked) {
  std::string fine = count_text(checked.hooks, "hook") + " in " + count_text(checked.files.size(), "file") +
                     dialects_text(checked.dialects);
  if (checked.servers > 0) fine += " and " + count_text(checked.servers, "MCP server");
  if (errors + warnings == 0) {
    const bool is_empty = checked.files.empty() && checked.servers == 0;
    return is_empty ? "There are no hook files here.\n" : "No problems: " + fine + ".\n";
  }
  std::string out = count_text(errors, "error");
  if (warnings > 0) out += ", " + count_text(warnings, "warning");
  return out + "; " + fine + (checked.hooks + checked.servers == 1 ? " is" : " are") + " fine.\n";
}

/// A guard that only observes is not a mistake, but people should not forget it.
std::string observers_text(const std::vector<HookInfo>& hooks) {
  std::vector<std::string> names;
  for (const HookInfo& hook : hooks) {
    if (hook.observes) names.push_back(hook.name);
  }
  if (names.empty()) return "";
  return (names.size() == 1 ? "1 hook observes only" : std::to_string(names.size()) + " hooks observe only") +
         " (mode: observe): " + printable(text::join(names, ", ")) + "\n";
}

/// Warnings about hooks that are correct but never do anything here. Their authors may rely on them.
std::vector<ConfigProblem> idle_hooks(const std::vector<HookInfo>& hooks) {
  std::vector<ConfigProblem> out;
  for (const HookInfo& hook : hooks) {
    if (hook.action.empty()) {
      out.push_back({ConfigProblem::Severity::Warning,
                     "hooks of this type cannot run here: this hook fails whenever its event happens", hook.source,
                     ""});
    }
  }
  return out;
}

/// The directories that a relative path in a hook file may be meant for: the project, and for a file that was named
/// also the directory it is in and the project it belongs to.
std::vector<std::string> bases_of(const HookSpec& hook, const std::string& project) {
  std::vector<std::string> out = {project};
  const std::string file = std::filesystem::absolute(hook.source.file).lexically_normal().string();
  out.push_back(file.substr(0, file.rfind('/')));
  const size_t agents = file.rfind("/.agents/");
  if (agents != std::string::npos) out.push_back(file.substr(0, agents));
  for (std::string& base : out) base = (std::filesystem::path(base) / hook.cwd).lexically_normal().string();
  return out;
}

/// Warnings about commands that cannot be started: scripts that are missing, not executable or without their
/// interpreter. Programs without a path are a matter of the machine, which is what `grapnel doctor` is for; only a name
/// that looks like a misspelled interpreter is reported.
std::vector<ConfigProblem> dead_commands(const std::vector<HookSpec>& hooks, const RuleTexts& texts,
                                         const std::string& project, const Environment& env) {
  std::vector<ConfigProblem> out;
  for (const HookSpec& hook : hooks) {
    Findings findings;
    for (const std::string& base : bases_of(hook, project)) {
      findings = check_start(hook, {env, base, "", "", {}});
      if (findings.empty()) break;
    }
    const YamlNode* entry = texts.entry_of(hook);
    const YamlNode* run = entry == nullptr ? nullptr : entry->find("run");
    for (const Finding& finding : findings) {
      const bool is_elsewhere = finding.at.file != hook.source.file;
      const std::string where = is_elsewhere ? place_text(finding.at) + ": " : "";
      out.push_back({ConfigProblem::Severity::Warning, where + finding.what,
                     run == nullptr ? hook.source : run->value_at, finding.fix});
    }
  }
  return out;
}

constexpr std::string_view kMarkedInVain = "marked warm, but always started for its event: ";

/// Warnings about hooks that are marked warm in vain.
std::vector<ConfigProblem> cold_hooks(const std::vector<HookSpec>& hooks, const std::vector<HookInfo>& infos,
                                      const std::string& project, const Environment& env) {
  std::vector<ConfigProblem> out;
  for (const HookSpec& hook : hooks) {
    const auto is_same = [&](const HookInfo& info) { return info.name == hook.name && info.source == hook.source; };
    const auto info = std::ranges::find_if(infos, is_same);
    if (info == infos.end() || !info->warm) continue;
    const std::string why = why_always_cold(hook, project, env);
    if (why.empty()) continue;
    out.push_back({ConfigProblem::Severity::Warning, std::string(kMarkedInVain) + why, hook.source,
                   "remove 'warm', or let the program take it from its input"});
  }
  return out;
}

/// What people should know about hooks whose processes are started before their events.
std::string warm_text(const std::vector<HookInfo>& hooks, const std::vector<ConfigProblem>& problems) {
  std::string out;
  for (const HookInfo& hook : hooks) {
    const bool is_cold = std::ranges::any_of(problems, [&](const ConfigProblem& problem) {
      return problem.at == hook.source && problem.message.starts_with(kMarkedInVain);
    });
    if (!hook.warm || is_cold) continue;
    const Dialect* dialect = find_dialect(hook.dialect);
    const std::string lost = dialect == nullptr ? "" : given_up_text(*dialect);
    out += "warm with `grapnel serve`: " + printable(hook.name) + (lost.empty() ? "" : ", without " + lost) + "\n";
  }
  return out;
}

/// Warnings about rules that do not do what they seem to do. Only this verb looks for them, because it has to compare
/// each pair of rules.
std::vector<ConfigProblem> doubtful_rules(const EngineOptions& options, const std::vector<HookInfo>& infos,
                                          const Environment& env) {
  DiscoverOptions from;
  from.roots = place_roots(options, env);
  from.use_standard_places = options.discovery.use_hook_files;
  from.trust_store = env.state_dir() + "/trust.json";
  for (const HookConfig& config : options.configs)
    from.files.push_back({config.path, config.dialect, config.likely_dialect});
  for (const std::string& path : read_overrides(env).config_files) from.files.push_back({path});
  const std::vector<HookSpec> hooks = discover(from).registry.hooks;
  const RuleTexts texts = read_rule_texts(hooks, options.limits.max_file);
  auto out = check_rules(hooks, texts, options.project_dir);
  const auto dead = dead_commands(hooks, texts, options.project_dir, env);
  out.insert(out.end(), dead.begin(), dead.end());
  std::ranges::move(cold_hooks(hooks, infos, options.project_dir, env), std::back_inserter(out));
  return out;
}

Json report_json(const std::string& project, const std::vector<ConfigProblem>& problems, size_t errors,
                 const Checked& checked) {
  std::vector<Json> list;
  for (const ConfigProblem& problem : problems) list.push_back(to_json(problem));
  std::vector<Json> names;
  for (const std::string& file : checked.files) names.push_back(Json::string(file));
  std::vector<std::pair<std::string, Json>> taken;
  for (const auto& [file, dialect] : checked.dialects) taken.emplace_back(file, Json::string(dialect));
  return Json::object({{"ok", Json::boolean(errors == 0)},
                       {"project", Json::string(project)},
                       {"problems", Json::array(list)},
                       {"hooks", Json::number(static_cast<int64_t>(checked.hooks))},
                       {"servers", Json::number(static_cast<int64_t>(checked.servers))},
                       {"files", Json::array(names)},
                       {"dialects", taken.empty() ? Json() : Json::object(taken)}});
}

/// The files that a named path stands for: those of a pack for its directory, or the path itself.
std::vector<std::string> files_meant_by(const std::string& path) {
  std::vector<std::string> files;
  if (std::string rules = path + "/grapnel.yaml"; os::stamp(rules)) files.push_back(std::move(rules));
  if (std::string hooks = path + "/hooks"; !hook_md_files(hooks).empty()) files.push_back(std::move(hooks));
  return files.empty() ? std::vector{path} : files;
}

int run_check(Invocation& in) {
  auto project = project_dirs(in);
  if (!project) return report_input(in.console, project.error().message);
  auto options = hook_source(in.args, in.env, std::move(*project));
  if (!options) return report_input(in.console, options.error().message);
  Environment env = in.env;
  for (const std::string& path : in.args.all("FILE")) {
    if (!os::stamp(path)) return report_input(in.console, "there is no file " + printable(path));
    for (const std::string& file : files_meant_by(path))
      options->configs.push_back({in.args.text("--dialect"), file, {}});
    options->discovery.use_hook_files = false;
    env.remove("GRAPNEL_CONFIG");  // check the named files only
  }
  options->env = env.entries();

  const auto engine = Engine::create(*options);
  auto problems = engine->problems();
  const std::vector<ConfigProblem> idle = idle_hooks(engine->hooks());
  problems.insert(problems.end(), idle.begin(), idle.end());
  const std::vector<ConfigProblem> doubtful = doubtful_rules(*options, engine->hooks(), env);
  problems.insert(problems.end(), doubtful.begin(), doubtful.end());
  Checked checked;
  if (options->discovery.use_hook_files) {
    FoundServers found = servers_of({options->project_dir, options->project_parts}, env);
    checked.servers = found.servers.size();
    // A settings file that has hooks and servers was read twice.
    for (ConfigProblem& problem : found.problems) {
      const auto is_same = [&](const ConfigProblem& other) {
        return other.message == problem.message && place_text(other.at) == place_text(problem.at);
      };
      if (std::ranges::none_of(problems, is_same)) problems.push_back(std::move(problem));
    }
    for (const Scope scope : {Scope::User, Scope::Project}) {
      std::ranges::move(pack_problems(pack_home(options->project_dir, env, scope)), std::back_inserter(problems));
    }
  }
  // An idle hook already has its warning, so it is not counted among those that are fine.
  checked.hooks = engine->hooks().size() - idle.size();
  checked.files = existing_files({in.args, in.console, env}, *options);
  checked.dialects = dialects_of(in.args.all("FILE"), engine->hooks());
  const auto errors = static_cast<size_t>(std::ranges::count(problems, true, &ConfigProblem::is_error));
  if (in.args.has("--json")) {
    in.console.out(report_json(options->project_dir, problems, errors, checked).dump(JsonStyle::Pretty) + "\n");
  } else {
    for (const ConfigProblem& problem : problems) {
      in.console.out(problem_block(problem, options->limits.max_file, in.console));
    }
    in.console.out(total_text(errors, problems.size() - errors, checked));
    in.console.out(observers_text(engine->hooks()));
    in.console.out(warm_text(engine->hooks(), problems));
  }
  return errors == 0 ? kOk : kNo;
}

}  // namespace

const Command kCheck{
    .name = "check",
    .summary = "find mistakes in hook files",
    .about =
        "Reads hook files as an event would and shows everything in them that cannot be used: with its file, line "
        "and column, the line itself, and what was probably meant. A bad entry never keeps its siblings from "
        "running; it is left out, and this is where to see that. For files that are named, the last line also says "
        "whose format they were read in. The exit status is 1 when there are errors.",
    .arguments = kCheckArguments,
    .options = kCheckOptions,
    .examples = R"(  grapnel check
  grapnel check .agents/grapnel.yaml
  grapnel check .gemini/settings.json
  grapnel check .agents/hooks/security-check
  grapnel check ../house-rules
  grapnel check --json | jq .problems
)",
    .run = run_check,
};

}  // namespace grapnel::cli
