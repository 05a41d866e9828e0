#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/project.h"

#include "cli/command.h"
#include "discover/servers/server_spec.h"
#include "model/hook_spec.h"
#include "model/registry.h"
#include "trust/trust_history.h"
#include "trust/trust_store.h"

/// The hooks and MCP servers that come with a project, for the verbs that show or change their trust.
///
/// Two files hold the trust: the store has the digests of the hooks that may run, and the history remembers how these
/// hooks looked when they were trusted, to show what has changed since.
namespace grapnel::cli {

/// A project and its hooks as they are now.
struct Project {
  std::string directory;                 ///< the root, with links resolved
  ProjectDirs named;                     ///< the directories that it was read from
  std::vector<HookSpec> hooks;           ///< of all directories of the project
  std::vector<ServerSpec> servers = {};  ///< MCP servers, likewise
  std::vector<PinnedHook> before;        ///< as they were when they were trusted last
  std::vector<BrokenFile> broken;  ///< the project's files that cannot be used as they are, and lost ones of the user

  /// The changes of an untrusted hook since it was trusted, as a diff; "" when it was never trusted or has not changed.
  std::string changes_of(const HookSpec& hook) const;
};

/// Reads the project in DIR, or the one that is found upwards from the current directory. Fails: BadInput when it is
/// not a directory, Refused when the trust store is not safe.
Result<Project> load_project(const Invocation& in);
Result<Project> load_project(const Environment& env, const ProjectDirs& named);

/// The project in DIR, exactly as it is named, or the one that is found upwards from the current directory; people are
/// told if that is another directory. DIR need not exist.
ProjectDirs project_named(const Invocation& in);

/// The directory whose name in a project stands for a hook's files, with links resolved.
std::string directory_of(const HookSpec& hook);

/// The name under which the trust in a directory's hooks is kept: in a linked worktree that of the main worktree.
std::string trust_name(const HookSpec& hook);

/// The hooks as they were when they were trusted last, of all directories of a project. Without the history there are
/// no changes to show, but everything else works.
std::vector<PinnedHook> trusted_before(const Environment& env, const ProjectDirs& project);

/// The files of the project that had trusted hooks and have none any more.
std::vector<const BrokenFile*> lost_files(const Project& project);

/// The project's files that belong to the hook's digest, relative to the project.
std::vector<std::string> files_of(const HookSpec& hook, const Project& project);

/// What cannot be pinned, in words for people.
std::vector<std::string> open_parts(const HookSpec& hook);

/// The MCP servers that apply in a project.
FoundServers servers_of(const ProjectDirs& project, const Environment& env);

/// Trusts exactly the digests that these hooks and servers have: a file that changes in the meantime is not trusted. A
/// hook without a digest stays untrusted, and so does every hook that is not in the list. Fails: Refused, System.
Result<void> trust_hooks(const Environment& env, Project& project);

/// Trusts this hook of the project and leaves all others as they are. Fails: Refused, also when the hook has no digest;
/// System.
Result<void> trust_one(const Environment& env, const Project& project, const HookSpec& hook);

TrustStore trust_store(const Environment& env);
TrustHistory trust_memory(const Environment& env);

/// A diff for people: indented, coloured, and with control characters spelled out.
std::string diff_text(const std::string& diff, const Console& console);

}  // namespace grapnel::cli
