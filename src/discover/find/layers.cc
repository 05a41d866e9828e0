#include "discover/find/layers.h"

#include <array>
#include <map>
#include <set>

namespace grapnel {

namespace {

enum class Realm : uint8_t { Managed, User, Project };
constexpr std::array kRealms = {Realm::Managed, Realm::User, Realm::Project};

Realm realm_of(Scope scope) {
  switch (scope) {
    case Scope::Managed:
      return Realm::Managed;
    case Scope::Project:
    case Scope::Local:
      return Realm::Project;
    default:
      return Realm::User;
  }
}

/// The hooks of one realm after its own files are laid over each other.
std::vector<ParsedHook*> effective_hooks(const std::vector<SettingsFile*>& files, Layering layering) {
  std::map<std::string, const SettingsFile*> winner;  // event → last file that has an array for it
  for (const SettingsFile* file : files) {
    for (const std::string& event : file->events) winner[event] = file;
  }
  std::vector<ParsedHook*> hooks;
  for (SettingsFile* file : files) {
    for (ParsedHook& hook : file->hooks) {
      if (layering == Layering::Concatenate || winner[hook.event] == file) hooks.push_back(&hook);
    }
  }
  return hooks;
}

HookSpec complete(ParsedHook hook, const Toggles& toggles, const std::set<std::string_view>& disabled,
                  const LayerOptions& options) {
  HookSpec spec = std::move(hook.spec);
  const Dialect& dialect = *spec.dialect;
  const EventRow* row = dialect.find_event(hook.event);
  const bool has_own = row != nullptr && row->running.default_timeout.count() > 0;
  const auto usual = has_own ? row->running.default_timeout : dialect.timeouts.by_default;
  const auto default_timeout = options.default_timeout.value_or(toggles.default_timeout.value_or(usual));
  spec.timeout = hook.timeout.value_or(default_timeout);
  spec.max_concurrent = toggles.max_concurrent.value_or(dialect.running.default_concurrency);
  const auto own = row != nullptr && row->failure.always_fails_open ? std::nullopt : hook.on_failure;
  spec.failure.on_timeout = own.value_or(toggles.on_timeout.value_or(dialect.failure.on_failure));
  spec.failure.on_failure = own.value_or(toggles.on_failure.value_or(dialect.failure.on_failure));
  toggles.http.apply_to(spec);
  spec.enabled = toggles.enabled.value_or(true) && !disabled.contains(spec.name);
  return spec;
}

}  // namespace

std::vector<HookSpec> layer_files(std::vector<SettingsFile> files, const LayerOptions& options) {
  std::vector<HookSpec> out;
  Toggles toggles;
  bool managed_only = false;
  for (const Realm realm : kRealms) {
    std::vector<SettingsFile*> own;
    for (SettingsFile& file : files) {
      if (realm_of(file.scope) == realm) own.push_back(&file);
    }
    if (own.empty()) continue;
    const bool switched_off_above = toggles.enabled == false;
    for (const SettingsFile* file : own) toggles = toggles.overlaid(file->toggles);
    if (switched_off_above || (realm != Realm::Managed && managed_only)) toggles.enabled = false;
    if (realm == Realm::Managed) managed_only = toggles.managed_only.value_or(false);
    const std::set<std::string_view> disabled(toggles.disabled_names.begin(), toggles.disabled_names.end());
    const std::vector<ParsedHook*> hooks = effective_hooks(own, own.front()->dialect->files.layering);
    out.reserve(out.size() + hooks.size());
    for (ParsedHook* hook : hooks) out.push_back(complete(std::move(*hook), toggles, disabled, options));
  }
  return out;
}

}  // namespace grapnel
