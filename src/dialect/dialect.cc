#include "dialect/dialect.h"

#include <algorithm>
#include <array>

namespace grapnel {

const EventRow* Dialect::find_event(std::string_view spelling) const {
  const auto spelled_so = [&](const EventRow& row) {
    return row.wire_name == spelling || std::ranges::find(row.aliases, spelling) != row.aliases.end();
  };
  const auto found = std::ranges::find_if(events, spelled_so);
  return found == events.end() ? nullptr : &*found;
}

std::optional<PlaceFormat> Dialect::file_format() const {
  if (places.empty() || places.front().format == PlaceFormat::Rules) return std::nullopt;
  const bool has_json = std::ranges::find(places, PlaceFormat::Settings, &Place::format) != places.end();
  return has_json ? PlaceFormat::Settings : places.front().format;
}

std::string_view Dialect::key_of(HookKey meaning) const {
  const auto found = std::ranges::find(hook_keys, meaning, &HookKeyRow::meaning);
  return found == hook_keys.end() ? std::string_view{} : found->key;
}

std::string_view Dialect::key_of(GroupKey meaning) const {
  const auto found = std::ranges::find(group_keys, meaning, &GroupKeyRow::meaning);
  return found == group_keys.end() ? std::string_view{} : found->key;
}

std::string_view Dialect::pointer_of(Setting setting) const {
  const auto found = std::ranges::find(settings, setting, &SettingRow::setting);
  return found == settings.end() ? std::string_view{} : found->pointer;
}

std::span<const Dialect* const> all_dialects() {
  static constexpr auto kAll = std::to_array<const Dialect*>(
      {&kCanonicalDialect, &kGrapnelDialect, &kGeminiDialect, &kClawdDialect, &kBladeDialect, &kClaudeDialect,
       &kCodexDialect, &kQwenDialect, &kKimiDialect, &kCursorDialect, &kCopilotDialect, &kCopilotVscodeDialect,
       &kOpencodeDialect, &kAgentHooksDialect});
  return kAll;
}

const Dialect* find_dialect(std::string_view name) {
  const auto all = all_dialects();
  const auto found = std::ranges::find(all, name, [](const Dialect* d) { return d->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace grapnel
