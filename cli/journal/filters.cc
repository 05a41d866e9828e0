#include <array>
#include <cstdio>

#include "base/clock.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"
#include "discover/find/overrides.h"

namespace grapnel::cli {

namespace {

/// The status of a gate that opened by the cap. It did not pass.
constexpr std::string_view kOpen = "open";

/// Whether the text is a time like `2026-01-31T10:30:05.000Z`. Any part after the day may be missing, because records
/// are compared as text: a shorter time sorts before all times that begin with it.
bool is_time(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ";
  if (text.size() < 10 || text.size() > kShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == 'd' ? !is_digit : text[i] != kShape[i]) return false;
  }
  return true;
}

/// A duration like `2h`, and also `7d`, which `parse_duration` does not know.
std::optional<std::chrono::milliseconds> parse_span(const std::string& text) {
  if (!text.ends_with('d')) return parse_duration(text);
  const auto days = parse_duration(text.substr(0, text.size() - 1) + "h");
  return days ? std::optional(*days * 24) : std::nullopt;
}

/// A time in the form of the records. People may write a time, or how long ago it was. Fails: BadInput.
Result<std::string> read_time(std::string text) {
  if (text.empty()) return text;
  if (const auto span = parse_span(text)) return format_timestamp(std::chrono::system_clock::now() - *span);
  // The log shows times with a blank; they can be copied from there.
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  if (is_time(text)) return text;
  return fail(Errc::BadInput, "'" + printable(text) + "' is not a time; write 90s, 10m, 2h, 7d or 2026-01-31T10:30");
}

/// How long records are kept: the value of GRAPNEL_KEEP. If it cannot be read, the default applies, so that a typing
/// error does not remove anything early.
Retention read_retention(Invocation& in) {
  Retention retention;
  const std::string text(in.env.get("GRAPNEL_KEEP"));
  if (text.empty()) return retention;
  if (const auto span = parse_span(text)) {
    retention.max_age = std::chrono::ceil<std::chrono::days>(*span);
  } else {
    in.console.say("GRAPNEL_KEEP is '" + printable(text) + "', which is not a duration; write for example 30d");
  }
  return retention;
}

/// Prints what makes the journal incomplete. Every verb does this, because its answer may be wrong without a warning.
void remark_on(Invocation& in, const JournalHealth& health) {
  if (health.was_rebuilt) in.console.say("journal.db was damaged and has been rebuilt from the records");
  const std::string payloads(in.env.get("GRAPNEL_PAYLOADS"));
  if (!payloads.empty() && !keep_payloads_from(payloads)) {
    in.console.say("GRAPNEL_PAYLOADS is '" + printable(payloads) +
                   "', so nothing is kept of payloads; write off, digest or full");
  }
  if (health.bad_lines > 0) {
    in.console.say(count_text(static_cast<size_t>(health.bad_lines), "line") + " in the records cannot be read");
  }
  if (health.lost > 0) {
    in.console.say(count_text(static_cast<size_t>(health.lost), "record") + " lost since " +
                   time_text(health.lost_since) + (health.lost_why.empty() ? "" : ": " + printable(health.lost_why)));
  }
}

}  // namespace

// New records are imported first, then the old ones are removed. A reader does both, not the events.
Result<JournalReader> open_journal(Invocation& in) {
  auto journal = JournalReader::open(in.env.state_dir(), lost_records_dir(in.env));
  if (!journal) return journal;
  if (auto done = journal->refresh(); !done) return std::unexpected(done.error());
  // If a writer holds the lock now, old records stay until the next reader tries again.
  static_cast<void>(journal->retain(read_retention(in), std::chrono::system_clock::now()));
  const auto health = journal->health();
  if (!health) return std::unexpected(health.error());
  remark_on(in, *health);
  return journal;
}

Result<JournalQuery> read_filters(const Invocation& in) {
  JournalQuery query;
  auto since = read_time(in.args.text("--since"));
  if (!since) return std::unexpected(since.error());
  auto until = read_time(in.args.text("--until"));
  if (!until) return std::unexpected(until.error());
  query.since = std::move(*since);
  query.until = std::move(*until);
  if (in.args.has("--event")) {
    const auto event = find_event(in.args.text("--event"));
    if (!event) return std::unexpected(event.error());
    query.event = to_string(*event);
  }
  query.session = in.args.text("--session");
  query.tool = in.args.text("--tool");
  query.hook = in.args.text("--hook");
  query.verdict = in.args.text("--verdict");
  return query;
}

std::string text_of(const Json& object, std::string_view key) {
  return object[key].as_string().value_or("");
}

std::string cost_text(std::chrono::microseconds took) {
  const auto us = static_cast<double>(took.count());
  std::array<char, 32> buffer{};
  if (us < 1000) {
    std::snprintf(buffer.data(), buffer.size(), "%.0f µs", us);
  } else if (us < 1e6) {
    std::snprintf(buffer.data(), buffer.size(), "%.1f ms", us / 1e3);
  } else {
    std::snprintf(buffer.data(), buffer.size(), "%.1f s", us / 1e6);
  }
  return buffer.data();
}

bool is_open_by_cap(const Json& record) {
  return record["origin"].equals_string(to_string(Origin::LoopCap));
}

std::string status_text(const Console& console, const Json& record, size_t width) {
  if (!is_open_by_cap(record)) return verdict_text(console, text_of(record, "verdict"), width);
  return console.styled(Style::Yellow, kOpen) + std::string(width > kOpen.size() ? width - kOpen.size() : 0, ' ');
}

// The padding is outside of the colour codes, which would count as columns otherwise.
std::string verdict_text(const Console& console, std::string_view verdict, size_t width) {
  const std::string padding(width > verdict.size() ? width - verdict.size() : 0, ' ');
  const std::string text = printable(verdict);
  if (verdict == to_string(Verdict::Deny)) return console.styled(Style::Red, text) + padding;
  if (verdict == to_string(Verdict::Ask)) return console.styled(Style::Yellow, text) + padding;
  if (verdict == to_string(Verdict::Allow)) return console.styled(Style::Green, text) + padding;
  return text + padding;
}

}  // namespace grapnel::cli
