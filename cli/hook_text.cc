#include "cli/hook_text.h"

#include "base/error.h"
#include "base/text.h"
#include "dialect/dialect.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
/// Prompts of hooks can be long; a list shows only their beginning. Commands are always shown in full.
constexpr size_t kMaxAction = 300;

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
