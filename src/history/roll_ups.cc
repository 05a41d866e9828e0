#include "history/roll_ups.h"

#include <algorithm>

#include "grapnel/event.h"

#include "history/schema.h"

namespace grapnel {

int64_t stored_would(const std::optional<Verdict>& would) {
  return would ? static_cast<int64_t>(*would) + 1 : kWouldNothing;
}

void RollUps::Reach::add(int64_t number) {
  low = low == 0 ? number : std::min(low, number);
  high = std::max(high, number);
}

void RollUps::add(const RecordFacts& record, const RecordNumbers& numbers) {
  const HourKey key{numbers.time / kHourMs,
                    numbers.agent,
                    numbers.project,
                    numbers.event,
                    numbers.tool,
                    static_cast<int64_t>(record.verdict),
                    stored_would(record.would)};
  HourCounts& counts = hours_[key];
  counts.reach.add(numbers.number);
  counts.lost += record.lost;
  add_session(record, numbers);
  // A record of async hooks is no event; its event has a record of its own.
  if (record.in_background) return;
  ++counts.events;
  counts.failed += record.has_failed_hook() ? 1 : 0;
  counts.rewrites += record.is_rewritten ? 1 : 0;
  counts.injects += record.is_injected ? 1 : 0;
  counts.fail_open += record.origin == to_string(Origin::FailOpen) ? 1 : 0;
  counts.degraded += record.is_degraded ? 1 : 0;
  KindCounts& kind = kinds_[{numbers.registry, numbers.event}];
  ++kind.events;
  kind.high = numbers.number;
}

void RollUps::add_session(const RecordFacts& record, const RecordNumbers& numbers) {
  SessionCounts& counts = sessions_[numbers.session];
  counts.project = numbers.project;
  counts.first = counts.last == 0 ? numbers.time : std::min(counts.first, numbers.time);
  counts.last = std::max(counts.last, numbers.time);
  if (record.in_background) return;
  ++counts.events;
  counts.deny += record.verdict == Verdict::Deny ? 1 : 0;
  counts.ask += record.verdict == Verdict::Ask ? 1 : 0;
  counts.failed += record.has_failed_hook() ? 1 : 0;
  counts.turns += record.event == to_string(EventKind::UserPromptSubmit) ? 1 : 0;
  if (record.agent_id.empty()) return;
  Subagent& subagent = subagents_[{numbers.session, record.agent_id}];
  if (!record.agent_type.empty()) subagent.type = record.agent_type;
  if (!record.parent.empty()) subagent.parent = record.parent;
  ++subagent.events;
}

void RollUps::add_run(const RunFacts& run, int64_t hook, const RecordNumbers& numbers) {
  HookCounts& counts = hooks_[{numbers.time / kHourMs, hook}];
  counts.reach.add(numbers.number);
  if (run.fate == HookFate::Kind::Skipped) {
    ++counts.skipped;
    return;
  }
  if (run.fate == HookFate::Kind::Detached) {
    ++counts.detached;
    return;
  }
  ++counts.runs;
  counts.failures += run.fate == HookFate::Kind::Failed ? 1 : 0;
  counts.denials += run.verdict == Verdict::Deny ? 1 : 0;
  counts.asks += run.verdict == Verdict::Ask ? 1 : 0;
  counts.would_deny += run.would == Verdict::Deny ? 1 : 0;
  counts.would_ask += run.would == Verdict::Ask ? 1 : 0;
  counts.total += run.us;
  counts.max = std::max(counts.max, run.us);
  counts.last = std::max(counts.last, numbers.time);
  counts.times.add(std::chrono::microseconds(run.us));
}

Result<void> RollUps::store(Database& database, int64_t file) {
  if (auto done = store_hours(database, file); !done) return done;
  if (auto done = store_hour_sums(database, file); !done) return done;
  if (auto done = store_hooks(database, file); !done) return done;
  if (auto done = store_kinds(database, file); !done) return done;
  if (auto done = store_sessions(database, file); !done) return done;
  *this = {};
  return {};
}

Result<void> RollUps::store_hours(Database& database, int64_t file) {
  auto add = database.prepare(
      "INSERT INTO hours VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) "
      "ON CONFLICT DO UPDATE SET events = events + ?9, failed = failed + ?10, rewrites = rewrites + ?11, "
      "injects = injects + ?12, fail_open = fail_open + ?13, degraded = degraded + ?14, lost = lost + ?15, "
      "low = min(low, ?16), high = max(high, ?17)");
  if (!add) return std::unexpected(add.error());
  for (const auto& [key, counts] : hours_) {
    const auto done =
        add->run_with({key.hour, file, key.agent, key.project, key.event, key.tool, key.verdict, key.would,
                       counts.events, counts.failed, counts.rewrites, counts.injects, counts.fail_open, counts.degraded,
                       counts.lost, counts.reach.low, counts.reach.high});
    if (!done) return done;
  }
  return {};
}

void RollUps::HourCounts::add(const HourCounts& other) {
  events += other.events;
  rewrites += other.rewrites;
  injects += other.injects;
  fail_open += other.fail_open;
  degraded += other.degraded;
  lost += other.lost;
}

Result<void> RollUps::store_hour_sums(Database& database, int64_t file) {
  std::map<int64_t, HourCounts> sums;
  for (const auto& [key, counts] : hours_) sums[key.hour].add(counts);
  auto add = database.prepare(
      "INSERT INTO hour_sums VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET events = events + ?3, "
      "rewrites = rewrites + ?4, injects = injects + ?5, fail_open = fail_open + ?6, degraded = degraded + ?7, "
      "lost = lost + ?8");
  if (!add) return std::unexpected(add.error());
  for (const auto& [hour, sum] : sums) {
    const auto done =
        add->run_with({hour, file, sum.events, sum.rewrites, sum.injects, sum.fail_open, sum.degraded, sum.lost});
    if (!done) return done;
  }
  return {};
}

/// Histograms cannot be added by SQL, so the old one is read first.
Result<void> RollUps::store_hooks(Database& database, int64_t file) {
  auto find = database.prepare("SELECT times FROM hook_hours WHERE hour = ?1 AND file = ?2 AND hook = ?3");
  if (!find) return std::unexpected(find.error());
  auto add = database.prepare(
      "INSERT INTO hook_hours VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) "
      "ON CONFLICT DO UPDATE SET runs = runs + ?4, failures = failures + ?5, denials = denials + ?6, asks = asks + ?7, "
      "would_deny = would_deny + ?8, would_ask = would_ask + ?9, skipped = skipped + ?10, detached = detached + ?11, "
      "total = total + ?12, max = max(max, ?13), last = max(last, ?14), low = min(low, ?15), high = max(high, ?16), "
      "times = ?17");
  if (!add) return std::unexpected(add.error());
  for (auto& [key, counts] : hooks_) {
    const auto [hour, hook] = key;
    const auto known = find->bind(1, hour).bind(2, file).bind(3, hook).step();
    if (!known) return std::unexpected(known.error());
    if (*known) counts.times.add_bytes(find->text(0));
    find->reset();
    add->bind_blob(17, counts.times.to_bytes());
    const auto done = add->run_with({hour, file, hook, counts.runs, counts.failures, counts.denials, counts.asks,
                                     counts.would_deny, counts.would_ask, counts.skipped, counts.detached, counts.total,
                                     counts.max, counts.last, counts.reach.low, counts.reach.high});
    if (!done) return done;
  }
  return {};
}

Result<void> RollUps::store_kinds(Database& database, int64_t file) {
  auto add = database.prepare(
      "INSERT INTO kinds VALUES(?1, ?2, ?3, ?4, ?5) "
      "ON CONFLICT DO UPDATE SET events = events + ?4, high = max(high, ?5)");
  if (!add) return std::unexpected(add.error());
  for (const auto& [key, counts] : kinds_) {
    if (auto done = add->run_with({file, key.first, key.second, counts.events, counts.high}); !done) return done;
  }
  return {};
}

Result<void> RollUps::store_sessions(Database& database, int64_t file) {
  auto add = database.prepare(
      "INSERT INTO session_files VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
      "ON CONFLICT DO UPDATE SET project = ?3, first = min(first, ?4), last = max(last, ?5), events = events + ?6, "
      "deny = deny + ?7, ask = ask + ?8, failed = failed + ?9, turns = turns + ?10");
  if (!add) return std::unexpected(add.error());
  for (const auto& [session, counts] : sessions_) {
    const auto done = add->run_with({session, file, counts.project, counts.first, counts.last, counts.events,
                                     counts.deny, counts.ask, counts.failed, counts.turns});
    if (!done) return done;
  }
  auto add_subagent = database.prepare(
      "INSERT INTO subagents VALUES(?1, ?2, ?4, ?5, ?6, ?3) ON CONFLICT DO UPDATE SET events = events + ?3, "
      "type = CASE ?5 WHEN '' THEN type ELSE ?5 END, parent = CASE ?6 WHEN '' THEN parent ELSE ?6 END");
  if (!add_subagent) return std::unexpected(add_subagent.error());
  for (const auto& [key, subagent] : subagents_) {
    add_subagent->bind(4, key.second).bind(5, subagent.type).bind(6, subagent.parent);
    if (auto done = add_subagent->run_with({key.first, file, subagent.events}); !done) return done;
  }
  return {};
}

}  // namespace grapnel
