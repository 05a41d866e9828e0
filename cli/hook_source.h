#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "grapnel/engine.h"
#include "grapnel/record.h"

#include "cli/command.h"

/// Which hooks a verb is about.
namespace grapnel::cli {

/// Options of every verb that looks at hooks.
inline constexpr auto kHookSourceOptions = std::to_array<OptionRow>({
    {"--config", "-c", "FILE", "also use the hooks of FILE (may be repeated)", ValueKind::File, true},
    {"--dialect", "", "NAME", "the dialect of --config files (default: told by their content)", ValueKind::Dialect},
    {"--project", "-p", "DIR", "the project whose hook files apply (default: the current directory)",
     ValueKind::Directory},
    {"--no-hook-files", "", "", "use --config files only"},
});
inline constexpr OptionRow kJsonOption{"--json", "", "", "print JSON"};

/// Fails: BadInput for a name no dialect has, with the nearest; "" is fine.
Result<void> check_dialect(const std::string& name);

/// A dialect that has hook files. Fails: BadInput.
Result<const Dialect*> dialect_with_files(const std::string& name);

/// A path below `cwd` ("": this process's) unless it is absolute, without `.`, `..` and slashes at its end.
std::string absolute_path(const std::string& path, const std::string& cwd);

/// The project directory: `--project`, else `fallback`, else `cwd`; absolute. Relative ones are below `cwd` ("": this
/// process's directory). Fails: BadInput when `--project` is not a directory.
Result<std::string> project_dir(const Arguments& args, const std::string& cwd = {}, const std::string& fallback = {});

/// Options for an engine over the hooks that are meant. Fails: BadInput for an unknown dialect.
Result<EngineOptions> hook_source(const Arguments& args, const Environment& env, std::string project);

/// Why a file named with `--config` cannot be used at all, or "". Single bad entries are not that: their siblings run.
std::string unusable_config(const Engine& engine, const std::vector<HookConfig>& named);

/// The hooks that are meant, ready to be asked about.
struct OpenHooks {
  EngineOptions options;
  std::unique_ptr<Engine> engine;
};
/// Fails: BadInput, also when a file named with `--config` cannot be used at all.
Result<OpenHooks> open_hooks(const Invocation& in, std::string project);

/// "" when the configuration is fine, otherwise that it is not.
std::string remark_on_problems(const Engine& engine);

/// Files that are there and may hold hooks: standard places, `--config`, GRAPNEL_CONFIG.
std::vector<std::string> existing_files(const Invocation& in, const EngineOptions& options);

std::string switches_path(const Environment& env);

/// Where records that could not be written are noted when the state directory cannot be written at all; "" for nowhere.
std::string lost_records_dir(const Environment& env);

/// What GRAPNEL_MASK says is secret besides what can be told.
std::vector<std::string> secret_patterns(const Environment& env);

/// Where records go; of payloads they have what GRAPNEL_PAYLOADS says.
std::unique_ptr<RecordSink> open_records(const Environment& env);

}  // namespace grapnel::cli
