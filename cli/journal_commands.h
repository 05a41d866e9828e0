#pragma once

#include <array>

#include "cli/command.h"
#include "cli/hook_source.h"

/// The verbs `log`, `stats`, `why` and `record`, which are in two programs: `grapnel` knows their options, for the help
/// and for completion, and starts `grapnel-journal`, which does the work. They are separate so that the program that is
/// started at every event does not link SQLite.
///
/// Each function below returns the row of a verb. `run` differs between the programs: in `grapnel` it starts the other
/// program, in `grapnel-journal` it is the verb itself.
namespace grapnel::cli {

/// The name of the program's file.
inline constexpr std::string_view kJournalProgram = "grapnel-journal";

/// The options of `log` and `stats` that select events.
inline constexpr auto kJournalFilters = std::to_array<OptionRow>({
    {"--since", "", "TIME", "only events from then on: 2h, 7d, 2026-01-31, '2026-01-31 10:30'", ValueKind::Text},
    {"--until", "", "TIME", "only events before then", ValueKind::Text},
    {"--session", "-s", "ID", "only events of that session; the beginning of its id is enough", ValueKind::Session},
    {"--agent", "-a", "NAME", "only events of that agent", ValueKind::Dialect},
    {"--project", "-p", "DIR", "only events of projects in that directory", ValueKind::Directory},
    {"--cwd", "", "DIR", "only events that happened in that directory or below", ValueKind::Directory},
    {"--event", "-e", "EVENT", "only that event", ValueKind::Event},
    {"--tool", "", "NAME", "only events about that tool, as its agent spells it", ValueKind::Text},
    {"--text", "-t", "TEXT", "only events whose subject contains TEXT", ValueKind::Text},
    {"--hook", "", "NAME", "only events that this hook took part in", ValueKind::Hook},
    {"--verdict", "", "pass|allow|ask|deny", "only events with this verdict", ValueKind::Text},
    {"--would", "", "", "only events at which a hook with `mode: observe` would have done something"},
    {"--utc", "", "", "times are in UTC, not in local time"},
});

inline constexpr auto kLogOwnOptions = std::to_array<OptionRow>({
    {"--limit", "-n", "N", "the newest N events (default: 50; 0: all)", ValueKind::Text},
    {"--follow", "-f", "", "keep running and show new events as they happen"},
    {"--json", "", "", "print each record as a line of JSON"},
    {"--verify", "", "", "find records that were removed, changed or cut off"},
});
inline constexpr auto kLogOptions = joined(kJournalFilters, kLogOwnOptions);

constexpr Command log_command(int (*run)(Invocation& in)) {
  return {
      .name = "log",
      .summary = "show what happened, event by event",
      .about =
          "Shows the recorded events, the newest last: the time, the beginning of the id, the verdict, the event or "
          "the tool that was about to run, what it was about, and who decided. Secrets are masked. A line with the "
          "day and the project stands above their events. `grapnel why` explains one event. With --verify it only "
          "shows whether the records are still as they were "
          "written; the exit status is 1 when they are not.",
      .arguments = {},
      .options = kLogOptions,
      .examples = R"(  grapnel log --since 2h --verdict deny
  grapnel log --follow --hook no-force-push
  grapnel log --would --since 7d
  grapnel log --agent claude --text 'git push'
  grapnel log --session 4f1c --limit 0 --json | jq .reason
  grapnel log --verify
)",
      .run = run,
  };
}

inline constexpr auto kStatsOwnOptions = std::to_array<OptionRow>({kJsonOption});
inline constexpr auto kStatsOptions = joined(kJournalFilters, kStatsOwnOptions);

constexpr Command stats_command(int (*run)(Invocation& in)) {
  return {
      .name = "stats",
      .summary = "show how often each hook ran, failed and denied, and its times",
      .about =
          "Shows for each hook on record how often it ran, failed, denied, asked and was skipped, how often it would "
          "have denied or asked if it did not only observe, and how long it took: the median, the 95th percentile "
          "and all runs together.",
      .arguments = {},
      .options = kStatsOptions,
      .examples = R"(  grapnel stats
  grapnel stats --since 7d --event PreToolUse
  grapnel stats --json | jq '.hooks[] | select(.failures > 0) | .name'
)",
      .run = run,
  };
}

inline constexpr auto kWhyArguments = std::to_array<ArgumentRow>({
    {"ID", "an event's id, or the beginning of it, from `grapnel log`; `last` (the default) is the newest",
     ValueKind::EventId},
});
inline constexpr auto kWhyOptions = std::to_array<OptionRow>({
    {"--hook", "", "NAME", "show when that hook last ran, or why it never did", ValueKind::Hook},
    {"--session", "-s", "ID", "the newest event of that session that a hook had a part in", ValueKind::Session},
    {"--utc", "", "", "times are in UTC, not in local time"},
    kJsonOption,
});

constexpr Command why_command(int (*run)(Invocation& in)) {
  return {
      .name = "why",
      .summary = "explain one event of the past: every hook's fate, who decided",
      .about =
          "Shows the input of an event, what happened to every hook that was configured at that moment, who decided, "
          "and how long it took. With --hook it shows when that hook last ran, or why it never did.",
      .arguments = kWhyArguments,
      .options = kWhyOptions,
      .examples = R"(  grapnel why
  grapnel why 3f9a1c2d
  grapnel why --hook no-force-push
)",
      .run = run,
  };
}

inline constexpr auto kRecordArguments = std::to_array<ArgumentRow>({
    {"ID", "ids of events, or the beginnings of them, from `grapnel log`; `last` is the newest", ValueKind::EventId,
     false, true},
});
inline constexpr auto kRecordOptions = std::to_array<OptionRow>({
    {"--session", "-s", "ID", "all events of that session, as steps of one case", ValueKind::Session},
    {"--output", "-o", "FILE", "write to FILE, which must not exist yet", ValueKind::File},
    kJsonOption,
});

constexpr Command record_command(int (*run)(Invocation& in)) {
  return {
      .name = "record",
      .summary = "turn events of the past into tests",
      .about =
          "Prints a *.hooktest.yaml file made from recorded events: each test sends the payload of an event and "
          "expects "
          "the decision that was made then. This needs payloads in the records, which are kept with "
          "GRAPNEL_PAYLOADS=full; secrets in them are masked.",
      .arguments = kRecordArguments,
      .options = kRecordOptions,
      .examples = R"(  GRAPNEL_PAYLOADS=full grapnel agent "clean up"
  grapnel record last
  grapnel record --session 4f1c -o tests/cleanup.hooktest.yaml
)",
      .run = run,
  };
}

/// Not a verb for people: `grapnel list` runs it to learn how often each hook ran.
constexpr Command fired_command(int (*run)(Invocation& in)) {
  return {.name = "fired", .summary = "", .about = "", .arguments = {}, .options = {}, .examples = "", .run = run};
}

/// Not a verb for people either: it prints the newest ids on record, for completion and for ids that are cut short.
constexpr Command recent_command(int (*run)(Invocation& in)) {
  return {.name = "recent", .summary = "", .about = "", .arguments = {}, .options = {}, .examples = "", .run = run};
}

}  // namespace grapnel::cli
