#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "cli/command.h"

/// The program behind `grapnel fleet`:
///
///   main.cc           the table of verbs
///   fleet_files.h     the files of a fleet and of a machine, tokens
///   courier.h         the connection to NATS
///   nats_server.h     the server on this computer, its streams
///   shipper.h         sends what the journal has, and watches the mark
///   policy_home.h     the policy that holds on this machine
///   machine.cc        the program that runs on every machine
///   job_shipper.h     sends what workers are to run
///   worker.cc         the program that runs jobs; signed_hooks.h: what it may run; dead.cc: jobs that failed
///   far_asks.h        carries questions to people elsewhere; fleet_approve.cc: where these answer
///   collector.cc      the program that writes the central store; enrolment.h, queries.h: what it answers
///   bundle.h          rules and scripts as one text
///   export.cc         sends the central store elsewhere, with export_sink.h
///   init.cc, membership.cc, policy_verbs.cc, look.cc   the verbs
namespace grapnel::cli {

int fleet_init(Invocation& in);
int fleet_up(Invocation& in);
int fleet_down(Invocation& in);
int fleet_token(Invocation& in);
int fleet_join(Invocation& in);
int fleet_leave(Invocation& in);
int fleet_revoke(Invocation& in);
int fleet_machine(Invocation& in);
int fleet_collector(Invocation& in);
int fleet_worker(Invocation& in);
int fleet_dead(Invocation& in);
int fleet_approve(Invocation& in);
int fleet_flush(Invocation& in);
int fleet_push(Invocation& in);
int fleet_promote(Invocation& in);
int fleet_rollback(Invocation& in);
int fleet_status(Invocation& in);
int fleet_log(Invocation& in);
int fleet_why(Invocation& in);
int fleet_stats(Invocation& in);
int fleet_export(Invocation& in);

/// The words after the verb. Prints an error and returns nothing if there are not so many.
std::optional<std::vector<std::string>> words_of(Invocation& in, size_t least, size_t most, std::string_view what);

/// `--wait`, 10 seconds by default. Fails: BadInput.
Result<std::chrono::milliseconds> wait_of(const Arguments& args);

/// Prints an error of the program itself, and returns the exit status for it.
int report_failure(Invocation& in, const Error& error);

/// Prints JSON if it is wanted, or else the text.
int print_done(Invocation& in, const Json& json, const std::string& text);

/// Starts one of our own verbs in a process that nobody waits for, and writes its output into a file.
Result<void> start_own(const Environment& env, const std::vector<std::string>& words, const std::string& log);

}  // namespace grapnel::cli
