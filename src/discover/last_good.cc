#include "discover/last_good.h"

#include <algorithm>

#include "trust/trust_history.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

/// Whether the user stands behind all hooks of the file. Those of the user and the administrator need no trust.
bool is_approved(const Registry& registry, const HookFile& place) {
  if (place.project.empty()) return true;
  bool has_trusted = false;
  for (const HookSpec& hook : registry.hooks) {
    if (hook.source.file != place.path) continue;
    if (hook.trust != Trust::Trusted) return false;
    has_trusted = true;
  }
  return has_trusted;
}

}  // namespace

LastGood::LastGood(const std::string& trust_store)
    : trust_store_(trust_store), files_(trust_store), has_any_(!trust_store.empty() && files_.has_any()) {}

/// The name of the project in the trust store.
std::string LastGood::project_of(const HookFile& place) {
  if (place.project.empty()) return "";
  return place.trusted_as.empty() ? canonical_directory(place.project) : place.trusted_as;
}

/// A project that is reached through a link, or through a linked worktree, has the same files.
std::string LastGood::name_of(const HookFile& place) {
  const bool is_below = !place.project.empty() && place.path.starts_with(place.project + "/");
  return is_below ? project_of(place) + place.path.substr(place.project.size()) : place.path;
}

std::optional<GoodFile> LastGood::version_of(const HookFile& place) const {
  if (!has_any_) return std::nullopt;
  const auto file = files_.load(name_of(place));
  return file && *file && (*file)->hooks > 0 ? *file : std::nullopt;
}

BrokenFile LastGood::describe(const HookFile& place, BrokenFile::State state) const {
  return {.state = state,
          .at = {place.path, 0, 0},
          .scope = place.scope,
          .project = project_of(place),
          .good_name = name_of(place)};
}

bool LastGood::was_trusted(const BrokenFile& file, bool is_project_trusted) const {
  if (!is_project_trusted) return false;
  const auto history = TrustHistory(trust_store_).load(file.project);
  if (!history || history->empty()) return true;
  return std::ranges::any_of(*history, [&](const PinnedHook& hook) {
    return hook.source.empty() || file.project + "/" + hook.source == file.good_name;
  });
}

void LastGood::note(const HookFile& place, std::string text, size_t hooks) {
  if (hooks > 0) read_.push_back({place, std::move(text), hooks});
}

/// A version that cannot be kept is no reason to lose an event.
void LastGood::keep(const Registry& registry) const {
  if (trust_store_.empty()) return;  // the host keeps nothing
  for (const Read& file : read_) {
    if (!is_approved(registry, file.place)) continue;
    static_cast<void>(
        files_.keep({name_of(file.place), project_of(file.place), "", static_cast<uint32_t>(file.hooks), file.text}));
  }
}

}  // namespace grapnel
