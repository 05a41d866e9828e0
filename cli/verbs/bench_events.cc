#include "cli/verbs/bench_events.h"

#include <algorithm>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/helper_program.h"
#include "cli/serve/start.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::milliseconds kLongestPause{1000};
constexpr std::chrono::minutes kPatience{10};

/// The person's server. One that was not there before ends with this object.
class ServerForBench {
 public:
  static Result<std::unique_ptr<ServerForBench>> start(const Environment& env) {
    auto server = std::unique_ptr<ServerForBench>(new ServerForBench(env, ask_server(env, "status").has_value()));
    if (server->was_there_) return server;
    if (!start_server(env)) return fail(Errc::System, "cannot start a process for the server");
    if (auto running = wait_for_server(env); !running) return std::unexpected(running.error());
    return server;
  }
  ServerForBench(const ServerForBench&) = delete;
  ServerForBench& operator=(const ServerForBench&) = delete;
  ~ServerForBench() {
    if (was_there_) return;
    static_cast<void>(ask_server(env_, "stop"));
    // The next command must not ask a server that is about to end.
    const Deadline patience = SteadyClock::now() + kLongestPause;
    while (ask_server(env_, "status") && SteadyClock::now() < patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

 private:
  ServerForBench(const Environment& env, bool was_there) : env_(env), was_there_(was_there) {}

  const Environment& env_;
  bool was_there_;
};

/// `grapnel fire`, again and again.
class FireBench {
 public:
  FireBench(std::string program, EventKind kind, const std::string& project)
      : child_{.path = std::move(program),
               .argv = {"grapnel", "fire", std::string(to_string(kind)), "--project", project},
               .env = {},
               .cwd = project,
               .stdin_bytes = std::make_shared<const std::string>(harmless_payload(project).dump()),
               .timeout = kPatience} {}

  /// Fails: Unavailable, if there was no answer.
  Result<std::chrono::microseconds> run(const Environment& env) {
    child_.env = env;
    const RunOutcome outcome = run_children({&child_, 1}, 0, {}, {}).front();
    const Json decision = Json::parse(outcome.out.bytes).value_or(Json());
    if (!decision.is_object()) {
      const std::string why(text::trim(outcome.err.bytes));
      return fail(Errc::Unavailable,
                  "grapnel fire " + child_.argv[2] + ": " + printable(why.empty() ? describe(outcome.ending) : why));
    }
    hooks_ = 0;
    for ([[maybe_unused]] const Json& hook : decision["hooks"].elements()) ++hooks_;
    return outcome.took;
  }
  /// How many hooks ran the last time.
  size_t hooks() const { return hooks_; }

 private:
  ChildSpec child_;
  size_t hooks_ = 0;
};

Result<EventTimes> measure_event(FireBench bench, const Environment& alone, const Environment& served, int runs) {
  std::vector<std::chrono::microseconds> times, served_times;
  for (int i = 0; i < runs; ++i) {
    const auto took = bench.run(alone);
    if (!took) return std::unexpected(took.error());
    times.push_back(*took);
  }
  const auto in_the_middle = median(times);
  // The first one makes the server read the hooks, and its hooks are cold.
  for (int i = 0; i <= runs; ++i) {
    const auto took = bench.run(served);
    if (!took) return std::unexpected(took.error());
    if (i > 0) served_times.push_back(*took);
    std::this_thread::sleep_for(pause_after(in_the_middle));
  }
  return EventTimes{.hooks = bench.hooks(), .alone = in_the_middle, .served = median(std::move(served_times))};
}

}  // namespace

Json harmless_payload(const std::string& project) {
  return Json::object({{"session_id", Json::string("grapnel-bench")},
                       {"cwd", Json::string(project)},
                       {"tool_name", Json::string("Bash")},
                       {"tool_input", Json::object({{"command", Json::string("true")}})},
                       {"prompt", Json::string("hello")}});
}

std::chrono::microseconds median(std::vector<std::chrono::microseconds> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

std::chrono::microseconds pause_after(std::chrono::microseconds cold) {
  return std::min<std::chrono::microseconds>(2 * cold, kLongestPause);
}

Result<std::vector<EventTimes>> measure_events(const std::vector<HookSpec>& hooks,
                                               const std::vector<std::string>& left_out, const std::string& project,
                                               const Environment& env, int runs) {
  auto program = find_helper_program(env, "grapnel");
  if (!program) return std::unexpected(program.error());
  Environment served = env;
  std::vector<std::string> disabled = left_out;
  if (env.has("GRAPNEL_DISABLE")) disabled.emplace_back(env.get("GRAPNEL_DISABLE"));
  served.set("GRAPNEL_DISABLE", text::join(disabled, ","));
  served.set("GRAPNEL_SERVE", "");
  Environment alone = served;
  alone.set("GRAPNEL_SERVE", "off");
  const auto server = ServerForBench::start(env);
  if (!server) return std::unexpected(server.error());

  std::vector<EventTimes> out;
  for (const EventKind kind : all_event_kinds()) {
    if (std::ranges::none_of(hooks, [&](const HookSpec& hook) { return hook.listens_to(kind); })) continue;
    auto times = measure_event(FireBench(*program, kind, project), alone, served, runs);
    if (!times) return std::unexpected(times.error());
    times->kind = kind;
    out.push_back(*times);
  }
  return out;
}

}  // namespace grapnel::cli
