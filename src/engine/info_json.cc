#include "engine/info_json.h"

namespace grapnel {

namespace {

/// Hooks with this priority do not mention it in JSON.
constexpr int kUsualPriority = 100;

/// Some members are always present and null when there is no value.
Json text_or_null(const std::string& text) {
  return text.empty() ? Json::null() : Json::string(text);
}

}  // namespace

std::string pack_of(const std::string& file) {
  constexpr std::string_view kPacks = "agents/packs/";
  const size_t at = file.rfind(kPacks);
  if (at == std::string::npos || at == 0 || (file[at - 1] != '/' && file[at - 1] != '.')) return "";
  const size_t from = at + kPacks.size();
  const size_t end = file.find('/', from);
  return end == std::string::npos ? "" : file.substr(from, end - from);
}

std::vector<std::string> event_names(const HookInfo& hook) {
  std::vector<std::string> names;
  for (const EventKind kind : hook.events) {
    if (kind != EventKind::Other || hook.other_events.empty()) names.emplace_back(to_string(kind));
  }
  names.insert(names.end(), hook.other_events.begin(), hook.other_events.end());
  return names;
}

Json to_json(const SourcePos& at) {
  return Json::object({{"file", text_or_null(at.file)},
                       {"line", at.line == 0 ? Json() : Json::number(int64_t{at.line})},
                       {"column", at.column == 0 ? Json() : Json::number(int64_t{at.column})}});
}

Json to_json(const ConfigProblem& problem) {
  return Json::object({{"severity", Json::string(problem.is_error() ? "error" : "warning")},
                       {"message", Json::string(problem.message)},
                       {"at", to_json(problem.at)},
                       {"hint", problem.hint.empty() ? Json() : Json::string(problem.hint)}});
}

// Members with a default-constructed value (`Json()`) are left out of the object.
Json to_json(const HookInfo& hook) {
  std::vector<Json> events;
  for (const std::string& name : event_names(hook)) events.push_back(Json::string(name));
  const std::string pack = pack_of(hook.source.file);
  return Json::object(
      {{"name", Json::string(hook.name)},
       {"events", Json::array(events)},
       {"dialect", Json::string(hook.dialect)},
       {"scope", Json::string(hook.scope)},
       {"source", to_json(hook.source)},
       {"pack", pack.empty() ? Json() : Json::string(pack)},
       {"description", hook.description.empty() ? Json() : Json::string(hook.description)},
       {"matcher", text_or_null(hook.matcher)},
       {"handler", hook.handler != "command" && !hook.action.empty() ? Json::string(hook.handler) : Json()},
       {"command", text_or_null(hook.command)},
       {"action", hook.command.empty() && !hook.action.empty() ? Json::string(hook.action) : Json()},
       {"timeout_ms", Json::number(int64_t{hook.timeout.count()})},
       {"sequential", Json::boolean(hook.sequential)},
       {"async", hook.async ? Json::boolean(true) : Json()},
       {"priority", hook.priority == kUsualPriority ? Json() : Json::number(int64_t{hook.priority})},
       {"enabled", Json::boolean(hook.enabled)},
       {"trusted", Json::boolean(hook.trusted)},
       {"sandbox", hook.sandbox.empty() ? Json() : Json::string(hook.sandbox)},
       {"mode", hook.observes ? Json::string("observe") : Json()},
       {"warm", hook.warm ? Json::boolean(true) : Json()},
       {"digest", hook.digest.empty() ? Json() : Json::string(hook.digest)}});
}

Json to_json(const HookExplanation& share) {
  return Json::object({{"name", Json::string(share.hook.name)},
                       {"runs", Json::boolean(share.runs)},
                       {"stage", share.runs ? Json::number(static_cast<int64_t>(share.stage)) : Json()},
                       {"reason", share.runs ? Json() : Json::string(share.reason)},
                       {"detail", share.detail.empty() ? Json() : Json::string(share.detail)},
                       {"doubt", share.doubt.empty() ? Json() : Json::string(share.doubt)},
                       {"hook", to_json(share.hook)}});
}

}  // namespace grapnel
