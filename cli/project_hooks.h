#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "cli/command.h"
#include "model/hook_spec.h"
#include "trust/trust_history.h"
#include "trust/trust_store.h"

/// The hooks that come with a project, for `trust` and `untrust`.
namespace grapnel::cli {

/// A project's directory by its true name, and its hooks as they are now.
struct Project {
  std::string directory;
  std::vector<HookSpec> hooks;
  std::vector<PinnedHook> before;  ///< as they were when they were trusted last

  /// What is different about a hook that was trusted before, as a diff; "" for any other.
  std::string changes_of(const HookSpec& hook) const;
};

/// DIR, or the current directory. Fails: BadInput when it is none, Refused when the trust store is not safe.
Result<Project> load_project(const Invocation& in);

/// DIR, or the current directory, by its true name, whether it is there or not.
std::string project_name(const Arguments& args);

TrustStore trust_store(const Environment& env);
TrustHistory trust_memory(const Environment& env);

/// A diff for people, line by line, indented; nothing in it can pretend.
std::string diff_text(const std::string& diff, const Console& console);

}  // namespace grapnel::cli
