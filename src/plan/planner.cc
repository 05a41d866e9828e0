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

namespace grapnel {

namespace {

/// Whether there is something to compare a pattern with. Where there is not, a guard runs rather than being skipped.
bool is_comparable(const Json& value) {
  return value.is_string() || value.is_object() || value.is_array();
}

/// The commands of an event's command line, read once for all conditions that ask about them.
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

/// Whether the value satisfies a condition. Patterns over commands are understood by `src/call`, all others by the
/// condition itself.
bool satisfies(const Json& value, const Clause& clause, LineCommands& line) {
  const auto is_over_commands = [](const Matcher& matcher) { return matcher.syntax() == MatchSyntax::Command; };
  if (std::ranges::none_of(clause.any_of, is_over_commands)) return clause.matches(value);
  const auto text = value.as_string();
  return !text || std::ranges::any_of(clause.any_of, [&](const Matcher& matcher) {
    if (!is_over_commands(matcher) || matcher.matches_everything()) return matcher.matches(*text);
    return call::CommandPattern(matcher.pattern()).matches(line.of(*text)) != call::Certainty::No;
  });
}

bool matches_other_name(const Clause& clause, const Event& event, const Dialect& dialect) {
  if (clause.subject != Field::ToolName) return false;
  return std::ranges::any_of(other_tool_names(event, dialect),
                             [&](const std::string& name) { return clause.matches(Json::string(name)); });
}

/// The first clause the event does not satisfy, besides the one that is decided already.
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

/// Drops hooks whose key was seen before; returns those dropped.
std::vector<uint32_t> remove_duplicates(const Registry& registry, std::vector<uint32_t>& hooks) {
  std::unordered_set<std::string_view> seen;
  std::vector<uint32_t> dropped;
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

/// Every condition and what it was compared with; "" for a hook without conditions.
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
  if (!hook.listens_to(kind) || !hook.enabled) return;
  if (hook.trust == Trust::Untrusted) return table.untrusted.push_back(id);
  const auto* rule = std::get_if<RuleHandler>(&hook.handler);
  if (rule != nullptr && rule->verdict >= Verdict::Ask) table.guards.push_back(id);
  auto group = std::ranges::find(table.groups, hook.dialect, &Group::dialect);
  if (group == table.groups.end()) {
    table.groups.push_back({hook.dialect, hook.dialect->find_event(kind), {}, nullptr});
    group = std::prev(table.groups.end());
    GRAPNEL_CHECK(group->row != nullptr);
  }
  group->hooks.push_back(id);
}

Planner::Planner(const Registry& registry) : registry_(registry) {
  for (const EventKind kind : all_event_kinds()) {
    Table& table = tables_[static_cast<size_t>(kind)];
    for (uint32_t id = 0; id < registry.hooks.size(); ++id) add_hook(table, kind, id);
    for (Group& group : table.groups) {
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
  const Field subject = group.row->matching.match_on;
  const auto name = group.by_name ? text_as(event, *group.dialect, subject) : std::nullopt;
  LineCommands line;
  const auto add = [&](const std::vector<uint32_t>& ids) {
    for (const uint32_t id : ids) {
      const HookSpec& hook = registry_.hooks[id];
      if (failing_clause(hook, event, line, name ? rule::clause_on(hook, subject) : nullptr) == nullptr)
        out.push_back(id);
    }
  };
  add(name ? group.by_name->candidates(*name) : group.hooks);
  if (!name || subject != Field::ToolName) return;
  for (const std::string& other : other_tool_names(event, *group.dialect)) add(group.by_name->candidates(other));
}

std::vector<Stage> Planner::to_stages(const std::vector<uint32_t>& hooks, EventKind kind) const {
  std::unordered_set<const Dialect*> all_sequential;
  for (const uint32_t id : hooks) {
    const HookSpec& hook = registry_.hooks[id];
    if (hook.sequential && hook.dialect->running.sequential_spreads) all_sequential.insert(hook.dialect);
  }
  std::vector<Stage> stages;
  bool open = false;  // the last stage takes more parallel hooks
  for (const uint32_t id : hooks) {
    const HookSpec& hook = registry_.hooks[id];
    const bool sequential = hook.sequential || all_sequential.contains(hook.dialect) ||
                            hook.dialect->find_event(kind)->running.strategy == Strategy::Sequential;
    if (sequential || !open) stages.emplace_back();
    Stage& stage = stages.back();
    stage.hooks.push_back(id);
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
  LineCommands line;
  std::ranges::copy_if(table.untrusted, std::back_inserter(plan.untrusted),
                       [&](uint32_t id) { return failing_clause(registry_.hooks[id], event, line) == nullptr; });
  std::vector<uint32_t> hooks;
  for (const Group& group : table.groups) collect(group, event, hooks);
  if (hooks.empty()) return plan;
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
    if (!hook.listens_to(event.kind())) {
      share.reason = Reason::OtherEvent;
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
