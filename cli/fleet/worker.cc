#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/job_shipper.h"
#include "cli/fleet/signed_hooks.h"
#include "cli/fleet/stop_signal.h"
#include "cli/hook_text.h"
#include "engine/event_run.h"
#include "engine/recording.h"
#include "fleet/subjects.h"
#include "os/resolve.h"
#include "run/runner.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kJobPull{2000};
constexpr milliseconds kJobAnswer{5000};
constexpr milliseconds kWorkerPause{1000};
constexpr std::chrono::seconds kSignOfLife{10};  ///< a third of what the server waits for
constexpr int64_t kUsualAttempts = 5;
/// A job that was begun so often and never ended takes its worker with it.
constexpr int64_t kMostBeginnings = 50;
constexpr std::chrono::seconds kLongestBackOff{300};
constexpr size_t kMaxSaid = 400;

/// `job.MACHINE.ID`. The server checked that a machine names itself, so this counts and not what the text says.
struct Address {
  std::string machine;
  std::string id;
};
Address address_of(const std::string& subject) {
  const auto parts = text::split(subject, '.');
  return parts.size() == 3 ? Address{std::string(parts[1]), std::string(parts[2])} : Address{};
}

/// How often the server gave the message to anybody: `$JS.ACK.STREAM.CONSUMER.COUNT.…`.
int64_t deliveries_of(const std::string& reply) {
  const auto parts = text::split(reply, '.');
  int64_t count = 0;
  if (parts.size() > 4) std::from_chars(parts[4].data(), parts[4].data() + parts[4].size(), count);
  return count;
}

/// Tells the server every few seconds that the job is not forgotten.
class SignOfLife {
 public:
  SignOfLife(Courier& courier, std::string reply)
      : thread_([this, &courier, reply = std::move(reply)](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          while (!done_.wait_for(lock, stop, kSignOfLife, [&] { return stop.stop_requested(); })) {
            static_cast<void>(courier.publish(reply, "+WPI"));
          }
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any done_;
  std::jthread thread_;
};

/// A directory for one job, in which its hook runs.
class Scratch {
 public:
  Scratch() {
    std::error_code error;
    std::string name = std::filesystem::temp_directory_path(error).string() + "/grapnel-job.XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What became of one attempt; "" if it succeeded.
std::string attempt(HookSpec hook, const fleet::Job& job, const Address& from, int64_t failures,
                    const Environment& env) {
  const auto event = event_of(job.event);
  if (!event) return "the event cannot be read";
  const Scratch scratch;
  if (scratch.path().empty()) return "there is no directory for it";
  hook.cwd = scratch.path();
  auto& variables = std::get<CommandHandler>(hook.handler).env;
  variables.emplace_back("GRAPNEL_JOB", from.machine + "." + from.id);
  variables.emplace_back("GRAPNEL_JOB_ATTEMPT", std::to_string(failures + 1));
  variables.emplace_back("GRAPNEL_JOB_MACHINE", from.machine);
  os::ProgramPaths programs;
  const RunContext context{.env = env,
                           .programs = programs,
                           .session_env = {},
                           .default_dir = scratch.path(),
                           .limits = child_limits(Limits{}),
                           .cancel = {},
                           .stop = {},
                           .supplements = [](Field) { return Supplement(); },
                           .http_client = nullptr,
                           .earlier_context = {}};
  PayloadCache payloads;
  const ChildSpec child = child_for(hook, *event, context, payloads);
  const std::vector<RunOutcome> outcomes = run_children({&child, 1}, 0, context.limits, {}, {}, {});
  const auto* exited = std::get_if<Exited>(&outcomes.front().ending);
  if (exited != nullptr && exited->code == 0) return "";
  std::string why = describe(outcomes.front().ending);
  const std::string said(text::trim(text::to_valid_utf8(outcomes.front().err.bytes)));
  if (!said.empty()) why += ": " + text::cap(said, kMaxSaid);
  return why;
}

/// What all lanes of a worker share.
struct Shop {
  const Environment& env;
  Console& console;
  Courier& courier;
  std::string name;
  int64_t attempts = kUsualAttempts;
  SignedHooks hooks;
  std::mutex speech = {};
  std::atomic<bool> is_closed = false;

  void say(const std::string& what) {
    const std::lock_guard lock(speech);
    console.say(now_text() + " " + printable(what));
    console.flush();
  }
};

/// Takes one job after the other. A job is ended when its outcome is stored, so one that dies in between comes again.
class Lane {
 public:
  Lane(Shop& shop, Mailbox mailbox) : shop_(shop), mailbox_(std::move(mailbox)) {}

  void run() {
    while (!shop_.is_closed && shop_.courier.is_open()) {
      const auto message = pull();
      if (message) deal(*message);
    }
  }

 private:
  std::optional<CarriedMessage> pull() {
    const Json wish = Json::object(
        {{"batch", Json::number(int64_t{1})}, {"expires", Json::number(std::chrono::nanoseconds(kJobPull).count())}});
    const std::string subject =
        "$JS.API.CONSUMER.MSG.NEXT." + std::string(fleet::kJobStream) + "." + std::string(fleet::kWorkers);
    if (!shop_.courier.is_connected() || !shop_.courier.publish(subject, wish.dump(), mailbox_.subject())) {
      std::this_thread::sleep_for(milliseconds(200));
      return std::nullopt;
    }
    // What comes after the end of a pull is of an older one, and a job, too.
    auto message = mailbox_.next(kJobPull + milliseconds(500));
    return message && message->status.empty() ? std::optional(std::move(*message)) : std::nullopt;
  }

  void deal(const CarriedMessage& message) {
    const Address from = address_of(message.subject);
    const auto job = fleet::Job::parse(message.body);
    if (!job || job->id != from.id) {
      shop_.say("dropped a message of " + from.machine + " that is no job");
      return answer(message, "+TERM");
    }
    const auto state = fetch_job_state(shop_.courier, from.machine, from.id, kJobAnswer);
    if (!state) return;  // it comes again
    if (state->is_over()) return answer(message, "+ACK");
    const auto hook = shop_.hooks.find(shop_.courier, *job);
    const bool may_come = !hook && hook.error().code == Errc::Unavailable;
    const bool was_begun_too_often = deliveries_of(message.reply) > kMostBeginnings;
    if (may_come && !was_begun_too_often) {
      shop_.say(told(*job, from) + " waits: " + hook.error().message);
      return answer(message, later(std::chrono::seconds(5)));
    }
    if (!hook) return bury(message, *job, from, state->failures, hook.error().message);
    if (was_begun_too_often)
      return bury(message, *job, from, state->failures, "it was begun too often and never ended");
    const SignOfLife sign(shop_.courier, message.reply);
    finish(message, *job, from, state->failures, attempt(*hook, *job, from, state->failures, shop_.env));
  }

  void finish(const CarriedMessage& message, const fleet::Job& job, const Address& from, int64_t failures,
              const std::string& why) {
    using Kind = fleet::JobState::Kind;
    if (why.empty()) {
      if (!note(from, {Kind::Done, failures})) return;
      shop_.say(told(job, from) + " is done");
      return answer(message, "+ACK");
    }
    ++failures;
    if (failures >= shop_.attempts) return bury(message, job, from, failures, why);
    shop_.say(told(job, from) + " failed (" + std::to_string(failures) + " of " + std::to_string(shop_.attempts) +
              "): " + why);
    if (!note(from, {Kind::Failing, failures})) return;
    const auto pause = std::chrono::seconds(int64_t{1} << std::min<int64_t>(2 * (failures - 1), 20));
    answer(message, later(std::min(pause, kLongestBackOff)));
  }

  /// The dead letter is there before the job is ended, so a job is always somewhere.
  void bury(const CarriedMessage& message, const fleet::Job& job, const Address& from, int64_t failures,
            const std::string& why) {
    const Json letter = Json::object({{"machine", Json::string(from.machine)},
                                      {"job", Json::parse(job.to_text()).value_or(Json())},
                                      {"why", Json::string(why)},
                                      {"failures", Json::number(failures)},
                                      {"worker", Json::string(shop_.name)},
                                      {"time", Json::string(now_text())}});
    const std::string subject = fleet::job_subject("dead", from.machine, from.id);
    if (!store_message(shop_.courier, subject, letter.dump(), kJobAnswer)) return;
    if (!note(from, {fleet::JobState::Kind::Dead, failures})) return;
    shop_.say(told(job, from) + " is given up: " + why + "; `grapnel fleet dead` shows it");
    answer(message, "+TERM");
  }

  bool note(const Address& from, const fleet::JobState& state) {
    return store_job_state(shop_.courier, from.machine, from.id, state, kJobAnswer).has_value();
  }

  void answer(const CarriedMessage& message, const std::string& word) {
    static_cast<void>(shop_.courier.publish(message.reply, word));
    static_cast<void>(shop_.courier.flush(kJobAnswer));
  }

  static std::string later(std::chrono::nanoseconds pause) {
    return "-NAK " + Json::object({{"delay", Json::number(int64_t{pause.count()})}}).dump();
  }
  static std::string told(const fleet::Job& job, const Address& from) {
    return job.hook + " for " + from.machine + " (" + from.id.substr(0, 8) + ")";
  }

  Shop& shop_;
  Mailbox mailbox_;
};

/// A whole number of at least 1. Fails: BadInput.
Result<int64_t> count_of(const Arguments& args, std::string_view option, int64_t by_default) {
  if (!args.has(option)) return by_default;
  const std::string text = args.text(option);
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool is_fine = error == std::errc() && end == text.data() + text.size() && count >= 1 && count <= 100;
  if (!is_fine)
    return fail(Errc::BadInput, std::string(option) + " " + printable(text) + ": write a number from 1 to 100");
  return count;
}

Result<void> work(Invocation& in, const FleetHome& home, const FleetHome::State& state, StopSignal& stop,
                  int64_t attempts, int64_t lanes) {
  auto courier = home.connect("worker");
  if (!courier) return std::unexpected(courier.error());
  Shop shop{.env = in.env,
            .console = in.console,
            .courier = **courier,
            .name = home.name_of("worker"),
            .attempts = attempts,
            .hooks = SignedHooks(state.address, in.env.state_dir() + "/fleet-worker")};
  std::vector<std::unique_ptr<Lane>> all;
  for (int64_t i = 0; i < lanes; ++i) {
    auto mailbox = (*courier)->open_mailbox();
    if (!mailbox) return std::unexpected(mailbox.error());
    all.push_back(std::make_unique<Lane>(shop, std::move(*mailbox)));
  }
  std::vector<std::jthread> threads;
  for (const auto& lane : all) threads.emplace_back([&lane] { lane->run(); });
  while (!stop.wait(milliseconds(500)) && (*courier)->is_open()) continue;
  // Hooks that run go on to their end; those that are killed with this program come again.
  shop.is_closed = true;
  threads.clear();
  return {};
}

}  // namespace

int fleet_worker(Invocation& in) {
  const FleetHome home(in.env);
  const auto state = home.load();
  if (!state) return report_failure(in, state.error());
  const auto attempts = count_of(in.args, "--attempts", kUsualAttempts);
  if (!attempts) return report_failure(in, attempts.error());
  const auto lanes = count_of(in.args, "--parallel", 1);
  if (!lanes) return report_failure(in, lanes.error());
  StopSignal stop;
  std::string said;
  do {
    const auto done = work(in, home, *state, stop, *attempts, *lanes);
    if (!done && done.error().code != Errc::Unavailable) return report_failure(in, done.error());
    if (!done && done.error().message != said) in.console.say(printable(said = done.error().message));
    in.console.flush();
  } while (!stop.wait(kWorkerPause));
  return kOk;
}

}  // namespace grapnel::cli
