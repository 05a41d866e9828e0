#pragma once

#include <array>
#include <bitset>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/discover.h"
#include "plan/planner.h"
#include "protect/call_review.h"
#include "rule/answer.h"

namespace grapnel {

using FieldSet = std::bitset<kFieldCount>;

/// A registry with its planner: what an event holds on to from start to end, whatever is reloaded meanwhile.
struct Snapshot {
  explicit Snapshot(std::shared_ptr<const Discovered> from)
      : discovered(std::move(from)), registry(discovered->registry), sources(discovered->sources), planner(registry) {
    for (const HookSpec& hook : registry.hooks) {
      if (hook.trust == Trust::Untrusted) untrusted |= hook.events;
      untrusted_count += hook.trust == Trust::Untrusted ? 1 : 0;
      tracks_changes |= hook.when && rule::asks_for_changes(*hook.when);
      const auto* rule = std::get_if<RuleHandler>(&hook.handler);
      counts_compactions |= rule != nullptr && rule->inject && rule->inject->how == Inject::How::OncePerCompaction;
      for (const Clause& clause : hook.clauses) add_subject(clause.subject, hook.events);
    }
    for (const auto& [subject, events] : discovered->subjects_left_out) add_subject(subject, events);
  }

  const std::shared_ptr<const Discovered> discovered;
  const Registry& registry;
  const Sources& sources;
  const Planner planner;
  bool tracks_changes = false;                            ///< some hook asks for the files touched in a turn
  bool counts_compactions = false;                        ///< some text is injected anew after each
  std::unique_ptr<const protect::CallReview> protection;  ///< null: off
  std::bitset<kEventKindCount> untrusted;                 ///< events some hook listens to that may not run
  size_t untrusted_count = 0;
  std::array<FieldSet, kEventKindCount> subjects;  ///< what hooks' patterns are compared with, by event

 private:
  /// A tool's name is translated by what is known of its server.
  void add_subject(Field subject, const std::bitset<kEventKindCount>& events) {
    if (subject == Field::None) return;
    for (size_t kind = 0; kind < kEventKindCount; ++kind) {
      if (!events.test(kind)) continue;
      subjects[kind].set(static_cast<size_t>(subject));
      subjects[kind].set(static_cast<size_t>(Field::ToolName));
      subjects[kind].set(static_cast<size_t>(Field::McpContext));
    }
  }
};

}  // namespace grapnel
