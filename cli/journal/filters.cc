#include <algorithm>
#include <array>
#include <cstdio>

#include "base/clock.h"
#include "base/text.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"
#include "dialect/dialect.h"
#include "discover/find/overrides.h"
#include "session/old_sessions.h"

namespace grapnel::cli {

namespace {

/// The status of a gate that opened by the cap. It did not pass.
constexpr std::string_view kOpen = "open";

/// A duration like `2h`, and also `7d`, which `parse_duration` does not know.
std::optional<std::chrono::milliseconds> parse_span(const std::string& text) {
  if (!text.ends_with('d')) return parse_duration(text);
  const auto days = parse_duration(text.substr(0, text.size() - 1) + "h");
  return days ? std::optional(*days * 24) : std::nullopt;
}

/// A time in the form of the records. People may write a time, or how long ago it was. Fails: BadInput.
Result<std::string> read_time(const std::string& text, Zone zone) {
  if (text.empty()) return text;
  if (const auto span = parse_span(text)) return format_timestamp(std::chrono::system_clock::now() - *span);
  if (auto time = record_time(text, zone)) return *time;
  return fail(Errc::BadInput, "'" + printable(text) + "' is not a time; write 90s, 10m, 2h, 7d or 2026-01-31T10:30");
}

/// The one id that begins with the text. Fails: BadInput when there is none, or more than one; then the message names
/// them.
Result<std::string> only_one(const Result<std::vector<std::string>>& found, const std::string& text,
                             const std::string& none) {
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return fail(Errc::BadInput, none + " '" + printable(text) + "'");
  if (found->size() == 1) return found->front();
  std::vector<std::string> names;
  for (const std::string& id : *found) names.push_back(printable(id));
  return fail(Errc::BadInput, "more than one id begins with '" + printable(text) + "': " + text::join(names, ", "));
}

/// A directory of the past may be gone, so it need not exist. Everything is below `/`, so that is no condition.
std::string read_directory(const Arguments& args, std::string_view option) {
  const std::string path = args.has(option) ? absolute_path(args.text(option), "") : "";
  return path == "/" ? "" : path;
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

/// Imports new records. The first import of a large journal takes a while, so people see how far it is.
Result<void> import_new(Console& console, JournalReader& journal) {
  constexpr std::chrono::seconds kSilence{1};
  const auto start = SteadyClock::now();
  bool is_shown = false;
  const auto done = journal.refresh([&](const ImportProgress& progress) {
    if (SteadyClock::now() - start < kSilence || progress.total == 0) return true;
    is_shown = true;
    const size_t percent = std::min<size_t>(progress.done * 100 / progress.total, 100);
    console.progress("reading the journal: " + std::to_string(percent) + " %");
    return true;
  });
  if (is_shown) console.progress("");
  return done;
}

}  // namespace

// New records are imported first, then the old ones are removed. A reader does both, not the events.
Result<JournalReader> open_journal(Invocation& in) {
  auto journal = JournalReader::open(in.env.state_dir(), lost_records_dir(in.env));
  if (!journal) return journal;
  auto done = import_new(in.console, *journal);
  // A process that was stopped in the middle of an import keeps the lock.
  if (!done && done.error().code == Errc::Unavailable) {
    in.console.say("another process holds journal.db; the records are read without it, which takes longer");
    if (done = journal->move_to_memory(); done) done = import_new(in.console, *journal);
  }
  if (!done) return std::unexpected(done.error());
  // If a writer holds the lock now, old records stay until the next reader tries again.
  const auto now = std::chrono::system_clock::now();
  static_cast<void>(journal->retain(read_retention(in), now));
  forget_old_sessions(in.env.runtime_dir(), in.env.state_dir() + "/texts", now);
  const auto health = journal->health();
  if (!health) return std::unexpected(health.error());
  remark_on(in, *health);
  return journal;
}

// If it cannot be read, the default applies, so that a typing error does not remove anything early.
Retention read_retention(Invocation& in) {
  Retention retention;
  retention.marked_files = read_marked_files(in.env.state_dir());
  const std::string text(in.env.get("GRAPNEL_KEEP"));
  if (text.empty()) return retention;
  if (const auto span = parse_span(text)) {
    retention.max_age = std::chrono::ceil<std::chrono::days>(*span);
  } else {
    in.console.say("GRAPNEL_KEEP is '" + printable(text) + "', which is not a duration; write for example 30d");
  }
  return retention;
}

Zone zone_of(const Arguments& args) {
  return args.has("--utc") ? Zone::Utc : Zone::Local;
}

Result<std::string> find_id(JournalReader& journal, const std::string& beginning) {
  return only_one(journal.ids_like(beginning), beginning, "no event on record has the id");
}

Result<std::string> find_session(JournalReader& journal, const std::string& beginning) {
  return only_one(journal.sessions_like(beginning), beginning, "there is no record of session");
}

Result<JournalQuery> read_filters(const Invocation& in, JournalReader& journal) {
  JournalQuery query;
  auto since = read_time(in.args.text("--since"), zone_of(in.args));
  if (!since) return std::unexpected(since.error());
  auto until = read_time(in.args.text("--until"), zone_of(in.args));
  if (!until) return std::unexpected(until.error());
  query.since = std::move(*since);
  query.until = std::move(*until);
  if (in.args.has("--event")) {
    const std::string name = in.args.text("--event");
    const auto event = find_event(name);
    // Records have the names of events that only their agent knows.
    const bool is_misspelt = !event && event.error().message.contains("did you mean");
    const bool is_other = !event && (is_other_event(name) || (could_be_event(name) && !is_misspelt));
    if (!event && !is_other) return std::unexpected(event.error());
    query.event = is_other ? name : std::string(to_string(*event));
  }
  if (in.args.has("--session")) {
    auto session = find_session(journal, in.args.text("--session"));
    if (!session) return std::unexpected(session.error());
    query.session = std::move(*session);
  }
  query.agent = in.args.text("--agent");
  if (auto known = check_dialect(query.agent); !known) return std::unexpected(known.error());
  query.project = read_directory(in.args, "--project");
  query.cwd = read_directory(in.args, "--cwd");
  query.tool = in.args.text("--tool");
  query.text = in.args.text("--text");
  query.hook = in.args.text("--hook");
  query.verdict = in.args.text("--verdict");
  if (in.args.has("--would")) query.would = "any";
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

std::string status_word(const Json& record) {
  if (is_open_by_cap(record)) return std::string(kOpen);
  const std::string would = text_of(record["would"], "verdict");
  // What really happened comes first: an event may be denied by one hook while another one only observes.
  const std::string verdict = text_of(record, "verdict");
  const bool is_observed = verdict == to_string(Verdict::Pass) && !would.empty() && would != verdict;
  return is_observed ? "would " + would : verdict;
}

std::optional<Style> status_style(std::string_view status) {
  return status == kOpen || status.starts_with("would ") ? Style::Yellow : verdict_style(status);
}

std::string verdict_text(const Console& console, std::string_view verdict) {
  const std::string text = printable(verdict);
  const auto style = status_style(verdict);
  return style ? console.styled(*style, text) : text;
}

}  // namespace grapnel::cli
