#include <algorithm>

#include "base/text.h"
#include "cli/hook_text.h"
#include "cli/journal/configured_hook.h"
#include "cli/journal/journal_verbs.h"

namespace grapnel::cli {

namespace {

/// What the journal knows of a hook.
struct History {
  std::vector<HookRunEntry> ran;  ///< also failed and detached
  std::vector<HookRunEntry> skipped;
  Json configured;           ///< as it was last, or missing
  size_t own_events = 0;     ///< events of its kind while it was configured
  std::string last_absence;  ///< why it had no part in the last of these
};

/// Adds what one configuration saw of the events its hook listens to.
Result<void> add_events(JournalReader& journal, const std::string& digest, const Json& hook, History& history) {
  for (const Json& event : hook["events"].elements()) {
    JournalQuery query{.event = event.as_string().value_or(""), .registry = digest};
    const auto count = journal.count(query);
    if (!count) return std::unexpected(count.error());
    history.own_events += *count;
    query.limit = 1;
    const auto last = journal.find(query);
    if (!last) return std::unexpected(last.error());
    if (last->empty() || !history.last_absence.empty()) continue;
    const Json& record = last->back().record;
    history.last_absence = absence_text(hook, text_of(record, "event"), text_of(record, "tool"));
  }
  return {};
}

Result<History> history_of(JournalReader& journal, const std::string& name) {
  auto runs = journal.find_runs({.hook = name});
  if (!runs) return std::unexpected(runs.error());
  History history;
  for (HookRunEntry& run : *runs) {
    const bool is_skipped = run.fate == to_string(HookFate::Kind::Skipped);
    (is_skipped ? history.skipped : history.ran).push_back(std::move(run));
  }
  const auto digests = journal.registries();
  if (!digests) return std::unexpected(digests.error());
  for (const std::string& digest : *digests) {
    const Json hook = find_configured(journal.registry(digest), name);
    if (!hook) continue;
    if (!history.configured) history.configured = hook;
    if (auto done = add_events(journal, digest, hook, history); !done) return std::unexpected(done.error());
  }
  return history;
}

std::string events_of(const Json& hook) {
  std::vector<std::string> names;
  for (const Json& event : hook["events"].elements()) names.push_back(event.as_string().value_or(""));
  return text::join(names, ", ");
}

/// Why it never ran.
std::string reason_of(const History& history) {
  const Json& hook = history.configured;
  if (!hook) return "no event was recorded while it was configured; `grapnel list` shows what is now";
  if (hook["enabled"].as_bool() == false) return "it is disabled";
  if (!history.skipped.empty()) return "it was skipped: " + history.skipped.back().detail;
  if (hook["untrusted"].as_bool() == true) return "it is not trusted; see `grapnel trust`";
  const std::string events = events_of(hook);
  if (events.empty()) return "no event here is what it listens to";
  if (history.own_events == 0) return "there was no " + events + " yet";
  return count_text(history.own_events, "event") + " of its kind (" + events + "), the last: " + history.last_absence;
}

void print_text(Invocation& in, const std::string& name, const History& history) {
  in.console.out(in.console.styled(Style::Bold, printable(name)) + "\n");
  if (history.configured) {
    in.console.out("  source   " + printable(text_of(history.configured, "source")) + "\n");
    in.console.out("  event    " + printable(events_of(history.configured)) + "\n");
  }
  if (history.ran.empty()) {
    in.console.out("  never ran: " + printable(reason_of(history)) + "\n");
    return;
  }
  const HookRunEntry& last = history.ran.back();
  in.console.out("  last     " + time_text(last.time) + "  " + printable(last.record_id) + "  " + printable(last.fate) +
                 ", " + printable(last.detail) + " → " + verdict_text(in.console, last.verdict) + "  (" +
                 cost_text(last.took) + ")\n");
  in.console.out("  on record: " + count_text(history.ran.size(), "run") +
                 (history.skipped.empty() ? "" : ", skipped " + count_text(history.skipped.size(), "time")) + "\n");
}

void print_json(Invocation& in, const std::string& name, const History& history) {
  Json last = Json::null();
  if (!history.ran.empty()) {
    const HookRunEntry& run = history.ran.back();
    last = Json::object({{"time", Json::string(run.time)},
                         {"id", Json::string(run.record_id)},
                         {"fate", Json::string(run.fate)},
                         {"detail", Json::string(run.detail)},
                         {"verdict", Json::string(run.verdict)},
                         {"us", Json::number(int64_t{run.took.count()})}});
  }
  const Json json = Json::object({{"name", Json::string(name)},
                                  {"runs", Json::number(static_cast<int64_t>(history.ran.size()))},
                                  {"skipped", Json::number(static_cast<int64_t>(history.skipped.size()))},
                                  {"last", last},
                                  {"never", history.ran.empty() ? Json::string(reason_of(history)) : Json()}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
}

}  // namespace

int explain_hook(Invocation& in, JournalReader& journal, const std::string& name) {
  const auto history = history_of(journal, name);
  if (!history) {
    in.console.say(printable(history.error().to_string()));
    return kInternal;
  }
  in.args.has("--json") ? print_json(in, name, *history) : print_text(in, name, *history);
  return kOk;
}

}  // namespace grapnel::cli
