#include "plan/planner.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>

#include "base/error.h"
#include "base/text.h"
#include "call/command_pattern.h"
#include "call/commands.h"
#include "dialect/payload.h"
#include "rule/lookup.h"

/// How an event becomes a plan:
///
///   1. The constructor sorts the hooks into one table for each kind of event, and there into one group for each
///      dialect. Every group has an index of the names that its hooks match on, for example tool names.
///   2. `collect` asks the index which hooks can match the name in the event, and checks their other clauses.
///   3. `plan` puts the hooks of all groups into the order of the registry, drops duplicates, sets background hooks
///      aside, and cuts the rest into stages.
///
/// `explain` checks every hook without the index, because people want a reason for each of them.
namespace grapnel {

namespace {

/// Whether a pattern can be compared with the value. If it cannot (a missing field, a number), the clause counts as
/// satisfied: a guard runs rather than being skipped.
bool is_comparable(const Json& value) {
  return value.is_string() || value.is_object() || value.is_array();
}

/// The parsed commands of the event's command line. Parsing is expensive, and many hooks ask about the same line, so
/// the last result is kept.
class LineCommands {
 public:
  const call::ParsedCommand& of(std::string_view line) {
    if (!parsed_ || line_ != line) {
      line_ = line;
      parsed_ = call::commands_of(line);
    }
    return *parsed_;
  }

 private:
  std::string line_;
  std::optional<call::ParsedCommand> parsed_;
};

/// Whether the value satisfies a condition. Patterns over commands need the shell parser of `src/call`; all other
/// patterns are matched by the condition itself. A pattern that only may match (`Certainty::Maybe`) counts as a match.
bool satisfies(const Json& value, const Clause& clause, LineCommands& line) {
  const auto is_over_commands = [](const Matcher& matcher) { return matcher.syntax() == MatchSyntax::Command; };
  if (std::ranges::none_of(clause.any_of, is_over_commands)) return clause.matches(value);
  const auto text = value.as_string();
  return !text || std::ranges::any_of(clause.any_of, [&](const Matcher& matcher) {
    if (!is_over_commands(matcher) || matcher.matches_everything()) return matcher.matches(*text);
    return call::CommandPattern(matcher.pattern()).matches(line.of(*text)) != call::Certainty::No;
  });
}

/// Some agents have one tool that stands for several tools of other agents, such as Codex's `apply_patch`. A condition
/// on the tool's name holds if it holds for one of those names.
bool matches_other_name(const Clause& clause, const Event& event, const Dialect& dialect) {
  if (clause.subject != Field::ToolName) return false;
  return std::ranges::any_of(other_tool_names(event, dialect),
                             [&](const std::string& name) { return clause.matches(Json::string(name)); });
}

/// The first clause that the event does not satisfy, or null if the hook matches. `decided` is the clause that the name
/// index has already answered; it is not checked again.
const Clause* failing_clause(const HookSpec& hook, const Event& event, LineCommands& line,
                             const Clause* decided = nullptr) {
  for (const Clause& clause : hook.clauses) {
    if (&clause == decided) continue;
    const Json value = field_as(event, *hook.dialect, clause.subject);
    if (!is_comparable(value) || satisfies(value, clause, line)) continue;
    if (!matches_other_name(clause, event, *hook.dialect)) return &clause;
  }
  return nullptr;
}

/// Whether the agent of this row has the event, too. Another agent may fire it on more occasions, for example after a
/// tool call that was denied.
bool occurs(const EventRow& row, const Event& event) {
  const auto& never_after = row.applies.not_after;
  if (never_after.empty()) return true;
  const auto type = event.get(Field::ErrorType).as_string();
  return !type || std::ranges::find(never_after, *type) == never_after.end();
}

/// The same for the agent that the hook was written for.
bool occurs_for(const HookSpec& hook, const Event& event) {
  const EventRow* row = hook.dialect->find_event(event.kind());
  return row == nullptr || occurs(*row, event);
}

/// Removes every hook that has the same key as an earlier hook, and returns the removed ones. A hook without a key is
/// never a duplicate.
std::vector<uint32_t> remove_duplicates(const Registry& registry, std::vector<uint32_t>& hooks) {
  std::vector<uint32_t> dropped;
  if (hooks.size() < 2) return dropped;
  std::unordered_set<std::string_view> seen;
  std::erase_if(hooks, [&](uint32_t id) {
    const std::string& key = registry.hooks[id].dedupe_key;
    const bool duplicate = !key.empty() && !seen.insert(key).second;
    if (duplicate) dropped.push_back(id);
    return duplicate;
  });
  return dropped;
}

/// `tool_name "Bash" does not match names Edit, Write`.
std::string describe_comparison(const HookSpec& hook, const Event& event, const Clause& clause, std::string_view verb) {
  const std::string value = text::cap(field_as(event, *hook.dialect, clause.subject).dump(), 200);
  return std::string(to_string(clause.subject)) + " " + value + " " + std::string(verb) + " " + clause.describe();
}

std::string describe_mismatch(const HookSpec& hook, const Event& event, const Clause& clause) {
  return describe_comparison(hook, event, clause, "does not match");
}

/// Lists every condition together with the value that it was compared with; "" for a hook without conditions.
std::string describe_match(const HookSpec& hook, const Event& event) {
  std::vector<std::string> parts;
  for (const Clause& clause : hook.clauses) {
    const bool is_there = is_comparable(field_as(event, *hook.dialect, clause.subject));
    parts.push_back(is_there ? describe_comparison(hook, event, clause, "matches")
                             : "there is no " + std::string(to_string(clause.subject)) + " to compare with " +
                                   clause.describe());
  }
  return text::join(parts, ", ");
}

}  // namespace

void Planner::add_hook(Table& table, EventKind kind, uint32_t id) const {
  const HookSpec& hook = registry_.hooks[id];
  const bool settles = hook.settles_at().test(static_cast<size_t>(kind));
  if (settles && hook.enabled && hook.trust != Trust::Untrusted) table.settling.push_back(id);
  if (!hook.listens_to(kind) || !hook.enabled) return;
  // An untrusted hook never runs. It is listed all the same, because a missing guard may have to make the event an Ask.
  if (hook.trust == Trust::Untrusted) return table.untrusted.push_back(id);
  // If hooks rewrite the event, these rules are asked again about the result (see `Plan::guards`).
  const auto* rule = std::get_if<RuleHandler>(&hook.handler);
  if (rule != nullptr && rule->verdict >= Verdict::Ask) table.guards.push_back(id);
  auto group = std::ranges::find(table.groups, hook.dialect, &Group::dialect);
  if (group == table.groups.end()) {
    table.groups.push_back({hook.dialect, &hook.dialect->event_or_other(kind), {}, nullptr});
    group = std::prev(table.groups.end());
  }
  group->hooks.push_back(id);
}

Planner::Planner(const Registry& registry) : registry_(registry) {
  for (const EventKind kind : all_event_kinds()) {
    Table& table = tables_[static_cast<size_t>(kind)];
    for (uint32_t id = 0; id < registry.hooks.size(); ++id) add_hook(table, kind, id);
    for (Group& group : table.groups) {
      // Without a field to match on there is nothing to index: every hook of the group is a candidate.
      if (group.row->matching.match_on == Field::None) continue;
      std::vector<NameIndex::Entry> entries;
      for (const uint32_t id : group.hooks) {
        for (Matcher& matcher : rule::patterns_on(registry.hooks[id], group.row->matching.match_on))
          entries.push_back({std::move(matcher), id});
      }
      group.by_name = std::make_unique<NameIndex>(std::move(entries));
    }
  }
}

void Planner::collect(const Group& group, const Event& event, std::vector<uint32_t>& out) const {
  if (!occurs(*group.row, event)) return;
  const Field subject = group.row->matching.match_on;
  // An event may lack the field, or have a value there that is not a string. Then all hooks are candidates, and all of
  // their clauses are checked.
  const auto name = group.by_name ? text_as(event, *group.dialect, subject) : std::nullopt;
  LineCommands line;
  const auto add = [&](const std::vector<uint32_t>& ids) {
    for (const uint32_t id : ids) {
      const HookSpec& hook = registry_.hooks[id];
      if (!hook.listens_to(event)) continue;  // the groups do not tell the events of the kind `Other` apart
      if (failing_clause(hook, event, line, name ? rule::clause_on(hook, subject) : nullptr) == nullptr)
        out.push_back(id);
    }
  };
  add(name ? group.by_name->candidates(*name) : group.hooks);
  if (!name || subject != Field::ToolName) return;
  // A hook that is found under several names is added several times; `plan` drops the repetitions.
  for (const std::string& other : other_tool_names(event, *group.dialect)) add(group.by_name->candidates(other));
}

std::vector<Stage> Planner::to_stages(const std::vector<uint32_t>& hooks, EventKind kind) const {
  // In some dialects a single sequential group makes all hooks of the event sequential, so this is decided first.
  std::unordered_set<const Dialect*> all_sequential;
  for (const uint32_t id : hooks) {
    const HookSpec& hook = registry_.hooks[id];
    if (hook.sequential && hook.dialect->running.sequential_spreads) all_sequential.insert(hook.dialect);
  }
  std::vector<Stage> stages;
  bool open = false;  // whether the last stage may still receive parallel hooks
  for (const uint32_t id : hooks) {
    const HookSpec& hook = registry_.hooks[id];
    const bool sequential = hook.sequential || all_sequential.contains(hook.dialect) ||
                            hook.dialect->event_or_other(kind).running.strategy == Strategy::Sequential;
    if (sequential || !open) stages.emplace_back();
    Stage& stage = stages.back();
    stage.hooks.push_back(id);
    // The strictest limit of all hooks in a stage applies to the whole stage.
    if (hook.max_concurrent != 0) {
      stage.max_parallel =
          stage.max_parallel == 0 ? hook.max_concurrent : std::min(stage.max_parallel, hook.max_concurrent);
    }
    open = !sequential;
  }
  return stages;
}

Plan Planner::plan(const Event& event) const {
  const Table& table = tables_[static_cast<size_t>(event.kind())];
  Plan plan;
  plan.settling = table.settling;
  LineCommands line;
  std::ranges::copy_if(table.untrusted, std::back_inserter(plan.untrusted), [&](uint32_t id) {
    const HookSpec& hook = registry_.hooks[id];
    return hook.listens_to(event) && occurs_for(hook, event) && failing_clause(hook, event, line) == nullptr;
  });
  std::vector<uint32_t> hooks;
  for (const Group& group : table.groups) collect(group, event, hooks);
  if (hooks.empty()) return plan;
  // Ids are places in the registry, so sorting them restores the configured order across groups.
  std::ranges::sort(hooks);
  hooks.erase(std::ranges::unique(hooks).begin(), hooks.end());
  remove_duplicates(registry_, hooks);
  std::erase_if(hooks, [&](uint32_t id) {
    if (registry_.hooks[id].async) plan.background.push_back(id);
    return registry_.hooks[id].async;
  });
  plan.stages = to_stages(hooks, event.kind());
  plan.guards = table.guards;
  return plan;
}

std::vector<Explanation> Planner::explain(const Event& event) const {
  std::vector<Explanation> out;
  std::vector<uint32_t> matching;
  LineCommands line;
  for (uint32_t id = 0; id < registry_.hooks.size(); ++id) {
    const HookSpec& hook = registry_.hooks[id];
    Explanation& share = out.emplace_back(Explanation{id, Reason::Planned, ""});
    // A mismatch is reported before a switch: `disabled` and `untrusted` mean that the hook would run otherwise.
    if (!hook.listens_to(event)) {
      share.reason = Reason::OtherEvent;
    } else if (!occurs_for(hook, event)) {
      share = {id, Reason::NoMatch, std::string(hook.dialect->name) + " has no such event after a call that never ran"};
    } else if (const Clause* clause = failing_clause(hook, event, line)) {
      share = {id, Reason::NoMatch, describe_mismatch(hook, event, *clause)};
    } else if (!hook.enabled) {
      share.reason = Reason::Disabled;
    } else if (hook.trust == Trust::Untrusted) {
      share.reason = Reason::Untrusted;
    } else {
      share.detail = describe_match(hook, event);
      matching.push_back(id);
    }
  }
  for (const uint32_t id : remove_duplicates(registry_, matching)) {
    out[id] = {id, Reason::Duplicate, "the same name and command came earlier"};
  }
  return out;
}

}  // namespace grapnel
