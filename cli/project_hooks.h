#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "cli/command.h"
#include "model/hook_spec.h"
#include "trust/trust_store.h"

/// The hooks that come with a project, for `trust` and `untrust`.
namespace grapnel::cli {

/// A project's directory by its true name, and its hooks as they are now.
struct Project {
  std::string directory;
  std::vector<HookSpec> hooks;
};

/// DIR, or the current directory. Fails: BadInput when it is none, Refused when the trust store is not safe.
Result<Project> load_project(const Invocation& in);

/// DIR, or the current directory, by its true name, whether it is there or not.
std::string project_name(const Arguments& args);

TrustStore trust_store(const Environment& env);

}  // namespace grapnel::cli
