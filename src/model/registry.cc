#include "model/registry.h"

#include "base/text.h"
#include "model/plan.h"

namespace grapnel {

namespace {

Json hook_to_json(const HookSpec& hook) {
  std::vector<Json> events;
  for (const EventKind kind : all_event_kinds()) {
    if (hook.listens_to(kind)) events.push_back(Json::string(to_string(kind)));
  }
  return Json::object({{"name", Json::string(hook.name)},
                       {"scope", Json::string(to_string(hook.scope))},
                       {"source", Json::string(hook.source_text())},
                       {"events", Json::array(events)},
                       {"enabled", Json::boolean(hook.enabled)},
                       {"untrusted", hook.trust == Trust::Untrusted ? Json::boolean(true) : Json()},
                       {"definition", Json::parse(hook.definition).value_or(Json::null())}});
}

}  // namespace

std::string Problem::to_string() const {
  const std::string place = text::format_position(at);
  std::string out = place.empty() ? "" : place + ": ";
  out += severity == Severity::Error ? "error: " : "warning: ";
  out += message;
  if (!hint.empty()) out += " (" + hint + ")";
  return out;
}

Json Registry::snapshot() const {
  std::vector<Json> all;
  all.reserve(hooks.size());
  for (const HookSpec& hook : hooks) all.push_back(hook_to_json(hook));
  return Json::object(
      {{"version", Json::number(int64_t{1})}, {"digest", Json::string(digest)}, {"hooks", Json::array(all)}});
}

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::Planned:
      return "runs";
    case Reason::OtherEvent:
      return "other event";
    case Reason::Disabled:
      return "disabled";
    case Reason::Untrusted:
      return "untrusted";
    case Reason::NoMatch:
      return "no match";
    case Reason::Duplicate:
      return "duplicate";
  }
  return "";
}

}  // namespace grapnel
