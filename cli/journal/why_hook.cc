#include <algorithm>

#include "base/text.h"
#include "cli/hook_text.h"
#include "cli/journal/history.h"
#include "cli/journal/journal_verbs.h"
#include "cli/journal/past_event.h"
#include "cli/project_hooks.h"

namespace grapnel::cli {

namespace {

/// The names of the events that the hook listens to.
std::string events_of(const HookSpec& hook) {
  return text::join(hook.event_names(), ", ");
}

/// Why the hook had no part in the newest event of its kinds, as an example for all of them.
std::string last_absence(JournalReader& journal, const HookHistory& history) {
  const auto past = find_past_event(journal, history.last_event_id);
  if (!past) return past.error().message;
  for (const Share& share : shares_of(*past)) {
    if (share.name == history.name && !share.is_for_other_event) return share.detail;
  }
  return "";
}

/// Why the hook never ran. The causes are tried from the simplest to the most special: not configured, disabled, not
/// trusted, no such event, no event yet; and only then the matcher.
std::string reason_of(JournalReader& journal, const HookHistory& history) {
  if (!history.spec) return "no event was recorded while it was configured; `grapnel list` shows the current hooks";
  const HookSpec& hook = *history.spec;
  if (!hook.enabled) return "it is disabled";
  if (hook.trust == Trust::Untrusted) return "it is not trusted; see `grapnel trust`";
  const std::string events = events_of(hook);
  if (events.empty()) return "it listens to no event that exists here";
  if (history.own_events == 0) return "there was no " + events + " yet";
  return count_text(history.own_events, "event") + " of its kind (" + events +
         "), the last: " + last_absence(journal, history);
}

/// The changes of a hook in the current project since it was trusted; "" when there are none. A hook that changed does
/// not run until it is trusted again, so this often is the answer.
std::string changes_text(const Invocation& in, const std::string& name) {
  const auto project = load_project(in);
  if (!project) return "";
  const auto hook = std::ranges::find(project->hooks, name, &HookSpec::name);
  const std::string diff = hook == project->hooks.end() ? "" : project->changes_of(*hook);
  return diff.empty() ? "" : "  not trusted: changed since it was trusted\n" + diff_text(diff, in.console);
}

/// The explanation for people: what the hook is, then its last run, or why there was none.
void print_text(Invocation& in, JournalReader& journal, const HookHistory& history, const HookRunEntry* last) {
  in.console.out(in.console.styled(Style::Bold, printable(history.name)) + "\n");
  if (history.spec) {
    in.console.out("  source   " + printable(history.spec->source_text()) + "\n");
    in.console.out("  event    " + printable(events_of(*history.spec)) + "\n");
  }
  in.console.out(changes_text(in, history.name));
  if (last == nullptr) {
    in.console.out("  never ran: " + printable(reason_of(journal, history)) + "\n");
    if (history.is_silent()) {
      in.console.out("  " + in.console.styled(Style::Yellow, silence_text(history) + ": is its matcher right?") + "\n");
    }
    return;
  }
  in.console.out("  last     " + time_text(last->time, zone_of(in.args)) + "  " + printable(last->record_id) + "  " +
                 printable(last->fate) + ", " + printable(last->detail) + " → " +
                 verdict_text(in.console, last->verdict) + "  (" + cost_text(last->took) + ")\n");
  in.console.out("  on record: " + count_text(history.runs, "run") +
                 (history.own_events > 0 ? " in " + count_text(history.own_events, "event") + " of its kind" : "") +
                 (history.skipped == 0 ? "" : ", skipped " + count_text(history.skipped, "time")) + "\n");
}

/// The same for scripts.
void print_json(Invocation& in, JournalReader& journal, const HookHistory& history, const HookRunEntry* run) {
  Json last = Json::null();
  if (run != nullptr) {
    last = Json::object({{"time", Json::string(run->time)},
                         {"id", Json::string(run->record_id)},
                         {"fate", Json::string(run->fate)},
                         {"detail", Json::string(run->detail)},
                         {"verdict", Json::string(run->verdict)},
                         {"us", Json::number(int64_t{run->took.count()})}});
  }
  const auto number = [](size_t value) { return Json::number(static_cast<int64_t>(value)); };
  const Json json = Json::object({{"name", Json::string(history.name)},
                                  {"runs", number(history.runs)},
                                  {"skipped", number(history.skipped)},
                                  {"own_events", number(history.own_events)},
                                  {"silent", Json::boolean(history.is_silent())},
                                  {"last", last},
                                  {"never", run == nullptr ? Json::string(reason_of(journal, history)) : Json()}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
}

}  // namespace

int explain_hook(Invocation& in, JournalReader& journal, const std::string& name) {
  auto histories = read_histories(journal);
  const auto run = journal.find_last_run(name);
  if (!histories || !run) {
    in.console.say(printable((histories ? run.error() : histories.error()).to_string()));
    return kInternal;
  }
  // A name that the journal does not know gets an empty history, which `reason_of` explains.
  HookHistory& history = (*histories)[name];
  history.name = name;
  const HookRunEntry* last = *run ? &**run : nullptr;
  in.args.has("--json") ? print_json(in, journal, history, last) : print_text(in, journal, history, last);
  return kOk;
}

}  // namespace grapnel::cli
