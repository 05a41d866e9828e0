#include "discover/find/observe_mode.h"

namespace grapnel {

namespace {

constexpr std::string_view kKey = "mode";
constexpr std::string_view kObserve = "observe";
constexpr std::string_view kEnforce = "enforce";

/// Nothing that is misspelt may switch a guard off, so other words mean `enforce`, and people are told.
bool check_word(const Json& word, const std::string& path, Registry& registry) {
  if (!word || word.equals_string(kObserve) || word.equals_string(kEnforce)) return false;
  registry.problems.push_back({ConfigProblem::Severity::Error,
                               "'mode' must be 'enforce' or 'observe'; all hooks are enforced",
                               {path, 0, 0},
                               "write mode: observe"});
  return true;
}

}  // namespace

bool wants_observing(const GrapnelSettings& settings) {
  return settings[kKey].equals_string(kObserve);
}

bool apply_observe_mode(const GrapnelSettings& settings, const PlaceRoots& roots, Registry& registry) {
  const auto [managed_file, user_file] = grapnel_settings_files(roots);
  bool is_changed = check_word(settings.managed[kKey], managed_file, registry);
  is_changed |= check_word(settings.user[kKey], user_file, registry);
  if (!wants_observing(settings)) return is_changed;
  const bool covers_all = settings.managed[kKey].equals_string(kObserve);
  for (HookSpec& hook : registry.hooks) {
    if (covers_all || hook.scope != Scope::Managed) hook.mode = Mode::ObserveFromAbove;
  }
  return true;
}

}  // namespace grapnel
