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
/// Planning is pure: the same registry and event give the same plan, and why a hook is not in it can be computed at any
/// time by `explain`. Hooks are indexed per event and dialect by the name they match on, so an event that nobody wants
/// costs the same with ten hooks and with ten thousand. Consecutive parallel hooks form one stage; a sequential hook is
/// a stage of its own.
///
/// Thread: any. Borrows the registry, which must outlive it.
class Planner {
 public:
  explicit Planner(const Registry& registry);

  Plan plan(const Event& event) const;

  /// Every hook's share, in registry order.
  std::vector<Explanation> explain(const Event& event) const;

 private:
  /// The hooks of one dialect that listen to one event and may run.
  struct Group {
    const Dialect* dialect = nullptr;
    const EventRow* row = nullptr;
    std::vector<uint32_t> hooks;
    std::unique_ptr<NameIndex> by_name;  ///< null when the event has nothing to match on
  };

  void collect(const Group& group, const Event& event, std::vector<uint32_t>& out) const;
  std::vector<Stage> to_stages(const std::vector<uint32_t>& hooks, EventKind kind) const;

  /// All there is to know of one kind of event.
  struct Table {
    std::vector<Group> groups;
    std::vector<uint32_t> guards;     ///< rules that deny or ask
    std::vector<uint32_t> untrusted;  ///< enabled, but not trusted
  };

  void add_hook(Table& table, EventKind kind, uint32_t id) const;

  const Registry& registry_;
  std::array<Table, kEventKindCount> tables_;
};

}  // namespace grapnel
