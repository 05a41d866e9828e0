#include "history/open_calls.h"

#include <algorithm>
#include <array>

#include "grapnel/event.h"

#include "history/schema.h"

namespace grapnel {

namespace {

/// Agents run few calls at a time; older ones that never ended are given up.
constexpr size_t kMaxOpen = 64;
constexpr size_t kMaxSessions = 4096;

/// Events that come after a call ran.
constexpr auto kAfterCall = std::to_array({EventKind::PostToolUse, EventKind::PostToolUseFailure});
/// Events that come when no call of the turn is open any more.
constexpr auto kAfterTurn =
    std::to_array({EventKind::UserPromptSubmit, EventKind::Stop, EventKind::StopFailure, EventKind::Interrupt,
                   EventKind::TurnEnd, EventKind::SessionStart, EventKind::SessionEnd});

template <size_t Size>
bool is_in(const std::array<EventKind, Size>& kinds, std::string_view name) {
  return std::ranges::any_of(kinds, [&](EventKind kind) { return to_string(kind) == name; });
}

}  // namespace

int64_t call_key(std::string_view call) {
  if (call.empty()) return 0;
  uint32_t hash = 2166136261U;
  for (const char c : call) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash == 0 ? 1 : hash;
}

Result<OpenCalls> OpenCalls::prepare(Database& database) {
  // The newest records of a session, as far as they are about calls.
  auto load = database.prepare(
      "SELECT r.number, r.call, r.call_start, r.flags & ?2 <> 0 AND r.answer = 0, e.text, t.text, s.text, s.rewritten "
      "FROM (SELECT * FROM records WHERE session = ?1 ORDER BY time DESC, number DESC LIMIT 256) r "
      "JOIN names e ON e.number = r.event JOIN names t ON t.number = r.tool "
      "LEFT JOIN subjects s ON s.record = r.number ORDER BY r.number");
  if (!load) return std::unexpected(load.error());
  auto answer = database.prepare("UPDATE records SET answer = ?2 WHERE number = ?1");
  if (!answer) return std::unexpected(answer.error());
  return OpenCalls(std::move(*load), std::move(*answer));
}

Result<OpenCalls::Calls*> OpenCalls::calls_of(int64_t session, bool is_new) {
  if (by_session_.size() > kMaxSessions) by_session_.clear();
  const auto [at, is_unknown] = by_session_.try_emplace(session);
  Calls& calls = at->second;
  if (!is_unknown || is_new) return &calls;
  load_.bind(1, session).bind(2, int64_t{kAsked});
  for (;;) {
    const auto row = load_.step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    if (const int64_t start = load_.number(2); start != 0)
      std::erase_if(calls, [&](const Call& c) { return c.number == start; });
    if (load_.text(4) != to_string(EventKind::PreToolUse)) continue;
    calls.push_back(
        {load_.number(0), load_.number(1), load_.text(5), load_.text(6), load_.text(7), load_.number(3) != 0});
  }
  load_.reset();
  if (calls.size() > kMaxOpen) calls.erase(calls.begin(), calls.end() - kMaxOpen);
  return &calls;
}

Result<void> OpenCalls::set_answer(Call& call, bool has_run) {
  if (!call.is_asked) return {};
  call.is_asked = false;
  return answer_.bind(1, call.number)
      .bind(2, static_cast<int64_t>(has_run ? StoredAnswer::Approved : StoredAnswer::NotRun))
      .run();
}

/// Not all agents give their calls an id. Then the newest call of the same tool with the same subject is meant.
Result<int64_t> OpenCalls::end_call(Calls& calls, const RecordFacts& record) {
  const int64_t id = call_key(record.call);
  const auto is_meant = [&](const Call& call) {
    if (id != 0 && call.id != 0) return call.id == id;
    return call.tool == record.tool && (call.subject == record.subject || call.rewritten == record.subject);
  };
  const auto found = std::find_if(calls.rbegin(), calls.rend(), is_meant);
  if (found == calls.rend()) return 0;
  if (auto done = set_answer(*found, true); !done) return std::unexpected(done.error());
  const int64_t number = found->number;
  calls.erase(std::next(found).base());
  return number;
}

Result<void> OpenCalls::end_turn(Calls& calls) {
  for (Call& call : calls) {
    if (auto done = set_answer(call, false); !done) return done;
  }
  return {};
}

Result<int64_t> OpenCalls::look_at(const RecordFacts& record, int64_t number, int64_t session, bool is_new_session) {
  if (record.session.empty() || record.in_background) return 0;
  const bool is_before = record.event == to_string(EventKind::PreToolUse);
  const bool is_after = !is_before && is_in(kAfterCall, record.event);
  const bool is_end = !is_before && !is_after && is_in(kAfterTurn, record.event);
  if (!is_before && !is_after && !is_end) return 0;
  const auto calls = calls_of(session, is_new_session);
  if (!calls) return std::unexpected(calls.error());
  if (is_after) return end_call(**calls, record);
  if (is_end) {
    if (auto done = end_turn(**calls); !done) return std::unexpected(done.error());
    return 0;
  }
  if ((*calls)->size() >= kMaxOpen) (*calls)->erase((*calls)->begin());
  (*calls)->push_back(
      {number, call_key(record.call), record.tool, record.subject, record.rewritten, record.is_asked()});
  return 0;
}

}  // namespace grapnel
