#include "cli/hook_text.h"

#include "base/error.h"
#include "base/text.h"
#include "dialect/dialect.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60 * kSecond;
/// Hooks with this priority do not mention it in JSON.
constexpr int kUsualPriority = 100;
constexpr int64_t kHour = 60 * kMinute;
/// Prompts of hooks can be long; a list shows only their beginning. Commands are always shown in full.
constexpr size_t kMaxAction = 300;

/// Some members are always present and null when there is no value.
Json text_or_null(const std::string& text) {
  return text.empty() ? Json::null() : Json::string(text);
}

}  // namespace

// A unit is used only if the duration is a whole multiple of it, so nothing is rounded: 90 seconds stay `90 s`.
std::string duration_text(std::chrono::milliseconds duration) {
  const int64_t ms = duration.count();
  if (ms >= kHour && ms % kHour == 0) return std::to_string(ms / kHour) + " h";
  if (ms > kMinute && ms % kMinute == 0) return std::to_string(ms / kMinute) + " min";
  if (ms >= kSecond && ms % kSecond == 0) return std::to_string(ms / kSecond) + " s";
  return std::to_string(ms) + " ms";
}

std::string place_text(const SourcePos& at) {
  return printable(text::format_position({short_path(at.file), at.line, at.column}));
}

std::string pack_of(const std::string& file) {
  constexpr std::string_view kPacks = "agents/packs/";
  const size_t at = file.rfind(kPacks);
  if (at == std::string::npos || at == 0 || (file[at - 1] != '/' && file[at - 1] != '.')) return "";
  const size_t from = at + kPacks.size();
  const size_t end = file.find('/', from);
  return end == std::string::npos ? "" : file.substr(from, end - from);
}

namespace {

/// Canonical names; events that have no kind of their own are shown by the name that their agent gives them.
std::vector<std::string> event_names(const HookInfo& hook) {
  std::vector<std::string> names;
  for (const EventKind kind : hook.events) {
    if (kind != EventKind::Other || hook.other_events.empty()) names.emplace_back(to_string(kind));
  }
  names.insert(names.end(), hook.other_events.begin(), hook.other_events.end());
  return names;
}

}  // namespace

std::string events_text(const HookInfo& hook) {
  return printable(text::join(event_names(hook), ", "));
}

// A hook without an action cannot run here; `runs nothing: …` reads well for it.
std::string action_label(const HookInfo& hook) {
  if (hook.handler == "command" || hook.action.empty()) return "runs";
  return hook.handler == "rule" ? "answers" : hook.handler;
}

std::string action_text(const HookInfo& hook) {
  if (hook.action.empty()) return "nothing: hooks of this type cannot run here";
  const bool is_command = !hook.command.empty();
  const std::string action = printable(is_command ? hook.action : text::cap(hook.action, kMaxAction));
  return hook.handler == "rule" ? action : action + "  (timeout " + duration_text(hook.timeout) + ")";
}

std::string count_text(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::optional<Style> verdict_style(std::string_view verdict) {
  if (verdict == to_string(Verdict::Deny)) return Style::Red;
  if (verdict == to_string(Verdict::Ask)) return Style::Yellow;
  if (verdict == to_string(Verdict::Allow)) return Style::Green;
  return std::nullopt;
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
       {"mode", hook.observes ? Json::string("observe") : Json()},
       {"digest", hook.digest.empty() ? Json() : Json::string(hook.digest)}});
}

// The canonical name comes first, then the spellings of all dialects; names are collected to suggest one.
Result<EventKind> find_event(std::string_view name) {
  if (const auto kind = event_kind_from(name)) return *kind;
  std::vector<std::string_view> known;
  for (const Dialect* dialect : all_dialects()) {
    if (const EventRow* row = dialect->find_event(name)) return row->kind;
    for (const EventRow& row : dialect->events) known.push_back(row.wire_name);
  }
  const std::string_view near = text::nearest(name, known);
  return fail(Errc::BadInput, "'" + std::string(name) + "' is not an event" +
                                  (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
}

}  // namespace grapnel::cli
