#include "cli/project_hooks.h"

#include <filesystem>

#include "base/error.h"
#include "config/discover.h"

namespace grapnel::cli {

std::string project_name(const Arguments& args) {
  const std::string path = args.has("DIR") ? args.text("DIR") : ".";
  std::error_code error;
  std::string full = std::filesystem::absolute(path, error).lexically_normal().string();
  while (full.size() > 1 && full.ends_with('/')) full.pop_back();
  return canonical_directory(full);
}

TrustStore trust_store(const Environment& env) {
  return TrustStore(env.state_dir() + "/trust.json");
}

Result<Project> load_project(const Invocation& in) {
  Project project{project_name(in.args), {}};
  std::error_code error;
  if (!std::filesystem::is_directory(project.directory, error)) {
    return fail(Errc::BadInput, project.directory + " is no directory");
  }
  if (const auto readable = trust_store(in.env).trusted(project.directory); !readable) {
    return std::unexpected(readable.error());
  }
  DiscoverOptions options;
  options.roots = {.root = "/", .project_dir = project.directory, .env = &in.env};
  options.trust_store = trust_store(in.env).path();
  for (HookSpec& hook : discover(options).registry.hooks) {
    if (hook.trust != Trust::NotNeeded) project.hooks.push_back(std::move(hook));
  }
  return project;
}

}  // namespace grapnel::cli
