#include "discover/find/sandbox_setting.h"

#include <algorithm>

#include "discover/formats/frontmatter.h"
#include "discover/formats/sandbox_entry.h"
#include "os/files.h"

namespace grapnel {

namespace {

constexpr std::string_view kSandboxKey = "sandbox";
constexpr std::string_view kAllHooks = "*";
constexpr size_t kMaxSandboxSettings = size_t{64} << 10;

/// What one file says, by names of hooks; `*` for all others.
using ByName = std::map<std::string, Sandbox, std::less<>>;

/// Nothing that is misspelt may make a sandbox wider, so a value with a mistake is read as `guard`.
ByName read_sandboxes(const Json& value, const std::string& path, Registry& registry) {
  ByName out;
  if (!value) return out;
  // Once more, as a tree that knows its positions. It could be read before, so it can be read now, unless it has just
  // been changed; then the next event reads it.
  const auto text = os::read_file(path, kMaxSandboxSettings);
  const auto document = text ? read_yaml_fields(*text, path) : std::unexpected(text.error());
  const YamlNode* node = document ? document->root.find(kSandboxKey) : nullptr;
  if (node == nullptr) {
    out[std::string(kAllHooks)] = guard_sandbox();
    return out;
  }
  RuleFields fields(registry.problems);
  const auto read = [&](const YamlNode& one) {
    fields.start();
    return read_sandbox(one, fields).value_or(guard_sandbox());
  };
  const auto is_key_of_sandbox = [](const FieldMember& member) {
    return std::ranges::find(sandbox_keys(), member.key) != sandbox_keys().end();
  };
  const bool is_for_all = !node->is_map() || std::ranges::any_of(node->members, is_key_of_sandbox);
  if (is_for_all) {
    out[std::string(kAllHooks)] = read(*node);
  } else {
    for (const auto& [name, one] : node->members) out[name] = read(one);
  }
  return out;
}

const Sandbox* find_sandbox(const ByName& file, std::string_view name) {
  auto found = file.find(name);
  if (found == file.end()) found = file.find(kAllHooks);
  return found == file.end() ? nullptr : &found->second;
}

bool is_projects_own(const HookSpec& hook) {
  return hook.scope == Scope::Project || hook.scope == Scope::Local;
}

/// What a project may not say about its own hooks.
void drop_freedoms(Sandbox& sandbox) {
  sandbox.is_off = false;
  if (sandbox.leftovers == Leftovers::Keep) sandbox.leftovers = Leftovers::Tell;
}

}  // namespace

bool has_sandbox_setting(const GrapnelSettings& settings) {
  return static_cast<bool>(settings[kSandboxKey]);
}

bool apply_sandboxes(const GrapnelSettings& settings, const PlaceRoots& roots, Registry& registry) {
  for (HookSpec& hook : registry.hooks) {
    if (hook.sandbox && is_projects_own(hook)) drop_freedoms(*hook.sandbox);
  }
  if (!has_sandbox_setting(settings)) return false;
  const auto [managed_file, user_file] = grapnel_settings_files(roots);
  const ByName managed = read_sandboxes(settings.managed[kSandboxKey], managed_file, registry);
  const ByName user = read_sandboxes(settings.user[kSandboxKey], user_file, registry);
  for (HookSpec& hook : registry.hooks) {
    const Sandbox* of_user = hook.scope == Scope::Managed ? nullptr : find_sandbox(user, hook.name);
    for (const Sandbox* said : {of_user, find_sandbox(managed, hook.name)}) {
      if (said == nullptr) continue;
      if (!hook.sandbox) hook.sandbox.emplace();
      narrow(*hook.sandbox, *said);
    }
  }
  return true;
}

bool apply_host_sandboxes(const std::map<std::string, std::string>& sandboxes, Registry& registry) {
  if (sandboxes.empty()) return false;
  ByName by_name;
  for (const auto& [name, text] : sandboxes) {
    auto sandbox = parse_sandbox(text);
    if (!sandbox) {
      registry.problems.push_back({ConfigProblem::Severity::Error, sandbox.error().message, {"the host", 0, 0}, ""});
    }
    by_name[name] = sandbox ? std::move(*sandbox) : guard_sandbox();
  }
  for (HookSpec& hook : registry.hooks) {
    const Sandbox* said = find_sandbox(by_name, hook.name);
    if (said == nullptr) continue;
    if (!hook.sandbox) hook.sandbox.emplace();
    narrow(*hook.sandbox, *said);
  }
  return true;
}

}  // namespace grapnel
