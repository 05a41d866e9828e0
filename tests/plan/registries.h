#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "discover/discover.h"
#include "plan/planner.h"

/// Registries and events written down in a line.
namespace grapnel::testing {

/// A hook of a dialect for one event, with nothing to match.
inline HookSpec hook(std::string name, const Dialect& dialect = kClawdDialect, EventKind kind = EventKind::PreToolUse) {
  HookSpec out;
  out.name = std::move(name);
  out.dialect = &dialect;
  out.events.set(static_cast<size_t>(kind));
  CommandHandler handler;
  handler.command = "true";
  out.handler = std::move(handler);
  return out;
}

inline Clause clause(Field subject, std::string_view pattern, MatchSyntax syntax = MatchSyntax::NamesOrRegex) {
  return {subject, {*Matcher::compile(pattern, syntax)}};
}

/// The same with conditions.
inline HookSpec hook(std::string name, std::initializer_list<Clause> clauses, const Dialect& dialect = kClawdDialect) {
  HookSpec out = hook(std::move(name), dialect);
  out.clauses = clauses;
  return out;
}

inline Registry registry_of(std::vector<HookSpec> hooks) {
  Registry out;
  out.hooks = std::move(hooks);
  arrange(out);
  return out;
}

inline Event tool_event(const Json& name, const Json& input = Json::object()) {
  return Event(EventKind::PreToolUse, Json::object({{"tool_name", name}, {"tool_input", input}}));
}
inline Event tool_event(std::string_view name) {
  return tool_event(Json::string(name));
}

/// A plan as one line: stages separated by ` | `, a cap in front (`2:a b`), background hooks behind ` & `.
inline std::string show(const Plan& plan, const Registry& registry) {
  std::string out;
  for (const Stage& stage : plan.stages) {
    if (!out.empty()) out += " | ";
    if (stage.max_parallel != 0) out += std::to_string(stage.max_parallel) + ":";
    for (size_t i = 0; i < stage.hooks.size(); ++i) out += (i == 0 ? "" : " ") + registry.hooks[stage.hooks[i]].name;
  }
  for (const uint32_t id : plan.background) out += " & " + registry.hooks[id].name;
  return out;
}

}  // namespace grapnel::testing
