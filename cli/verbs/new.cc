#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/verbs/new_rule.h"
#include "cli/verbs/new_worker.h"
#include "cli/yaml_text.h"
#include "discover/find/places.h"
#include "discover/formats/hook_md.h"
#include "discover/formats/hook_name.h"
#include "os/files.h"
#include "os/sandbox.h"

namespace grapnel::cli {

namespace {

constexpr mode_t kFileMode = 0644;
constexpr mode_t kScriptMode = 0755;
constexpr mode_t kDirectoryMode = 0755;

constexpr auto kNewArguments = std::to_array<ArgumentRow>({
    {"NAME", "what the hook is to be called: lower-case letters, digits and hyphens", ValueKind::Text, true},
});
constexpr auto kNewOptions = std::to_array<OptionRow>({
    {"--on", "-e", "EVENT", "the event, in any agent's spelling (may be repeated)", ValueKind::Event, true},
    {"--when", "-w", "KEY=VALUE", "a condition, as in tool=shell (may be repeated)", ValueKind::Text, true},
    {"--deny", "", "REASON", "the rule denies", ValueKind::Text},
    {"--ask", "", "REASON", "the rule lets a person decide", ValueKind::Text},
    {"--allow", "", "REASON", "the rule allows", ValueKind::Text},
    {"--inject", "", "TEXT", "the rule tells the model TEXT", ValueKind::Text},
    {"--run", "", "COMMAND", "the hook runs COMMAND", ValueKind::Text},
    {"--worker", "", "python|node|sh", "the hook is a worker: writes the program, for you to fill in", ValueKind::Text},
    {"--description", "-d", "TEXT", "what the hook is for", ValueKind::Text},
    {"--scope", "-s", "user|project", "whose hooks it belongs to (default: project)", ValueKind::Text},
    {"--project", "-p", "DIR", "the project (default: found upwards from the current directory)", ValueKind::Directory},
    {"--hook-md", "", "", "make a directory with a HOOK.md and a script instead of a rule"},
    kJsonOption,
});
/// The options that say what the rule does; exactly one of them is needed. The names are those of the keys in a rule
/// file.
constexpr auto kActions = std::to_array<std::string_view>({"deny", "ask", "allow", "inject", "run", "worker"});

/// What judges tool calls needs to read, and nothing else.
constexpr const char* kNewSandbox = "guard";

/// Where the kernel cannot enforce it, the hook would fail each time.
bool can_have_sandbox() {
  return os::sandbox_means(os::real_calls()).landlock > 0;
}

bool is_before_tool(const std::string& event) {
  const auto kind = find_event(event);
  return kind && *kind == EventKind::PreToolUse;
}

/// The rule that the options describe. Fails: BadInput.
Result<NewRule> rule_from(const Arguments& args) {
  NewRule rule{.name = args.text("NAME"),
               .description = args.text("--description"),
               .events = args.all("--on"),
               .when = {},
               .action = "",
               .value = ""};
  // The name is checked first, because it becomes part of a path.
  const auto mistakes = name_mistakes(normalise_name(rule.name));
  if (!mistakes.empty()) return fail(Errc::BadInput, mistakes.front());
  if (rule.events.empty()) return fail(Errc::BadInput, "name the event with --on");
  for (const std::string& condition : args.all("--when")) {
    const size_t equals = condition.find('=');
    if (equals == std::string::npos) return fail(Errc::BadInput, "--when " + condition + ": write KEY=VALUE");
    rule.when.emplace_back(condition.substr(0, equals), condition.substr(equals + 1));
  }
  for (const std::string_view action : kActions) {
    const std::string option = "--" + std::string(action);
    if (!args.has(option)) continue;
    if (!rule.action.empty())
      return fail(Errc::BadInput, "--" + rule.action + " and " + option + " cannot be used together");
    rule.action = action;
    rule.value = args.text(option);
  }
  if (rule.action.empty())
    return fail(Errc::BadInput, "say what the hook does with --deny, --ask, --allow, --inject, --run or --worker");
  const bool runs_program = rule.action == "run" || rule.action == "worker";
  if (runs_program && can_have_sandbox() && std::ranges::all_of(rule.events, is_before_tool))
    rule.sandbox = kNewSandbox;
  return rule;
}

/// Writes a file, and creates the directories above it.
Result<void> write_new(const std::string& path, const std::string& text, mode_t mode) {
  if (auto made = os::make_parent_dirs(path, kDirectoryMode); !made) return made;
  return os::write_file_atomic(path, text, mode);
}

/// The files that were created or changed. Fails: BadInput, BadConfig, System.
using Written = Result<std::vector<std::string>>;

Written write_to_file(const NewRule& rule, const std::string& path) {
  const auto written = write_rule(rule, path);
  return written ? Written(std::vector{path}) : std::unexpected(written.error());
}

/// The rule, and the files of its worker beside the rule file. Files that are there are never replaced.
Written write_worker(NewRule rule, const std::string& path) {
  const auto worker = new_worker(rule, rule.value);
  if (!worker) return std::unexpected(worker.error());
  const std::string directory = path.substr(0, path.rfind('/') + 1);
  for (const WorkerFile& file : worker->files) {
    if (os::stamp(directory + file.name)) {
      return fail(Errc::BadInput, short_path(directory + file.name) + " already exists");
    }
  }
  rule.value = worker->command;
  Written written = write_to_file(rule, path);
  for (const WorkerFile& file : worker->files) {
    if (!written) return written;
    const auto done = write_new(directory + file.name, file.text, file.is_program ? kScriptMode : kFileMode);
    if (!done) return std::unexpected(done.error());
    written->push_back(directory + file.name);
  }
  return written;
}

/// The name of an event in a HOOK.md. Fails: BadInput.
Result<std::string> trigger_for(const std::string& event) {
  const auto kind = find_event(event);
  if (!kind) return std::unexpected(kind.error());
  const EventRow* row = hook_directory_dialect().find_event(*kind);
  if (row == nullptr) return fail(Errc::BadInput, "a HOOK.md cannot listen to " + std::string(to_string(*kind)));
  return std::string(row->aliases.empty() ? row->wire_name : row->aliases.front());
}

/// The text of the HOOK.md. It can say less than a rule: one event, and two kinds of conditions. Fails: BadInput.
Result<std::string> frontmatter_of(const NewRule& rule) {
  if (rule.events.size() != 1) return fail(Errc::BadInput, "a HOOK.md listens to one event only: give --on once");
  const auto trigger = trigger_for(rule.events.front());
  if (!trigger) return std::unexpected(trigger.error());
  const std::string about = rule.description.empty() ? "What " + rule.name + " is for." : rule.description;
  std::string out =
      "---\nname: " + rule.name + "\ndescription: " + yaml_text(Json::string(about)) + "\ntrigger: " + *trigger + "\n";
  if (!rule.when.empty()) out += "matcher:\n";
  for (const auto& [key, value] : rule.when) {
    const bool is_known = key == "tool" || key == "pattern";
    if (!is_known) return fail(Errc::BadInput, "a HOOK.md accepts only --when tool=REGEX and --when pattern=REGEX");
    out += "  " + key + ": " + yaml_text(Json::string(value)) + "\n";
  }
  if (!rule.sandbox.empty()) out += "metadata:\n  sandbox: " + rule.sandbox + "\n";
  return out + "---\n\n# " + rule.name + "\n\n" + about + "\n";
}

/// The script of the hook: it runs the command, or prints a fixed decision as JSON. Fails: BadInput.
Result<std::string> script_of(const NewRule& rule) {
  const std::string head = "#!/bin/sh\n# The event is on standard input, as JSON.\n";
  if (rule.action == "run") return head + "exec " + rule.value + "\n";
  if (rule.action == "worker") return fail(Errc::BadInput, "a HOOK.md has no --worker; leave out --hook-md");
  if (rule.action == "inject")
    return fail(Errc::BadInput, "a HOOK.md has no --inject: its script tells the model; use --run");
  const std::string decision = rule.action == "deny" ? "deny" : rule.action;
  const Json answer = Json::object({{"decision", Json::string(decision)}, {"reason", Json::string(rule.value)}});
  return head + "cat <<'END'\n" + answer.dump() + "\nEND\n";
}

/// Creates the directory of a hook. The hook is then read back, and removed again if it has an error, so that no broken
/// hook is left behind.
Written write_directory(const NewRule& rule, const std::string& root) {
  const std::string directory = root + "/" + rule.name;
  if (os::stamp(directory)) return fail(Errc::BadInput, short_path(directory) + " already exists");
  const auto head = frontmatter_of(rule);
  if (!head) return std::unexpected(head.error());
  const auto script = script_of(rule);
  if (!script) return std::unexpected(script.error());
  const std::vector<std::string> files = {directory + "/HOOK.md", directory + "/scripts/run.sh"};
  auto written = write_new(files[0], *head, kFileMode);
  if (written) written = write_new(files[1], *script, kScriptMode);
  if (!written) return std::unexpected(written.error());
  const HookMdHooks read = read_named_hooks(directory, {hook_directory_dialect(), std::nullopt});
  const auto error = std::ranges::find(read.problems, ConfigProblem::Severity::Error, &ConfigProblem::severity);
  if (error == read.problems.end()) return files;
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  return fail(Errc::BadInput, error->message + (error->hint.empty() ? "" : " (" + error->hint + ")"));
}

int run_new(Invocation& in) {
  const auto project = in.args.text("--scope") == "user" ? ProjectDirs{absolute_path(".", "")} : project_dirs(in);
  if (!project) return report_input(in.console, project.error().message);
  const auto rule = rule_from(in.args);
  if (!rule) return report_input(in.console, printable(rule.error().message));
  const bool as_directory = in.args.has("--hook-md");
  const Scope scope = in.args.text("--scope") == "user" ? Scope::User : Scope::Project;
  const std::string place =
      place_for(project->root, in.env, scope, as_directory ? PlaceFormat::HookDirectories : PlaceFormat::Rules);
  // In the directory of the user's own configuration, the places of project and user are the same.
  if (place.empty()) return report_input(in.console, kNoPlace);
  const Written written = as_directory               ? write_directory(*rule, place)
                          : rule->action == "worker" ? write_worker(*rule, place)
                                                     : write_to_file(*rule, place);
  if (!written) {
    in.console.say(written.error().message);
    return written.error().code == Errc::System ? kInternal : kBadUsage;
  }
  const bool needs_trust = in.args.text("--scope") != "user";
  if (in.args.has("--json")) {
    std::vector<Json> files;
    for (const std::string& path : *written) files.push_back(Json::string(path));
    const Json json = Json::object({{"name", Json::string(rule->name)},
                                    {"files", Json::array(files)},
                                    {"needs_trust", Json::boolean(needs_trust)}});
    in.console.out(json.dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  for (const std::string& path : *written)
    in.console.out("Wrote '" + printable(rule->name) + "' to " + printable(short_path(path)) + "\n");
  if (!rule->sandbox.empty()) {
    in.console.out(
        "Its program may read the project and the system, and write to $TMPDIR: change `sandbox` if it needs more\n");
  }
  if (needs_trust) in.console.out("It runs after you trust it: run `grapnel trust`\n");
  return kOk;
}

}  // namespace

const Command kNew{
    .name = "new",
    .summary = "write a rule, or a directory with a HOOK.md",
    .about =
        "Adds a rule to the project's .agents/grapnel.yaml, or with --scope user to yours. The rest of the file stays "
        "as it is, byte for byte. A name that is already used is refused, and so is a rule that `grapnel check` would "
        "complain about. A program that judges tool calls gets `sandbox: guard`. With --worker it also writes a "
        "program that is started once and answers many events, with a "
        "function to fill in and a test. With --hook-md it makes a directory with a HOOK.md and a script instead.",
    .arguments = kNewArguments,
    .options = kNewOptions,
    .examples = R"(  grapnel new no-force-push --on PreToolUse --when tool=shell --when 'command=git push' \
    --when flag=--force --when flag=-f --deny 'Force pushes need a human.'
  grapnel new tests-green --on Stop --run 'make test'
  grapnel new no-force-push --on PreToolUse --when tool=shell --worker python
  grapnel new audit --hook-md --on PostToolUse --when tool=Write --run 'logger -t agent'
)",
    .run = run_new,
};

}  // namespace grapnel::cli
