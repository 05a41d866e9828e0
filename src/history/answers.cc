#include "history/answers.h"

#include <algorithm>
#include <array>

#include "grapnel/decision.h"
#include "grapnel/event.h"

namespace grapnel {

namespace {

/// Events that come after a call ran.
constexpr auto kAfterCall = std::to_array({EventKind::PostToolUse, EventKind::PostToolUseFailure});
/// Events that come when no call of the turn is open any more.
constexpr auto kAfterTurn =
    std::to_array({EventKind::UserPromptSubmit, EventKind::Stop, EventKind::StopFailure, EventKind::Interrupt,
                   EventKind::TurnEnd, EventKind::SessionStart, EventKind::SessionEnd});

template <size_t Size>
bool is_in(const std::array<EventKind, Size>& kinds, EventKind kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

}  // namespace

std::string text_member(const Json& object, std::string_view key) {
  return object[key].as_string().value_or("");
}

bool is_asked(const Json& record) {
  if (!record["verdict"].equals_string(to_string(Verdict::Ask))) return false;
  if (!record["event"].equals_string(to_string(EventKind::PreToolUse))) return false;
  for (const Json& loss : record["degraded"].elements()) {
    if (loss["effect"].equals_string(to_string(Verdict::Ask))) return false;
  }
  return true;
}

Result<AnswerFinder> AnswerFinder::prepare(Database& database) {
  // Not all agents give their calls an id. Then the newest question about the same tool and subject is meant.
  auto ran = database.prepare(
      "UPDATE records SET answer = ?5 WHERE number = (SELECT max(number) FROM records WHERE asked = 1 AND answer = '' "
      "AND session = ?1 AND CASE WHEN ?2 <> '' AND call <> '' THEN call = ?2 "
      "ELSE tool = ?3 AND (subject = ?4 OR rewritten = ?4) END)");
  if (!ran) return std::unexpected(ran.error());
  auto ended = database.prepare("UPDATE records SET answer = ?2 WHERE asked = 1 AND answer = '' AND session = ?1");
  if (!ended) return std::unexpected(ended.error());
  return AnswerFinder(std::move(*ran), std::move(*ended));
}

Result<void> AnswerFinder::look_at(const Json& record) {
  const auto kind = event_kind_from(text_member(record, "event"));
  const std::string session = text_member(record, "session");
  if (!kind || session.empty() || record["background"]) return {};
  if (is_in(kAfterCall, *kind)) {
    ran_.bind(1, session).bind(2, text_member(record, "tool_use_id")).bind(3, text_member(record, "tool"));
    return ran_.bind(4, text_member(record, "subject")).bind(5, kApproved).run();
  }
  if (!is_in(kAfterTurn, *kind)) return {};
  return ended_.bind(1, session).bind(2, kNotRun).run();
}

}  // namespace grapnel
