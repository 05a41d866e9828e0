#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/engine.h"
#include "grapnel/project.h"
#include "grapnel/record.h"

#include "cli/command.h"
#include "discover/find/places.h"
#include "record/own_records.h"

/// Finds the hooks that a verb works with.
///
/// Most verbs take the same options for this: `--project` selects the hook files of the standard places, `--config`
/// adds files, `--no-hook-files` leaves the standard places out. `hook_source` turns them into options for an engine,
/// and `open_hooks` also creates the engine.
namespace grapnel::cli {

/// The options of every verb that works with hooks.
inline constexpr auto kHookSourceOptions = std::to_array<OptionRow>({
    {"--config", "-c", "FILE", "also use the hooks of FILE (may be repeated)", ValueKind::File, true},
    {"--dialect", "", "NAME", "the dialect of --config files (default: detected from their content)",
     ValueKind::Dialect},
    {"--project", "-p", "DIR", "the project whose hook files apply (default: found upwards from the current directory)",
     ValueKind::Directory},
    {"--no-hook-files", "", "", "use --config files only"},
});
inline constexpr OptionRow kJsonOption{"--json", "", "", "print JSON"};
inline constexpr OptionRow kYesOption{"--yes", "-y", "", "needed without a terminal: yes, guards may become weaker"};

/// Whether a dialect of that name exists; "" is allowed. Fails: BadInput, with the nearest name.
Result<void> check_dialect(const std::string& name);

/// The dialect of that name. Fails: BadInput when there is none, or when it has no hook files.
Result<const Dialect*> dialect_with_files(const std::string& name);

/// An absolute path, without `.`, `..` and slashes at its end. A relative path is below `cwd` ("": the directory of
/// this process).
std::string absolute_path(const std::string& path, const std::string& cwd);

/// The directory of `--project`, exactly as the user named it: nothing is searched above it. Nothing without the
/// option. A relative path is below `cwd` ("": the directory of this process). Fails: BadInput when it is not a
/// directory.
Result<std::optional<ProjectDirs>> named_project(const Arguments& args, const std::string& cwd = {});

/// The project that a verb works with: that of `--project`, or the one that is found upwards from the current
/// directory. If that is another directory, people are told which. Fails: like `named_project`.
Result<ProjectDirs> project_dirs(const Invocation& in);

/// Tells people which directory is the project, unless it is the current one or the verb prints JSON.
void say_project(const Invocation& in, const ProjectDirs& project);

/// Where hook files of a project are looked for. `env` must outlive the result.
PlaceRoots places_of(const ProjectDirs& project, const Environment& env);

/// Options for an engine with the hooks that the arguments select. Fails: BadInput for an unknown dialect.
Result<EngineOptions> hook_source(const Arguments& args, const Environment& env, ProjectDirs project);

/// Why a file named with `--config` cannot be used at all, or "". Single bad entries do not make a file unusable: the
/// other entries still run.
std::string unusable_config(const Engine& engine, const std::vector<HookConfig>& named);

/// The warnings about files named with `--config` or `--hooks`, with their hints.
std::vector<std::string> warnings_about(const Engine& engine, const std::vector<HookConfig>& named);

/// The selected hooks in an engine, and the options that it was created with.
struct OpenHooks {
  EngineOptions options;
  std::unique_ptr<Engine> engine;
};
/// Creates the engine. Fails: BadInput, also when a file named with `--config` cannot be used at all.
Result<OpenHooks> open_hooks(const Invocation& in, ProjectDirs project);

/// A sentence about errors in the configuration, or "" when there are none.
std::string remark_on_problems(const Engine& engine);

/// The existing files that may contain hooks: from the standard places, `--config` and GRAPNEL_CONFIG.
std::vector<std::string> existing_files(const Invocation& in, const EngineOptions& options);

/// The path for new hooks of that format, or "" when there is none: in the directory of the user's own configuration,
/// the places of project and user are the same.
std::string place_for(const std::string& project, const Environment& env, Scope scope, PlaceFormat format);
inline constexpr std::string_view kNoPlace =
    "there is no place for project hooks here, because this directory is your own configuration; use --scope user";

/// The file with the hooks that `grapnel disable` switched off.
std::string switches_path(const Environment& env);

}  // namespace grapnel::cli
