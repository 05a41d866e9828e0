#include <csignal>

#include <sys/signalfd.h>

#include "grapnel/json.h"

#include "base/error.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/serve/server.h"
#include "cli/serve/start.h"
#include "discover/find/overrides.h"

namespace grapnel::cli {

namespace {

// Without options this process becomes the server and stays in the foreground. The other options talk to a server that
// runs, or start one in a process of its own.

constexpr auto kServeOptions = std::to_array<OptionRow>({
    {"--background", "-b", "", "start the server in the background and return when it answers"},
    {"--idle", "", "TIME", "end after this time without a request: 90s, 10m, 2h (default: 10m)", ValueKind::Text},
    {"--status", "", "", "show whether a server runs, and what it has done"},
    {"--stop", "", "", "end the running server after it has finished its requests"},
    kYesOption,
    kJsonOption,
});

/// Prints the error. "No server runs" and "a server already runs" are answers; everything else is a failure.
int report_failure(Invocation& in, const Error& error) {
  in.console.say(error.message);
  return error.code == Errc::NotFound || error.code == Errc::Refused ? kNo : kInternal;
}

/// Shows what the server reports. With `--json` a missing server is `null`, so that scripts can parse the output in any
/// case.
int print_status(Invocation& in) {
  const auto answer = ask_server(in.env, "status");
  if (!answer && in.args.has("--json") && answer.error().code == Errc::NotFound) {
    in.console.out("null\n");
    return kNo;
  }
  if (!answer) return report_failure(in, answer.error());
  if (in.args.has("--json")) {
    in.console.out(*answer + "\n");
    return kOk;
  }
  const Json status = Json::parse(*answer).value_or(Json());
  const auto number = [&](std::string_view key) { return static_cast<size_t>(status[key].as_integer().value_or(0)); };
  in.console.out("grapnel " + status["version"].as_string().value_or("") + " serves at " +
                 printable(status["socket"].as_string().value_or("")) + "\n");
  in.console.out("pid " + std::to_string(number("pid")) + ", up " +
                 duration_text(std::chrono::seconds(number("uptime"))) + ", " +
                 count_text(number("requests"), "request") + ", " + std::to_string(number("running")) + " running, " +
                 count_text(number("engines"), "engine") + ", " + count_text(number("workers"), "worker") + ", " +
                 std::to_string(status["warm"]["waiting"].as_integer().value_or(0)) + " warm\n");
  return kOk;
}

int stop_server(Invocation& in) {
  const auto answer = ask_server(in.env, "stop");
  if (!answer) return report_failure(in, answer.error());
  if (in.args.has("--json")) in.console.out(Json::object({{"stopped", Json::boolean(true)}}).dump() + "\n");
  return kOk;
}

/// Returns when the server answers, so that the next command can rely on it.
int start_in_background(Invocation& in) {
  if (!start_server(in.env))
    return report_failure(in, {.code = Errc::System, .message = "cannot start a process for the server"});
  const auto running = wait_for_server(in.env);
  if (!running) return report_failure(in, running.error());
  return in.args.has("--json") ? print_status(in) : static_cast<int>(kOk);
}

/// A descriptor for the signals that end the server. They are blocked in all threads and read by one; children get
/// their own mask.
UniqueFd receive_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ending, signal);
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  return UniqueFd(::signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK));
}

int run_serve(Invocation& in) {
  if (in.args.has("--status")) return print_status(in);
  if (in.args.has("--stop")) return stop_server(in);
  if (in.args.has("--background")) return start_in_background(in);
  ServerOptions options{.program = own_program(), .version = GRAPNEL_VERSION};
  if (in.args.has("--idle")) {
    const auto idle = parse_duration(in.args.text("--idle"));
    if (!idle) {
      return report_input(in.console,
                          "'" + printable(in.args.text("--idle")) + "' is not a duration; write 90s, 10m or 2h");
    }
    options.idle = *idle;
  }
  // Before any thread starts, because threads inherit the mask.
  const UniqueFd signals = receive_signals();
  auto socket = ListeningSocket::open(in.env);
  if (!socket) return report_failure(in, socket.error());
  Server(std::move(*socket), std::move(options)).run(signals.get());
  return kOk;
}

}  // namespace

const Command kServe{
    .name = "serve",
    .summary = "keep an engine ready, so that fire answers faster",
    .about =
        "Runs one engine for all projects of a user and answers `grapnel fire` over a socket in the runtime directory. "
        "fire uses the server if one runs, and does the work itself if none does; the answers are the same. The server "
        "ends after a while without requests, on SIGTERM, or when the program is replaced.",
    .arguments = {},
    .options = kServeOptions,
    .examples = R"(  grapnel serve --background
  grapnel serve --status
  grapnel serve --stop
)",
    .run = run_serve,
    .for_people = [](const Arguments& args) { return args.has("--stop") ? ForPeople::Consent : ForPeople::No; },
};

}  // namespace grapnel::cli
