#include "base/variables.h"
#include "call/hook_command.h"
#include "run/command_line.h"
#include "run/depth.h"
#include "run/runner.h"

/// How a command hook becomes a process: the working directory, the environment, the program and its arguments.
///
/// The environment is built in layers, and later layers win: the inherited variables as the dialect allows them, the
/// variables of the session, the variables that the dialect promises to hooks (`VariableRow`), the variables from the
/// settings of the hook, and the nesting depth.
///
/// A worker outlives the event that starts it. So it gets nothing that depends on this one event: no session variables,
/// no values of fields except the project.
namespace grapnel {

namespace {

/// Names a shell that starts faster than `sh`, see `CommandContext::small_shell`.
constexpr std::string_view kShellVariable = "GRAPNEL_SHELL";
constexpr std::string_view kNoBytecodeVariable = "PYTHONDONTWRITEBYTECODE";

/// The text of a field that the host knows; "" if it does not.
std::string supplement_text(Field field, const RunContext& context) {
  const Supplement known = context.supplements ? context.supplements(field) : Supplement();
  const auto* text = std::get_if<std::string>(&known);
  return text == nullptr ? "" : *text;
}

/// The project of a hook. A hook that a project declares belongs to the directory of its file, wherever the event
/// happens. For other hooks the event may name the project, or the host knows it.
std::string project_text(const HookSpec& hook, const Event& event, const RunContext& context) {
  if (!hook.project.empty()) return hook.project;
  if (auto said = event.get(Field::ProjectDir).as_string()) return std::move(*said);
  std::string known = supplement_text(Field::ProjectDir, context);
  return known.empty() ? text_as(event, *hook.dialect, Field::ProjectDir).value_or("") : known;
}

/// The text of a field as the dialect spells it. If the event does not have the field, the host may know it.
std::string text_of(const HookSpec& hook, const Event& event, Field field, const RunContext& context) {
  if (field == Field::ProjectDir) return project_text(hook, event, context);
  if (auto text = text_as(event, *hook.dialect, field)) return std::move(*text);
  return supplement_text(field, context);
}

/// Fills in variables from `env`; unknown ones stay as they are written.
std::string expand(std::string_view text, const Environment& env) {
  return expand_variables(text, [&](std::string_view name) {
    return env.has(name) ? std::optional(std::string(env.get(name))) : std::nullopt;
  });
}

/// The part of the environment that the dialect passes on: either a fixed list of names, or everything except one
/// prefix.
Environment inherited_environment(const Dialect& dialect, const Environment& all) {
  if (dialect.process.inherited.empty()) {
    Environment out = all;
    if (!dialect.process.withheld_prefix.empty()) out.remove_prefixed(dialect.process.withheld_prefix);
    return out;
  }
  Environment out;
  for (const std::string_view name : dialect.process.inherited) {
    if (all.has(name)) out.set(name, all.get(name));
  }
  // The mark must reach every process, or the agent could not find and end orphans after its own death.
  if (all.has(kOrphanMarkVariable)) out.set(kOrphanMarkVariable, all.get(kOrphanMarkVariable));
  return out;
}

/// The value of one variable of the dialect for this hook; "" if there is none. A worker outlives the event, so only
/// the project and its own working directory are passed to it.
std::string value_of(const VariableRow& row, const HookSpec& hook, const Event& event, const RunContext& context) {
  if (!row.constant.empty()) return std::string(row.constant);
  const bool is_lasting = hook.worker() == nullptr || row.value == Field::ProjectDir;
  // The condition of the hook found a file that no argument of the tool names: in a patch or in a shell command.
  const auto matched = context.matched_files.find(&hook);
  if (row.value == Field::ToolPath && matched != context.matched_files.end()) return matched->second;
  if (is_lasting) return text_of(hook, event, row.value, context);
  return row.value == Field::Cwd ? working_dir(hook, event, context) : "";
}

/// The complete environment, see the layers at the top of this file.
Environment child_environment(const HookSpec& hook, const Event& event, const RunContext& context) {
  const Dialect& dialect = *hook.dialect;
  Environment env = inherited_environment(dialect, context.env);
  if (hook.worker() == nullptr) {
    for (const auto& [name, value] : context.session_env) env.set(name, value);
  }
  for (const VariableRow& row : dialect.process.variables) {
    std::string value = value_of(row, hook, event, context);
    const bool is_option = row.in_command && row.value == Field::ToolPath && value.starts_with('-');
    if (is_option) value.insert(0, "./");  // a file of that name must not be an option of the program
    if (!value.empty()) {
      env.set(row.name, value);
      // The command text refers to this variable. A value inherited from outside must not take its place.
    } else if (row.in_command) {
      env.remove(row.name);
    }
  }
  for (const auto& [name, value] : hook.program()->env) {
    env.set(name, dialect.files.expand_environment ? expand(value, context.env) : value);
  }
  // Python would write compiled files beside the modules of a directory that is pinned, and the hook would lose its
  // trust by running.
  if (hook.trust == Trust::Trusted && !env.has(kNoBytecodeVariable)) env.set(kNoBytecodeVariable, "1");
  env.set(kDepthVariable, std::to_string(depth_of(context.env) + 1));
  return env;
}

/// The files that a hook is made of: it may read them whatever its sandbox says. Where the scripts of a project's hooks
/// may be is not for the project to say.
std::vector<std::string> own_files(const HookSpec& hook, const ChildSpec& child) {
  std::vector<std::string> out;
  if (hook.project.empty()) {
    std::vector<std::string> words = hook.program()->args.value_or(std::vector<std::string>{});
    for (const call::CommandWord& word : call::words_of_command(hook.program()->command)) {
      if (!word.is_read && !word.is_written) words.push_back(word.text);
    }
    out = places_of_words(words, child.env.home());
  }
  out.push_back(child.path);
  std::vector<std::string> files = hook.files;
  // The first file of a hook with a directory of its own is its document.
  if (!hook.files.empty()) files.push_back(hook.files.front().substr(0, hook.files.front().rfind('/')));
  for (const std::string& file : files) {
    const std::string path = hook.project.empty() ? file : path_in_project(hook.project, file);
    if (!path.empty()) out.push_back(path);
  }
  return out;
}

/// The variables of a project's hook are the project's words, so they do not say where its home is, nor where programs
/// are that it may read.
void contain(ChildSpec& child, const HookSpec& hook, const std::string& project, const Environment& own) {
  if (!hook.sandbox) return;
  child.is_contained = !hook.sandbox->is_off;
  child.leftovers = hook.sandbox->leftovers;
  if (!hook.sandbox->is_restricting()) return;
  const Environment& env = hook.project.empty() ? child.env : own;
  child.sandbox = sandbox_for(*hook.sandbox, {project, env, own_files(hook, child)});
  if (child.sandbox->temporary) child.env.set("TMPDIR", child.sandbox->temporary->path());
}

/// A hook that lists its arguments separately needs no shell: each argument stays one word, and the command variables
/// of the dialect are filled in as text.
CommandLine exec_form(const CommandHandler& handler, const Dialect& dialect, const CommandContext& context,
                      const Environment& env) {
  Environment known;
  for (const VariableRow& row : dialect.process.variables) {
    if (row.in_command) known.set(row.name, env.get(row.name));
  }
  CommandLine line;
  line.argv.push_back(expand(handler.command, known));
  for (const std::string& argument : *handler.args) line.argv.push_back(expand(argument, known));
  line.path = context.programs.find(line.argv.front(), context.path_env, context.cwd).value_or(line.argv.front());
  return line;
}

}  // namespace

const std::string& project_of(const HookSpec& hook, const RunContext& context) {
  return hook.project.empty() ? context.default_dir : hook.project;
}

std::string working_dir(const HookSpec& hook, const Event& event, const RunContext& context) {
  // The settings of the hook come first, then the event, then the directory of the engine.
  if (hook.cwd.starts_with('/')) return hook.cwd;
  const std::string& project = project_of(hook, context);
  if (!hook.cwd.empty() && !project.empty()) return project + "/" + hook.cwd;
  if (hook.worker() != nullptr && !project.empty()) return project;  // it outlives the event
  for (const Field field : {hook.dialect->process.working_dir, Field::Cwd, Field::ProjectDir}) {
    if (std::string dir = text_of(hook, event, field, context); !dir.empty()) return dir;
  }
  return context.default_dir;
}

void note_start(const ChildSpec& child, RunOutcome& outcome) {
  outcome.argv = child.argv;
  outcome.cwd = child.cwd;
  outcome.bytes_in = child.stdin_bytes ? child.stdin_bytes->size() : 0;
  outcome.was_warm = child.started != nullptr;
  outcome.cold = child.cold;
}

void put_files(ChildSpec& child, const std::vector<std::string>& files) {
  std::vector<std::string> argv;
  for (std::string& argument : child.argv) {
    if (argument == kFilesMark) {
      argv.insert(argv.end(), files.begin(), files.end());
    } else {
      argv.push_back(std::move(argument));
    }
  }
  child.argv = std::move(argv);
}

ChildSpec child_for(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads,
                    Check check) {
  ChildSpec child;
  child.cwd = working_dir(hook, event, context);
  Environment env = child_environment(hook, event, context);
  const CommandHandler& handler = *hook.program();
  const CommandContext places{env.get("PATH"), child.cwd, context.programs, context.env.get(kShellVariable)};
  CommandLine line = handler.args ? exec_form(handler, *hook.dialect, places, env)
                                  : prepare_command(handler.command, *hook.dialect, places, check);
  child.path = std::move(line.path);
  child.argv = std::move(line.argv);
  child.env = std::move(env);
  if (handler.takes_files) {
    // A shell gets the files as its own arguments, which are `"$@"` in its text; the first one is its name.
    if (!handler.args) child.argv.insert(child.argv.end(), {"sh", std::string(kFilesMark)});
    if (const auto files = context.files.find(&hook); files != context.files.end()) put_files(child, files->second);
  }
  contain(child, hook, project_text(hook, event, context), context.env);
  // A worker gets its events as lines later on, not as one input.
  if (hook.command() != nullptr) child.stdin_bytes = payloads.get(event, hook, context);
  child.timeout = hook.timeout;
  return child;
}

}  // namespace grapnel
