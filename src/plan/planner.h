#pragma once

#include <array>
#include <memory>
#include <vector>

#include "grapnel/event.h"

#include "dialect/dialect.h"
#include "match/name_index.h"
#include "model/plan.h"
#include "model/registry.h"

namespace grapnel {

/// Plans events over one registry: which hooks run, in which stages.
///
/// Planning is pure: the same registry and event always give the same plan, so `explain` can tell at any later time why
/// a hook was not part of it. Hooks are indexed by event, dialect and the name that they match on: an event that no
/// hook wants costs the same with ten hooks and with ten thousand. Neighbouring parallel hooks form one stage; a
/// sequential hook is a stage of its own.
///
/// Thread: any. Borrows the registry, which must outlive it.
class Planner {
 public:
  explicit Planner(const Registry& registry);

  Plan plan(const Event& event) const;

  /// Why each hook takes part in the event or does not, in the order of the registry.
  std::vector<Explanation> explain(const Event& event) const;

 private:
  /// The hooks of one dialect that listen to one kind of event and are neither disabled nor untrusted.
  struct Group {
    const Dialect* dialect = nullptr;
    const EventRow* row = nullptr;
    std::vector<uint32_t> hooks;
    std::unique_ptr<NameIndex> by_name;  ///< null if the event has nothing to match on
  };

  /// Appends the hooks of the group that match the event.
  void collect(const Group& group, const Event& event, std::vector<uint32_t>& out) const;
  /// Cuts the hooks into stages; `hooks` is in configured order.
  std::vector<Stage> to_stages(const std::vector<uint32_t>& hooks, EventKind kind) const;

  /// The hooks that listen to one kind of event.
  struct Table {
    std::vector<Group> groups;
    std::vector<uint32_t> guards;     ///< rules that deny or ask
    std::vector<uint32_t> untrusted;  ///< enabled, but not trusted
    std::vector<uint32_t> settling;   ///< run at this kind of event for what they collected
  };

  /// Enters the hook into the table if it listens to that kind of event and is enabled.
  void add_hook(Table& table, EventKind kind, uint32_t id) const;

  const Registry& registry_;
  std::array<Table, kEventKindCount> tables_;
};

}  // namespace grapnel
