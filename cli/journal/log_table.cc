#include "cli/journal/log_table.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/hook_text.h"
#include "cli/table.h"

namespace grapnel::cli {

namespace {

constexpr size_t kDay = 10;   ///< the length of `2026-01-31`
constexpr size_t kClock = 8;  ///< the length of `10:30:05`

/// Why a hook was skipped, without the details behind the colon.
std::string skip_reason(const Json& hook) {
  const std::string detail = text_of(hook, "detail");
  return detail.substr(0, detail.find(':'));
}

/// How many hooks took part, and how many of them were skipped and why. A hook that was skipped guarded nothing, so the
/// line must not look as if it had: `1 hook ran`, `2 hooks, both skipped: untrusted`.
std::string hooks_text(const Json& hooks) {
  size_t skipped = 0;
  std::vector<std::string> reasons;
  for (const Json& hook : hooks.elements()) {
    if (!hook["fate"].equals_string(to_string(HookFate::Kind::Skipped))) continue;
    const std::string reason = skip_reason(hook);
    // A hook whose condition did not hold has nothing to do with the event.
    if (reason == "no match") continue;
    ++skipped;
    if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
  }
  size_t count = skipped;
  for (const Json& hook : hooks.elements()) {
    count += hook["fate"].equals_string(to_string(HookFate::Kind::Skipped)) ? 0 : 1;
  }
  if (count == 0) return "no hook";
  const std::string all = count_text(count, "hook");
  if (skipped == 0) return all + " ran";
  const std::string who = skipped < count ? std::to_string(skipped) + " skipped"
                          : count == 1    ? "skipped"
                          : count == 2    ? "both skipped"
                                          : "all skipped";
  return all + ", " + who + ": " + text::join(reasons, "; ");
}

/// The outcome of a tool call, if it failed.
std::string failure_text(const Json& outcome) {
  if (!outcome || outcome["ok"].as_bool() != false) return "";
  const auto code = outcome["exit"].as_integer();
  const std::string error = text_of(outcome, "error");
  const std::string what = code ? "exit " + std::to_string(*code) : error.empty() ? "failed" : error;
  return "tool failed: " + what;
}

/// Who decided and why; or else the first hook that failed or made an error; or else how many hooks ran.
std::string outcome_text(const Json& record) {
  if (is_open_by_cap(record)) return "closed too often in one turn";
  const std::string by = text_of(record, "decided_by");
  const std::string reason = text_of(record, "reason");
  if (!by.empty()) return by + (reason.empty() ? "" : ": " + reason);
  // Without a hook that decided, the origin tells who did: the engine, a limit, …
  if (!reason.empty()) return text_of(record, "origin") + ": " + reason;
  for (const Json& hook : record["hooks"].elements()) {
    const bool failed = hook["fate"].equals_string(to_string(HookFate::Kind::Failed));
    if (failed) return text_of(hook, "name") + " failed: " + text_of(hook, "detail");
  }
  for (const Json& hook : record["hooks"].elements()) {
    if (hook["error"]) return text_of(hook, "name") + " error: " + text_of(hook, "error");
  }
  if (const Json would = record["would"]) {
    const std::string observer = text_of(would, "decided_by");
    const std::string why = text_of(would, "reason");
    if (!observer.empty()) return observer + (why.empty() ? "" : ": " + why);
    return "a hook that observes would change something";
  }
  const std::string failure = failure_text(record["outcome"]);
  return failure.empty() ? hooks_text(record["hooks"]) : failure;
}

/// The tool alone for a call that is about to run, which most events are; otherwise the event.
std::string what_text(const Json& record) {
  const std::string event = text_of(record, "event");
  const std::string tool = text_of(record, "tool");
  if (event.empty()) return "?";
  return event == to_string(EventKind::PreToolUse) && !tool.empty() ? tool : event;
}

/// What the event is about: the file, the command… An event after a call also names the tool. A rewrite shows both.
std::string subject_text(const Json& record) {
  std::string out = text_of(record, "tool");
  if (out.empty() || what_text(record) == out) out.clear();
  std::string subject = text_of(record, "subject");
  if (const std::string rewritten = text_of(record, "rewritten_subject"); !rewritten.empty()) {
    subject += " → " + rewritten;
  }
  return out + (out.empty() || subject.empty() ? "" : " ") + subject;
}

/// A record marked "background" is not an event: it tells how async hooks ended, later.
std::string ends_text(const Json& hooks) {
  std::vector<std::string> ends;
  for (const Json& hook : hooks.elements()) {
    ends.push_back(text_of(hook, "name") + " " + text_of(hook, "fate") + ", " + text_of(hook, "detail"));
  }
  return text::join(ends, "; ");
}

}  // namespace

std::vector<Cell> log_row(const Json& record, const std::string& time, const std::string& id) {
  const bool is_later = record["background"].as_bool().value_or(false);
  const std::string status = is_later ? "later" : status_word(record);
  return {{time.size() < kClock ? time : time.substr(time.size() - kClock), Style::Dim},
          {id},
          {status, is_later ? std::nullopt : status_style(status)},
          {what_text(record)},
          {subject_text(record)},
          {is_later ? ends_text(record["hooks"]) : outcome_text(record)}};
}

std::string LogTable::lines_of(const std::vector<JournalEntry>& entries, JournalReader& journal) {
  Table table({{"", 0}, {"", 0}, {"", 0}, {"", 12}, {"", 16}, {"", 20}});
  std::map<size_t, std::string> heads;  // the line above the row with that number
  size_t row = 0;
  for (const JournalEntry& entry : entries) {
    const Json& record = entry.record;
    const std::string id = text_of(record, "id");
    const std::string time = time_text(text_of(record, "time"), zone_);
    const std::string project = text_of(record, "project");
    const std::string place = time.substr(0, kDay) + (project.empty() ? "" : "  " + printable(project));
    if (place != place_) heads[row] = console_.styled(Style::Bold, place);
    place_ = place;
    table.add(log_row(record, time, journal.shorten(id).value_or(id)));
    ++row;
  }
  const std::string lines = table.text(console_);
  std::string out;
  row = 0;
  for (const std::string_view line : text::split(lines, '\n')) {
    if (const auto head = heads.find(row++); head != heads.end()) out += head->second + "\n";
    if (!line.empty()) out.append(line) += '\n';
  }
  return out;
}

}  // namespace grapnel::cli
