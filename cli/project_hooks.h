#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "cli/command.h"
#include "model/hook_spec.h"
#include "trust/trust_history.h"
#include "trust/trust_store.h"

/// The hooks that come with a project, for the verbs that show or change their trust.
///
/// Two files hold the trust: the store has the digests of the hooks that may run, and the history remembers how these
/// hooks looked when they were trusted, to show what has changed since.
namespace grapnel::cli {

/// A project and its hooks as they are now.
struct Project {
  std::string directory;  ///< with links resolved
  std::vector<HookSpec> hooks;
  std::vector<PinnedHook> before;  ///< as they were when they were trusted last

  /// The changes of an untrusted hook since it was trusted, as a diff; "" when it was never trusted or has not changed.
  std::string changes_of(const HookSpec& hook) const;
};

/// Reads the project in DIR, or in the current directory. Fails: BadInput when it is not a directory, Refused when the
/// trust store is not safe.
Result<Project> load_project(const Invocation& in);

/// The path of DIR, or of the current directory, with links resolved. The directory need not exist.
std::string project_name(const Arguments& args);

TrustStore trust_store(const Environment& env);
TrustHistory trust_memory(const Environment& env);

/// A diff for people: indented, coloured, and with control characters spelled out.
std::string diff_text(const std::string& diff, const Console& console);

}  // namespace grapnel::cli
