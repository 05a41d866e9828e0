#include "cli/hook_source.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/hook_text.h"
#include "discover/find/extensions.h"
#include "discover/find/overrides.h"
#include "discover/find/places.h"
#include "discover/formats/hook_md.h"
#include "engine/protected_places.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

// Most mistakes here are typing errors, so the message suggests the nearest dialect.
Result<void> check_dialect(const std::string& name) {
  if (name.empty() || find_dialect(name) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const Dialect* dialect : all_dialects()) names.push_back(dialect->name);
  const std::string_view near = text::nearest(name, names);
  return fail(Errc::BadInput,
              "unknown dialect '" + name + "'" + (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
}

// Some dialects exist only on the wire, without settings files of their own; "canonical" is one of them.
Result<const Dialect*> dialect_with_files(const std::string& name) {
  if (auto known = check_dialect(name); !known) return std::unexpected(known.error());
  const Dialect* dialect = find_dialect(name);
  if (dialect == nullptr || !dialect->file_format()) return fail(Errc::BadInput, "'" + name + "' has no hook files");
  return dialect;
}

std::string absolute_path(const std::string& path, const std::string& cwd) {
  // The usual case is decided from the text alone, without a system call.
  const bool is_normal = path.starts_with('/') && !path.ends_with('/') && !path.contains("//") && !path.contains("/.");
  if (is_normal) return path;  // the usual case: agents send absolute paths without dots
  std::error_code error;
  const auto full = cwd.empty() ? std::filesystem::absolute(path, error) : std::filesystem::path(cwd) / path;
  std::string text = error ? path : full.lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::optional<ProjectDirs>> named_project(const Arguments& args, const std::string& cwd) {
  if (!args.has("--project")) return std::nullopt;
  const std::string named = args.text("--project");
  std::string path = absolute_path(named, cwd);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return fail(Errc::BadInput, named + " is not a directory");
  return ProjectDirs{std::move(path)};
}

Result<ProjectDirs> project_dirs(const Invocation& in) {
  auto named = named_project(in.args);
  if (!named) return std::unexpected(named.error());
  if (*named) return std::move(**named);
  ProjectDirs found = find_project(absolute_path(".", ""), in.env.home());
  say_project(in, found);
  return found;
}

void say_project(const Invocation& in, const ProjectDirs& project) {
  const std::string here = absolute_path(".", "");
  if (project.root == here || canonical_directory(project.root) == canonical_directory(here)) return;
  if (!in.args.has("--json")) in.console.say("the project is " + printable(project.root));
}

PlaceRoots places_of(const ProjectDirs& project, const Environment& env) {
  return {.root = "/", .project_dir = project.root, .env = &env, .project_parts = project.parts};
}

Result<EngineOptions> hook_source(const Arguments& args, const Environment& env, ProjectDirs project) {
  const std::string dialect = args.text("--dialect");
  if (auto known = check_dialect(dialect); !known) return std::unexpected(known.error());
  EngineOptions options;
  options.project_dir = std::move(project.root);
  options.project_parts = std::move(project.parts);
  options.discovery.use_hook_files = !args.has("--no-hook-files");
  for (const std::string& path : args.all("--config")) options.configs.push_back({dialect, path, {}});
  options.env = env.entries();
  options.places.cache_dir = env.state_dir() + "/cache";
  options.discovery.reload_interval = std::chrono::milliseconds{-1};  // files are read once, for one event
  return options;
}

// A file that contributes at least one hook counts as usable; its errors are reported in other ways.
std::string unusable_config(const Engine& engine, const std::vector<HookConfig>& named) {
  const auto problems = engine.problems();
  if (problems.empty()) return "";
  const auto hooks = engine.hooks();
  for (const ConfigProblem& problem : problems) {
    const std::string& file = problem.at.file;
    const bool was_named = std::ranges::find(named, file, &HookConfig::path) != named.end();
    const bool has_hooks = std::ranges::any_of(hooks, [&](const HookInfo& hook) { return hook.source.file == file; });
    // Without a line, the message already names the file.
    if (problem.is_error() && was_named && !has_hooks)
      return problem.at.line == 0 ? problem.message : problem.to_string();
  }
  return "";
}

std::vector<std::string> warnings_about(const Engine& engine, const std::vector<HookConfig>& named) {
  std::vector<std::string> out;
  for (const ConfigProblem& problem : engine.problems()) {
    const bool was_named = std::ranges::find(named, problem.at.file, &HookConfig::path) != named.end();
    if (problem.is_error() || !was_named) continue;
    out.push_back(problem.to_string());
  }
  return out;
}

// Verbs that show hooks stop at a named file that cannot be used: showing the rest would hide the mistake.
Result<OpenHooks> open_hooks(const Invocation& in, ProjectDirs project) {
  auto options = hook_source(in.args, in.env, std::move(project));
  if (!options) return std::unexpected(options.error());
  auto engine = Engine::create(*options);
  if (const std::string why = unusable_config(*engine, options->configs); !why.empty()) {
    return fail(Errc::BadInput, why);
  }
  return OpenHooks{std::move(*options), std::move(engine)};
}

std::string remark_on_problems(const Engine& engine) {
  const auto problems = engine.problems();
  const auto errors = static_cast<size_t>(std::ranges::count(problems, true, &ConfigProblem::is_error));
  if (errors == 0) return "";
  return count_text(errors, "error") + " in the hook configuration; run `grapnel check` to see where";
}

// A place is a file or a directory of files, depending on its format; this lists the files in either case.
std::vector<std::string> existing_files(const Invocation& in, const EngineOptions& options) {
  std::vector<std::string> files;
  // Two places can lead to the same file; it is listed once.
  const auto add = [&](const std::string& path) {
    if (os::stamp(path) && std::ranges::find(files, path) == files.end()) files.push_back(path);
  };
  const auto add_all = [&](const std::string& path, PlaceFormat format) {
    if (format == PlaceFormat::HookDirectories) {
      for (const std::string& file : hook_md_files(path)) add(file);
    } else if (format == PlaceFormat::SettingsDirectory) {
      for (const std::string& file : settings_files_in(path)) add(file);
    } else {
      add(path);
    }
  };
  if (options.discovery.use_hook_files) {
    for (const HookFile& place : hook_file_places(place_roots(options, in.env))) {
      if (place.format == PlaceFormat::Extensions) {
        for (const SettingsFile& file : read_extensions({*place.dialect, place.path, options.project_dir}).files) {
          add(file.path);
        }
      } else {
        add_all(place.path, place.format);
      }
    }
  }
  for (const HookConfig& config : options.configs) {
    add_all(config.path, names_hook_directory(config.path) ? PlaceFormat::HookDirectories : PlaceFormat::Settings);
  }
  for (const std::string& path : read_overrides(in.env).config_files) add(path);
  return files;
}

std::string place_for(const std::string& project, const Environment& env, Scope scope, PlaceFormat format) {
  for (const HookFile& place : hook_file_places({"/", project, &env})) {
    // A file that a linked worktree takes from the main one is not changed: the worktree gets a file of its own.
    const bool is_borrowed = !place.unless_in.empty();
    if (place.format == format && place.scope == scope) return is_borrowed ? place.unless_in : place.path;
  }
  return "";
}

std::string switches_path(const Environment& env) {
  return env.state_dir() + "/switches.json";
}

}  // namespace grapnel::cli
