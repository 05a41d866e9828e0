#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/registry.h"

/// Reads hooks that are directories: HOOK.md says when the hook runs, and a script is what runs.
///
///   <root>/hooks.toml            switches, defaults, changes by name          hooks_toml.h
///   <root>/<hook>/HOOK.md        YAML between dashes, then prose for people   frontmatter.h, hook_fields.h
///   <root>/<hook>/scripts/run    or run.sh or run.py: the first that exists   hook_script.h
///
/// Only the YAML between the dashes is kept, never the prose. A hook with a mistake is reported and left out; the other
/// hooks are loaded. The hooks of a root are sorted by name. Settings in `hooks.toml` flow down: the user's file also
/// applies to hooks of a project, but a project's file applies to its own hooks only.
namespace grapnel {

/// A directory of hook directories.
struct HookRoot {
  Scope scope = Scope::User;
  std::string path;
  std::string project = {};     ///< see `HookSpec::project`
  std::string trusted_as = {};  ///< see `HookSpec::trusted_as`
  std::string unless_in = {};   ///< a directory: hooks that are there under the same name are left out here
};

struct HookMdOptions {
  const Dialect& dialect;
  std::optional<std::chrono::milliseconds> default_timeout;  ///< takes precedence over defaults in files
  size_t max_file_bytes = size_t{16} << 20;
};

struct HookMdHooks {
  std::vector<HookSpec> hooks;
  std::vector<ConfigProblem> problems;
  std::vector<std::string> watched;  ///< when one of these changes, the hooks must be read again
  /// For each HOOK.md, the paths whose change matters to this hook only.
  std::map<std::string, std::vector<std::string>> watched_by_hook;
};

/// All hooks below the roots, which are in layering order. A root that does not exist has no hooks.
HookMdHooks read_hook_roots(std::span<const HookRoot> roots, const HookMdOptions& options);

/// The hook at a path that the user named: a hook directory, a HOOK.md, or a root with several hooks. Here it is an
/// error if a hook has another name than its directory.
HookMdHooks read_named_hooks(const std::string& path, const HookMdOptions& options);

/// Whether a path leads to hook directories: it is a directory, or a file called HOOK.md.
bool names_hook_directory(const std::string& path);

/// Every HOOK.md at or directly below a path, sorted.
std::vector<std::string> hook_md_files(const std::string& path);

/// The dialect whose hooks are directories.
const Dialect& hook_directory_dialect();

}  // namespace grapnel
