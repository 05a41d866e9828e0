#include "discover/find/layers.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace grapnel {

namespace {

enum class Realm : uint8_t { Managed, User, Project };
constexpr std::array kRealms = {Realm::Managed, Realm::User, Realm::Project};

/// Extensions and callbacks belong to the user, who installed them.
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

/// The hooks of one realm after its own files are combined. With `ReplacePerEvent`, the last file that has a list for
/// an event replaces the lists of earlier files, even with an empty list.
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

/// Fills in what the hook itself leaves open. For each value the closest source wins: first the hook, then its files,
/// then the event, then the dialect. The user's environment comes right behind the hook.
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
  // Some events always go on when a hook fails; there the hook's own wish is ignored.
  const auto own = row != nullptr && row->failure.always_fails_open ? std::nullopt : hook.on_failure;
  spec.failure.on_timeout = own.value_or(toggles.on_timeout.value_or(dialect.failure.on_failure));
  spec.failure.on_failure = own.value_or(toggles.on_failure.value_or(dialect.failure.on_failure));
  toggles.http.apply_to(spec);
  spec.enabled = toggles.enabled.value_or(true) && !disabled.contains(spec.name);
  return spec;
}

/// The files of each realm that has some, in layering order. In a project with hook files in several directories, each
/// directory is a realm of its own: a file further in must not replace or switch off what a file further out says.
std::vector<std::vector<SettingsFile*>> realms_of(std::vector<SettingsFile>& files) {
  std::vector<std::vector<SettingsFile*>> realms;
  for (const Realm realm : kRealms) {
    const size_t first = realms.size();
    for (SettingsFile& file : files) {
      if (realm_of(file.scope) != realm) continue;
      const auto is_its_own = [&](const auto& own) { return own.front()->project == file.project; };
      const auto own = std::find_if(realms.begin() + static_cast<std::ptrdiff_t>(first), realms.end(), is_its_own);
      (own == realms.end() ? realms.emplace_back() : *own).push_back(&file);
    }
  }
  return realms;
}

}  // namespace

std::vector<HookSpec> layer_files(std::vector<SettingsFile> files, const LayerOptions& options) {
  std::vector<HookSpec> out;
  Toggles toggles;
  bool managed_only = false;
  for (const std::vector<SettingsFile*>& own : realms_of(files)) {
    const Realm realm = realm_of(own.front()->scope);
    // `toggles` is kept from the managed realm to the user's, and the directories of a project start from the user's:
    // that is how settings flow down. A realm that is switched off stays off below: a project must not switch on what
    // the user switched off.
    Toggles here = toggles;
    for (const SettingsFile* file : own) here = here.overlaid(file->toggles);
    if (toggles.enabled == false || (realm != Realm::Managed && managed_only)) here.enabled = false;
    // Only the managed realm can demand this; in other files the setting has no effect.
    if (realm == Realm::Managed) managed_only = here.managed_only.value_or(false);
    const std::set<std::string_view> disabled(here.disabled_names.begin(), here.disabled_names.end());
    const std::vector<ParsedHook*> hooks = effective_hooks(own, own.front()->dialect->files.layering);
    out.reserve(out.size() + hooks.size());
    for (ParsedHook* hook : hooks) out.push_back(complete(std::move(*hook), here, disabled, options));
    if (realm != Realm::Project) toggles = std::move(here);
  }
  return out;
}

}  // namespace grapnel
