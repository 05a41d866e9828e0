#include "cli/init/agents.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/verbs/bridging.h"
#include "os/resolve.h"

namespace grapnel::cli {

namespace {

BridgeTarget user_settings(const Environment& env, const Adapter& adapter) {
  return {&adapter, Scope::User, {.root = "/", .project_dir = "", .env = &env}};
}

/// Whether the directory of the agent's settings exists, which the agent makes when it is first started.
bool has_settings(const Environment& env, const Adapter& adapter) {
  const auto path = settings_path(user_settings(env, adapter));
  std::error_code error;
  return path && std::filesystem::is_directory(std::filesystem::path(*path).parent_path(), error);
}

}  // namespace

std::vector<const Adapter*> agents_found(const Environment& env) {
  std::vector<const Adapter*> out;
  for (const Adapter& adapter : all_adapters()) {
    const std::string_view program = adapter.program.empty() ? adapter.agent : adapter.program;
    if (os::find_executable(program, env.get("PATH"), "/") || has_settings(env, adapter)) out.push_back(&adapter);
  }
  return out;
}

Result<std::vector<const Adapter*>> agents_named(const std::string& list) {
  std::vector<const Adapter*> out;
  for (const std::string_view word : text::split(list, ',')) {
    const auto adapter = adapter_named(std::string(text::trim(word)));
    if (!adapter) return std::unexpected(adapter.error());
    if (std::ranges::find(out, *adapter) == out.end()) out.push_back(*adapter);
  }
  return out;
}

Result<BridgePlan> install_into(const Invocation& in, const Adapter& adapter) {
  const Environment& env = in.env;
  const auto wiring = wiring_with(env, user_settings(env, adapter), OnMissing::Pass, wanted_events(in, adapter));
  if (!wiring) return std::unexpected(wiring.error());
  auto plan = plan_install(user_settings(env, adapter), *wiring, Manifest(env));
  if (!plan) return plan;
  if (auto done = carry_out(*plan, Manifest(env)); !done) return std::unexpected(done.error());
  if (auto noted = note_own_places(env); !noted) return std::unexpected(noted.error());
  return plan;
}

std::vector<std::string> agents_that_call(const Environment& env) {
  std::vector<std::string> out;
  for (const Installed& bridge : Manifest(env).load().value_or(std::vector<Installed>{})) {
    const Adapter* adapter = find_adapter(bridge.agent);
    if (adapter != nullptr && bridge.scope == Scope::User) out.emplace_back(adapter->title);
  }
  return out;
}

}  // namespace grapnel::cli
