#include "cli/ui/today.h"

#include <algorithm>

#include "grapnel/engine.h"

#include "bridge/manifest.h"
#include "cli/account.h"
#include "cli/believed.h"
#include "cli/hook_source.h"
#include "cli/journal/journal_verbs.h"
#include "cli/project_hooks.h"
#include "cli/ui/past_call.h"
#include "discover/discover.h"
#include "discover/find/root.h"
#include "engine/eligibility.h"

namespace grapnel::cli {

namespace {

/// What an agent's bridge, or a person's `fire`, would work with.
struct Caller {
  Environment env;
  const Dialect* bridged = nullptr;  ///< the agent runs its own hook files itself
  ProjectDirs project;
};

bool is_installed(const Environment& env, const std::string& dialect) {
  const auto all = Manifest(env).load();
  return all && std::ranges::any_of(*all, [&](const Installed& one) {
           const Adapter* adapter = find_adapter(one.agent);
           return adapter != nullptr && adapter->dialect->name == dialect;
         });
}

Caller caller_of(const Environment& env, const Json& record) {
  const std::string dialect = text_of(record, "dialect");
  Caller caller{.env = env, .project = {text_of(record, "project")}};
  if (is_installed(env, dialect)) {
    caller.bridged = find_dialect(dialect);
    caller.env = believed(env, own_account_home(std::string(env.get("HOME")))).env;
  }
  const std::string cwd = text_of(record, "cwd");
  if (!cwd.empty()) add_directory(caller.project, cwd, caller.env.home());
  return caller;
}

/// What the hooks that listen to such an event ask about it. Self-protection asks about commands and files, too.
RuleNeeds needs_of(const Caller& caller, EventKind kind) {
  DiscoverOptions options;
  options.roots = places_of(caller.project, caller.env);
  options.bridged = caller.bridged;
  options.trust_store = trust_store(caller.env).path();
  RuleNeeds needs = RuleNeeds::of(discover(options).registry.hooks, kind);
  needs.commands = needs.paths = true;
  return needs;
}

/// The files that an engine would write are in a directory that does not exist.
std::unique_ptr<Engine> engine_for(const Caller& caller) {
  const std::string nowhere = caller.env.runtime_dir() + "/ui-today.none/";
  EngineOptions options;
  options.project_dir = caller.project.root;
  options.project_parts = caller.project.parts;
  options.env = caller.env.entries();
  if (caller.bridged != nullptr) options.discovery.bridged_agent = caller.bridged->name;
  options.discovery.reload_interval = std::chrono::milliseconds(-1);
  options.places.long_texts = nowhere + "texts";
  options.places.weakenings = nowhere + "weakened";
  options.places.leftovers = nowhere + "leftovers";
  options.safety.rules_only = true;
  return Engine::create(std::move(options));
}

Json fate_json(const HookFate& fate) {
  return Json::object({{"name", Json::string(fate.name)},
                       {"source", Json::string(fate.source)},
                       {"fate", Json::string(to_string(fate.kind))},
                       {"detail", fate.detail.empty() ? Json() : Json::string(fate.detail)},
                       {"verdict", Json::string(to_string(fate.verdict))},
                       {"would", fate.would ? Json::string(to_string(*fate.would)) : Json()},
                       {"doubt", fate.doubt.empty() ? Json() : Json::string(fate.doubt)}});
}

Json decision_json(const Decision& decision) {
  std::vector<Json> hooks, not_run;
  for (const HookFate& fate : decision.hooks) {
    const bool is_left_out = fate.kind == HookFate::Kind::Skipped && fate.detail == kNoRule;
    (is_left_out ? not_run : hooks).push_back(fate_json(fate));
  }
  const auto text = [](const std::string& said) { return said.empty() ? Json() : Json::string(said); };
  return Json::object(
      {{"verdict", Json::string(to_string(decision.verdict()))},
       {"reason", text(decision.reason())},
       {"decided_by", text(decision.decided_by)},
       {"would", decision.would ? Json::string(to_string(decision.would->verdict)) : Json()},
       {"changes", Json::boolean(decision.effects.input || decision.effects.output || decision.effects.prompt)},
       {"tells_model", Json::boolean(!decision.context().empty())},
       {"hooks", Json::array(hooks)},
       {"not_run", Json::array(not_run)}});
}

}  // namespace

Json decide_today(const Environment& env, const Json& record) {
  const auto cannot = [](const char* why) { return Json::object({{"cannot", Json::string(why)}}); };
  const auto kind = event_kind_from(text_of(record, "event"));
  if (!kind) return cannot("grapnel does not know this event");
  const Caller caller = caller_of(env, record);
  const auto event = rebuild_event(record, needs_of(caller, *kind));
  if (!event) return cannot("too little of it is on record; with GRAPNEL_PAYLOADS=full it would be kept, masked");
  return decision_json(engine_for(caller)->fire(*event));
}

}  // namespace grapnel::cli
