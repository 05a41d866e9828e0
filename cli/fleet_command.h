#pragma once

#include <algorithm>
#include <array>

#include "cli/command.h"
#include "cli/hook_source.h"

/// The verb `fleet`, which is in two programs, as `ui` is: `grapnel` knows its options and starts `grapnel-fleet`. Only
/// that one links libnats.
namespace grapnel::cli {

inline constexpr std::string_view kFleetProgram = "grapnel-fleet";

inline constexpr auto kFleetArguments = std::to_array<ArgumentRow>({
    {"VERB", "what to do: see below", ValueKind::Text},
    {"WORD", "what the verb is about: a token, a directory, a machine, an id", ValueKind::Text, false, true},
});

inline constexpr auto kFleetOptions = std::to_array<OptionRow>({
    {"--listen", "", "HOST:PORT", "init: where the server listens (default: 127.0.0.1:4222; port 0: any free one)",
     ValueKind::Text},
    {"--host", "", "NAME", "init: another name or address by which machines reach the server (may be repeated)",
     ValueKind::Text, true},
    {"--node", "", "HOST:PORT", "init: a server of a cluster, instead of --listen; give it for each of three or five",
     ValueKind::Text, true},
    {"--database", "", "ADDRESS", "init, collector: a file for SQLite, or postgresql://… (default: a file)",
     ValueKind::Text},
    {"--no-start", "", "", "init, join: write files, and start nothing"},
    {"--role", "", "ROLE", "token: for a machine (default), or collector, operator, reader, worker, approver",
     ValueKind::Text},
    {"--name", "", "NAME", "token: the name of the user; push: what people call this policy", ValueKind::Text},
    {"--channel", "", "NAME", "the channel of the policy (default: stable)", ValueKind::Text},
    {"--to", "", "NAME", "promote: the channel that gets the policy (default: the same)", ValueKind::Text},
    {"--percent", "", "N", "push, promote: so many percent of the machines (default: 100)", ValueKind::Text},
    {"--expires", "", "TIME", "push, promote, rollback, token: for how long it is valid: 1h, 30d", ValueKind::Text},
    {"--wait", "", "TIME", "flush, machine, export: how long to wait (default: 10s)", ValueKind::Text},
    {"--attempts", "", "N", "worker: how often a job may fail (default: 5)", ValueKind::Text},
    {"--parallel", "", "N", "worker: how many jobs to run at once (default: 1)", ValueKind::Text},
    {"--follow", "-f", "", "approve: stay; as long as this runs, questions of machines wait for an answer"},
    {"--once", "", "", "approve: allow this call; machine, collector: do what there is to do now, and end"},
    {"--for-session", "", "", "approve: allow it for the rest of the session"},
    {"--deny", "", "REASON", "approve: deny it; the model is told the reason", ValueKind::Text, false, true},
    {"--pattern", "", "COMMANDS", "approve --for-session: all commands like these, as in 'npm publish *'",
     ValueKind::Text},
    {"--all", "", "", "dead retry, dead drop: all of them"},
    {"--machine", "", "NAME", "log, stats: only that machine", ValueKind::Text},
    {"--since", "", "TIME", "log, stats: only events from then on: 2h, 7d, 2026-01-31", ValueKind::Text},
    {"--until", "", "TIME", "log, stats: only events before then", ValueKind::Text},
    {"--session", "-s", "ID", "log: only events of that session", ValueKind::Text},
    {"--agent", "-a", "NAME", "log: only events of that agent", ValueKind::Dialect},
    {"--event", "-e", "EVENT", "log: only that event", ValueKind::Event},
    {"--tool", "", "NAME", "log: only events about that tool", ValueKind::Text},
    {"--text", "-t", "TEXT", "log: only events whose subject contains TEXT", ValueKind::Text},
    {"--hook", "", "NAME", "log, stats: only events that this hook took part in", ValueKind::Text},
    {"--verdict", "", "pass|allow|ask|deny", "log: only events with this verdict", ValueKind::Text},
    {"--would", "", "", "log: only events at which a hook with `mode: observe` would have done something"},
    {"--limit", "-n", "N", "log: the newest N events (default: 50)", ValueKind::Text},
    {"--otlp", "", "URL", "export: send to the OpenTelemetry collector with this base URL", ValueKind::Text},
    {"--jsonl", "", "FILE", "export: append lines of JSON to FILE; - is standard output", ValueKind::Text},
    {"--follow", "", "", "export: keep running, and send what comes"},
    {"--utc", "", "", "times are in UTC, not in local time"},
    {"--yes", "-y", "", "needed without a terminal: yes, do it"},
    kJsonOption,
});

/// Who may use a verb of `fleet`. Those that change what holds for machines are for people; `leave` takes guards away.
inline ForPeople fleet_is_for(const Arguments& args) {
  constexpr auto kForPeople = std::to_array<std::string_view>(
      {"init", "up", "down", "join", "token", "push", "promote", "rollback", "revoke", "export", "dead", "approve"});
  const std::string verb = args.text("VERB");
  if (verb == "leave") return ForPeople::Consent;
  return std::ranges::find(kForPeople, verb) == kForPeople.end() ? ForPeople::No : ForPeople::NotAgent;
}

constexpr Command fleet_command(int (*run)(Invocation& in)) {
  return {
      .name = "fleet",
      .summary = "one policy and one log for many machines",
      .about =
          "Joins machines into a fleet: `init` makes keys and starts a server, `join` adds this machine, `push` gives "
          "all machines a policy, and `log` shows what happened on all of them. Verbs: init, up, down, token, join, "
          "leave, revoke, push, promote, rollback, status, log, why, stats, export, flush, dead, approve, and the "
          "programs "
          "that keep running: machine, collector, worker.",
      .arguments = kFleetArguments,
      .options = kFleetOptions,
      .examples = R"(  grapnel fleet init
  grapnel fleet join TOKEN
  grapnel fleet push DIR --channel canary --percent 10
  grapnel fleet status
  grapnel fleet log --verdict deny --since 1h
  grapnel fleet flush --wait 10s
)",
      .run = run,
      .for_people = fleet_is_for,
  };
}

}  // namespace grapnel::cli
