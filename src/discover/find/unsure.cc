#include "discover/find/unsure.h"

#include <algorithm>
#include <span>

namespace grapnel {

namespace {

/// A key of the settings, and the words that it may have. Nobody can be asked where `unsure_unattended` counts.
struct UnsureKey {
  std::string_view name;
  std::optional<Unsure> HookSpec::* member;
  std::span<const std::string_view> words;
  size_t first;  ///< of the words, in `Unsure`
};
constexpr std::span<const std::string_view> kAllUnsure(kUnsureWords);
const UnsureKey kUnsureSettings[] = {{kUnsureKeys[0], &HookSpec::unsure, kAllUnsure, 0},
                                     {kUnsureKeys[1], &HookSpec::unsure_unattended, kAllUnsure.subspan(1), 1}};

/// What the file says. A word that is not known must not make a guard milder; people are told.
std::optional<Unsure> read_setting(const UnsureKey& key, const Json& settings, const std::string& path,
                                   Registry& registry) {
  const Json word = settings[key.name];
  if (!word) return std::nullopt;
  for (size_t i = 0; i < key.words.size(); ++i) {
    if (word.equals_string(key.words[i])) return static_cast<Unsure>(i + key.first);
  }
  const std::string name(key.name);
  registry.problems.push_back({ConfigProblem::Severity::Error,
                               "'" + name + "' has a value that is not known, and does not count",
                               {path, 0, 0},
                               "write " + name + ": deny"});
  return std::nullopt;
}

}  // namespace

bool apply_unsure(const GrapnelSettings& settings, const PlaceRoots& roots, Registry& registry) {
  const auto [managed_file, user_file] = grapnel_settings_files(roots);
  const size_t problems = registry.problems.size();
  bool is_changed = false;
  for (const UnsureKey& key : kUnsureSettings) {
    const auto managed = read_setting(key, settings.managed, managed_file, registry);
    const auto user = read_setting(key, settings.user, user_file, registry);
    if (!managed && !user) continue;
    is_changed = true;
    for (HookSpec& hook : registry.hooks) {
      std::optional<Unsure>& own = hook.*key.member;
      if (!own) own = managed || hook.scope == Scope::Managed ? managed : user;
    }
  }
  return is_changed || registry.problems.size() > problems;
}

}  // namespace grapnel
