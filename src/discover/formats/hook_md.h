#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "model/registry.h"

/// Hooks that are directories: a HOOK.md that says when, and a script that says what.
///
///   <root>/hooks.toml            switches, defaults, changes by name          hooks_toml.h
///   <root>/<hook>/HOOK.md        YAML between dashes, then prose for people   frontmatter.h, hook_fields.h
///   <root>/<hook>/scripts/run    or run.sh, or run.py: the first there is
///
/// Only what is between the dashes is kept; the prose never is. A hook with a mistake is left out and reported, its
/// siblings load. Inside a root hooks come by name. What hooks.toml says flows down: yours holds for a project's
/// hooks too, a project's for its own only.
namespace grapnel {

/// A directory of hook directories.
struct HookRoot {
  Scope scope = Scope::User;
  std::string path;
};

struct HookMdOptions {
  const Dialect& dialect;
  std::optional<std::chrono::milliseconds> default_timeout;  ///< over the file's own default
  size_t max_file_bytes = size_t{16} << 20;
};

struct HookMdHooks {
  std::vector<HookSpec> hooks;
  std::vector<ConfigProblem> problems;
  std::vector<std::string> watched;  ///< paths whose change means to read again
  /// By HOOK.md, paths whose change matters to its hook alone.
  std::map<std::string, std::vector<std::string>> watched_by_hook;
};

/// All hooks below the roots, which come in layering order; a root that is not there has none.
HookMdHooks read_hook_roots(std::span<const HookRoot> roots, const HookMdOptions& options);

/// The hook at a path somebody named: its directory, its HOOK.md, or a root of several. Here a directory that is not
/// called like its hook is an error.
HookMdHooks read_named_hooks(const std::string& path, const HookMdOptions& options);

/// Whether a path is to be read as hook directories: a directory, or a file called HOOK.md.
bool names_hook_directory(const std::string& path);

/// Every HOOK.md at or directly below a path, sorted.
std::vector<std::string> hook_md_files(const std::string& path);

/// The dialect whose hooks are directories.
const Dialect& hook_directory_dialect();

}  // namespace grapnel
