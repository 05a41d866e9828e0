#include "plan/registry_snapshot.h"

#include <optional>

#include "base/error.h"
#include "dialect/dialect.h"

namespace grapnel {

namespace {

/// The version of the layout. Raise it when an older reader would misunderstand a new snapshot; other versions are
/// rejected.
constexpr int64_t kVersion = 2;

/// How a snapshot spells a syntax. Journals keep snapshots for a long time, so an existing name must not change.
std::string_view name_of(MatchSyntax syntax) {
  switch (syntax) {
    case MatchSyntax::Exact:
      return "exact";
    case MatchSyntax::NamesOrRegex:
      return "names-or-regex";
    case MatchSyntax::NamesOrSearch:
      return "names-or-search";
    case MatchSyntax::ListOrSearch:
      return "list-or-search";
    case MatchSyntax::WordsOrSearch:
      return "words-or-search";
    case MatchSyntax::SearchRegex:
      return "search";
    case MatchSyntax::StrictRegex:
      return "strict";
    case MatchSyntax::ExactOrAny:
      return "exact-or-any";
    case MatchSyntax::Glob:
      return "glob";
    case MatchSyntax::GlobBash:
      return "glob-bash";
    case MatchSyntax::GlobMatchBase:
      return "glob-match-base";
    case MatchSyntax::GlobPath:
      return "glob-path";
    case MatchSyntax::Command:
      return "command";
  }
  return "";
}

std::optional<MatchSyntax> syntax_from(std::string_view name) {
  // `Command` is the last syntax of the enumeration.
  for (uint8_t i = 0; i <= static_cast<uint8_t>(MatchSyntax::Command); ++i) {
    if (name_of(static_cast<MatchSyntax>(i)) == name) return static_cast<MatchSyntax>(i);
  }
  return std::nullopt;
}

std::string text_of(const Json& object, std::string_view key) {
  return object[key].as_string().value_or("");
}

/// A missing value leaves a member out, so flags are written only if they are set. This keeps snapshots small.
Json clause_to_json(const Clause& clause) {
  std::vector<Json> patterns;
  for (const Matcher& matcher : clause.any_of) {
    patterns.push_back(Json::array({Json::string(name_of(matcher.syntax())), Json::string(matcher.pattern())}));
  }
  return Json::object({{"subject", Json::string(to_string(clause.subject))},
                       {"any_of", Json::array(patterns)},
                       {"whole_too", clause.whole_too ? Json::boolean(true) : Json()}});
}

/// Patterns that cannot be compiled any more are left out, for example one in which a secret was masked.
Clause clause_from_json(const Json& json) {
  Clause clause;
  clause.subject = field_from(text_of(json, "subject")).value_or(Field::None);
  clause.whole_too = json["whole_too"].as_bool().value_or(false);
  for (const Json& pattern : json["any_of"].elements()) {
    const auto syntax = syntax_from(pattern.at(0).as_string().value_or(""));
    if (!syntax) continue;
    auto matcher = Matcher::compile(pattern.at(1).as_string().value_or(""), *syntax);
    if (matcher) clause.any_of.push_back(std::move(*matcher));
  }
  return clause;
}

/// Positions are `[file, line, column]`.
Json position_to_json(const SourcePos& at) {
  return Json::array({Json::string(at.file), Json::number(int64_t{at.line}), Json::number(int64_t{at.column})});
}

SourcePos position_from_json(const Json& json) {
  const auto number = [&](size_t index) { return static_cast<uint32_t>(json.at(index).as_integer().value_or(0)); };
  return {json.at(0).as_string().value_or(""), number(1), number(2)};
}

/// Writes what planning and people need. The handler is only kept as the text of its definition: a hook from a snapshot
/// can be explained, but never run.
Json hook_to_json(const HookSpec& hook) {
  std::vector<Json> events;
  for (const std::string& name : hook.event_names()) events.push_back(Json::string(name));
  std::vector<Json> clauses;
  for (const Clause& clause : hook.clauses) clauses.push_back(clause_to_json(clause));
  return Json::object({{"name", Json::string(hook.name)},
                       {"dialect", Json::string(hook.dialect->name)},
                       {"scope", Json::string(to_string(hook.scope))},
                       {"at", position_to_json(hook.source)},
                       {"events", Json::array(events)},
                       {"clauses", clauses.empty() ? Json() : Json::array(clauses)},
                       {"enabled", Json::boolean(hook.enabled)},
                       {"untrusted", hook.trust == Trust::Untrusted ? Json::boolean(true) : Json()},
                       {"observes", hook.observes() ? Json::boolean(true) : Json()},
                       {"same_as", hook.dedupe_key.empty() ? Json() : Json::string(hook.dedupe_key)},
                       {"definition", Json::parse(hook.definition).value_or(Json::null())}});
}

/// The scope with that name. An unknown name becomes `User`, so that a damaged snapshot stays readable.
Scope scope_from(std::string_view name) {
  for (const Scope scope :
       {Scope::Managed, Scope::User, Scope::Project, Scope::Local, Scope::Extension, Scope::Callback}) {
    if (to_string(scope) == name) return scope;
  }
  return Scope::User;
}

/// The hook, or nothing if this version of Grapnel does not know its dialect.
std::optional<HookSpec> hook_from_json(const Json& json) {
  HookSpec hook;
  hook.dialect = find_dialect(text_of(json, "dialect"));
  if (hook.dialect == nullptr) return std::nullopt;
  hook.name = text_of(json, "name");
  hook.scope = scope_from(text_of(json, "scope"));
  hook.source = position_from_json(json["at"]);
  for (const Json& event : json["events"].elements()) {
    const std::string name = event.as_string().value_or("");
    const auto kind = event_kind_from(name);
    // The dialect may have had an event in the past that it no longer has. The planner needs a row for each event.
    if (kind && hook.dialect->find_event(*kind) != nullptr) hook.events.set(static_cast<size_t>(*kind));
    if (kind || name.empty()) continue;
    hook.events.set(static_cast<size_t>(EventKind::Other));
    hook.other_events.push_back(name);
  }
  for (const Json& clause : json["clauses"].elements()) hook.clauses.push_back(clause_from_json(clause));
  hook.enabled = json["enabled"].as_bool().value_or(true);
  // Only untrusted hooks are planned differently, so the snapshot does not distinguish the other states.
  hook.trust = json["untrusted"].as_bool() == true ? Trust::Untrusted : Trust::NotNeeded;
  hook.mode = json["observes"].as_bool() == true ? Mode::ObserveFromAbove : Mode::Enforce;
  hook.dedupe_key = text_of(json, "same_as");
  hook.definition = json["definition"].dump();
  return hook;
}

}  // namespace

Json write_snapshot(const Registry& registry) {
  std::vector<Json> hooks;
  hooks.reserve(registry.hooks.size());
  for (const HookSpec& hook : registry.hooks) hooks.push_back(hook_to_json(hook));
  std::vector<Json> problems;
  for (const ConfigProblem& problem : registry.problems) {
    problems.push_back(Json::object({{"error", Json::boolean(problem.severity == ConfigProblem::Severity::Error)},
                                     {"message", Json::string(problem.message)},
                                     {"hint", problem.hint.empty() ? Json() : Json::string(problem.hint)},
                                     {"at", position_to_json(problem.at)}}));
  }
  return Json::object({{"version", Json::number(kVersion)},
                       {"digest", Json::string(registry.digest)},
                       {"hooks", Json::array(hooks)},
                       {"problems", problems.empty() ? Json() : Json::array(problems)}});
}

Result<Registry> read_snapshot(const Json& snapshot) {
  if (snapshot["version"].as_integer() != kVersion)
    return fail(Errc::BadInput, "this is not a registry snapshot, or it has another version");
  Registry registry;
  registry.digest = text_of(snapshot, "digest");
  for (const Json& json : snapshot["hooks"].elements()) {
    if (auto hook = hook_from_json(json)) registry.hooks.push_back(std::move(*hook));
  }
  for (const Json& json : snapshot["problems"].elements()) {
    const bool is_error = json["error"].as_bool().value_or(true);
    registry.problems.push_back({is_error ? ConfigProblem::Severity::Error : ConfigProblem::Severity::Warning,
                                 text_of(json, "message"), position_from_json(json["at"]), text_of(json, "hint")});
  }
  return registry;
}

}  // namespace grapnel
