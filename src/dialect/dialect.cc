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

const EventRow* Dialect::find_event(EventKind kind) const {
  const auto found = std::ranges::find(events, kind, &EventRow::kind);
  return found == events.end() ? nullptr : &*found;
}

std::span<const Dialect* const> all_dialects() {
  static constexpr auto kAll = std::to_array<const Dialect*>({&kCanonicalDialect, &kGeminiDialect, &kClawdDialect,
                                                              &kBladeDialect, &kClaudeDialect, &kCodexDialect,
                                                              &kQwenDialect, &kKimiDialect, &kAgentHooksDialect});
  return kAll;
}

const Dialect* find_dialect(std::string_view name) {
  const auto all = all_dialects();
  const auto found = std::ranges::find(all, name, [](const Dialect* d) { return d->name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace grapnel
