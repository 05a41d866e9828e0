#include "dialect/dialect.h"

#include <algorithm>
#include <array>

namespace grapnel {

namespace {

/// An event that is in no table. Its hooks run, and nothing is said to the agent but an exit code of 0: we cannot know
/// what it would understand.
constexpr EventRow kOtherEvent{.kind = EventKind::Other,
                               .wire_name = "Other",
                               .running = {.strategy = Strategy::Parallel},
                               .verdicts = {.can_deny = false},
                               .lost = {.ask = Verdict::Pass, .input = Verdict::Pass, .prompt = Verdict::Pass}};

}  // namespace

const EventRow* Dialect::find_event(EventKind kind) const {
  const EventRow* row = events.first(kind);
  return row == nullptr && kind == EventKind::Other ? &kOtherEvent : row;
}

const EventRow* Dialect::find_event(std::string_view spelling) const {
  // A linear search is fast enough, since a dialect has few events.
  const auto spelled_so = [&](const EventRow& row) {
    return row.wire_name == spelling || std::ranges::find(row.aliases, spelling) != row.aliases.end();
  };
  const auto found = std::ranges::find_if(events, spelled_so);
  return found == events.end() ? nullptr : &*found;
}

const EventRow& Dialect::event_or_other(EventKind kind) const {
  const EventRow* row = find_event(kind);
  return row == nullptr ? *find_event(EventKind::Other) : *row;
}

std::optional<PlaceFormat> Dialect::file_format() const {
  // The first place is representative: no dialect mixes rule files with other formats.
  if (files.places.empty() || files.places.front().format == PlaceFormat::Rules) return std::nullopt;
  const bool has_json =
      std::ranges::find(files.places, PlaceFormat::Settings, &HookFilePlace::format) != files.places.end();
  return has_json ? PlaceFormat::Settings : files.places.front().format;
}

std::string_view Dialect::key_of(HookKey meaning) const {
  const auto found = std::ranges::find(entries.hook_keys, meaning, &HookKeyRow::meaning);
  return found == entries.hook_keys.end() ? std::string_view{} : found->key;
}

std::string_view Dialect::key_of(GroupKey meaning) const {
  const auto found = std::ranges::find(entries.group_keys, meaning, &GroupKeyRow::meaning);
  return found == entries.group_keys.end() ? std::string_view{} : found->key;
}

std::string_view Dialect::pointer_of(Setting setting) const {
  const auto found = std::ranges::find(files.settings, setting, &SettingRow::setting);
  return found == files.settings.end() ? std::string_view{} : found->pointer;
}

std::span<const Dialect* const> all_dialects() {
  // The order is visible: hook files are read and lists are printed in this order, and if several dialects have a tool
  // of one name, the first of them counts (`dialect_of_tool`).
  static constexpr auto kAll = std::to_array<const Dialect*>(
      {&kCanonicalDialect, &kGrapnelDialect, &kGeminiDialect, &kClawdDialect, &kBladeDialect, &kClaudeDialect,
       &kCodexDialect, &kQwenDialect, &kKimiDialect, &kCursorDialect, &kCopilotDialect, &kCopilotVscodeDialect,
       &kOpencodeDialect, &kAgentHooksDialect});
  return kAll;
}

bool is_other_event(std::string_view name) {
  return std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
    const auto& others = dialect->entries.other_events;
    return std::ranges::find(others, name) != others.end();
  });
}

bool could_be_event(std::string_view name) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_part = [&](char c) { return is_lower(c) || is_upper(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !std::ranges::all_of(name, is_part)) return false;
  return std::ranges::any_of(name, is_lower) && std::ranges::any_of(name.substr(1), is_upper);
}

const Dialect* find_dialect(std::string_view name) {
  const auto all = all_dialects();
  const auto found = std::ranges::find(all, name, [](const Dialect* d) { return d->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace grapnel
