#include <atomic>
#include <mutex>
#include <optional>

#include "base/text.h"
#include "cli/fleet/far_asks.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/job_shipper.h"
#include "cli/fleet/policy_home.h"
#include "cli/fleet/server_version.h"
#include "cli/fleet/shipper.h"
#include "cli/fleet/stop_signal.h"
#include "cli/nats_version.h"
#include "fleet/subjects.h"
#include "record/lost_records.h"
#include "trust/private_file.h"

namespace grapnel::cli {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kIdlePause{200};
constexpr std::chrono::seconds kHeartbeatPause{10};
constexpr std::chrono::seconds kPolicyPause{60};
constexpr std::chrono::seconds kRenewPause{3600};
constexpr std::chrono::hours kServerPause{1};
constexpr std::chrono::seconds kFirstRetry{1};
constexpr std::chrono::seconds kLastRetry{60};
constexpr std::chrono::seconds kAnswer{5};

/// Whether it is time again. True at first.
class Every {
 public:
  explicit Every(steady_clock::duration pause) : pause_(pause) {}
  bool is_due() {
    const auto now = steady_clock::now();
    if (last_ && now - *last_ < pause_) return false;
    last_ = now;
    return true;
  }
  void soon() { last_.reset(); }

 private:
  steady_clock::duration pause_;
  std::optional<steady_clock::time_point> last_;
};

/// What runs on every machine: it sends records, takes over policies, and says how it is.
class Machine {
 public:
  Machine(Invocation& in, MachineHome home, MachineHome::State state, StopSignal& stop)
      : in_(in),
        home_(std::move(home)),
        state_(std::move(state)),
        stop_(stop),
        policy_(home_),
        shipper_({.machine = state_.machine,
                  .records = in.env.state_dir(),
                  .collector_key = state_.address.collector_key,
                  .known = home_.mark(),
                  .on_mark = [this](const fleet::Position& mark) { static_cast<void>(home_.save_mark(mark)); },
                  .on_doubt = [this](const std::string& why) { say_once(why); }}),
        jobs_({.machine = state_.machine,
               .records = in.env.state_dir(),
               .mark = home_.jobs_mark(),
               .on_mark = [this](const fleet::Position& mark) { static_cast<void>(home_.save_jobs_mark(mark)); }}) {}

  /// Until it is told to stop.
  void run() {
    note_policy(policy_.load());
    auto retry = std::chrono::duration_cast<std::chrono::milliseconds>(kFirstRetry);
    while (!stop_.is_stopped()) {
      if (const auto connected = connect(); !connected) {
        say_once(connected.error().message);
        stop_.wait(retry);
        retry = std::min<std::chrono::milliseconds>(retry * 2, kLastRetry);
        continue;
      }
      retry = kFirstRetry;
      work();
      courier_.reset();
    }
  }

  /// Does what there is to do now. True if everything has arrived in time.
  bool run_once(std::chrono::milliseconds patience) {
    note_policy(policy_.load());
    const auto end = steady_clock::now() + patience;
    while (steady_clock::now() < end) {
      if (!courier_ && !connect()) {
        if (stop_.wait(std::chrono::milliseconds(100))) return false;
        continue;
      }
      const bool is_fine = turn();
      if (is_fine && shipper_.has_arrived() && jobs_.has_sent()) return true;
      if (stop_.wait(std::chrono::milliseconds(20))) return false;
    }
    return false;
  }

  int64_t waiting_bytes() const { return shipper_.waiting_bytes(); }

 private:
  Result<void> connect() {
    auto courier = home_.connect(state_);
    if (!courier) return std::unexpected(courier.error());
    courier_ = std::move(*courier);
    shipper_.forget_mark();
    jobs_.look_soon();
    policy_due_.soon();
    const auto heard = courier_->subscribe(fleet::policy_notice(state_.channel), "", [this](const CarriedMessage&) {
      is_policy_new_ = true;
      stop_.wake();
    });
    const std::lock_guard lock(speech_);
    said_.clear();
    return heard;
  }

  void work() {
    const FarAsks far(*courier_, {.env = in_.env,
                                  .machine = state_.machine,
                                  .approver_key = state_.address.approver_key,
                                  .say = [this](const std::string& what) { say_once(what); }});
    while (!stop_.is_stopped() && courier_->is_open()) {
      const bool is_fine = courier_->is_connected() && turn();
      // While records come, there is no pause that anybody would notice; while the server is away, there is one.
      stop_.wait(is_fine ? kIdlePause : std::chrono::seconds(1));
    }
  }

  /// False when the server is away or refuses.
  bool turn() {
    const auto sent = shipper_.step(*courier_);
    if (!sent) say_once(sent.error().message);
    const auto wanted = sent ? jobs_.step(*courier_, policy_of_jobs()) : sent;
    if (!wanted && sent) say_once(wanted.error().message);
    if (is_policy_new_.exchange(false) || policy_due_.is_due()) look_at_policy();
    if (heartbeat_due_.is_due()) send_heartbeat();
    if (renew_due_.is_due()) renew();
    if (server_due_.is_due()) note_server();
    return sent && wanted;
  }

  JobShipper::Policy policy_of_jobs() const {
    return {.channel = state_.channel, .bundle = bundle_, .version = version_};
  }

  void look_at_policy() {
    const auto repaired = policy_.repair();
    if (repaired && *repaired) in_.console.say("the files of the policy were changed here, and are put back");
    const auto state = policy_.refresh(*courier_, state_);
    if (!state) return say_once(state.error().message);
    for (const std::string& why : state->refusals) say_once(why);
    note_policy(*state);
    heartbeat_due_.soon();
  }

  void note_policy(const PolicyState& state) {
    bundle_ = state.current ? state.current->bundle : "";
    version_ = state.current ? state.current->version : 0;
  }

  void send_heartbeat() {
    const LostReport lost = read_lost(in_.env.state_dir());
    const Json state = policy_.load()
                           .to_json()
                           .with("version", Json::string(GRAPNEL_VERSION))
                           .with("channel", Json::string(state_.channel))
                           .with("waiting_bytes", Json::number(shipper_.waiting_bytes()))
                           .with("waiting_jobs", Json::number(jobs_.waiting()))
                           .with("lost", Json::number(static_cast<int64_t>(lost.count)));
    static_cast<void>(courier_->publish(fleet::joined_subject("hb", state_.machine), state.dump()));
  }

  /// New credentials when half of the time of the old ones is over.
  void renew() {
    const auto creds = fleet::read_creds(home_.creds());
    const auto claims = creds ? fleet::read_jwt(creds->jwt) : std::unexpected(creds.error());
    if (!claims) return;
    const auto issued = fleet::Time(std::chrono::seconds((*claims)["iat"].as_integer().value_or(0)));
    const auto half = issued + (fleet::expiry_of(*claims) - issued) / 2;
    if (std::chrono::system_clock::now() < half) return;
    const auto answer = courier_->request(fleet::joined_subject("renew", state_.machine), "", kAnswer);
    const auto jwt = answer ? Json::parse(answer->body).value_or(Json())["jwt"].as_string() : std::nullopt;
    if (!jwt) return say_once("the credentials of this machine could not be renewed");
    static_cast<void>(home_.save_creds(fleet::creds_text(*jwt, creds->seed)));
  }

  /// For `doctor`, which asks nobody.
  void note_server() {
    const std::string url = urls_of(state_.address.url).front();
    const auto version = server_version(url);
    if (!version) return;
    const Json note = Json::object({{"url", Json::string(url)}, {"version", Json::string(*version)}});
    static_cast<void>(write_private_file(in_.env.state_dir() + "/" + std::string(kMetServerFile), note.dump() + "\n",
                                         os::Durability::Lazy));
  }

  void say_once(const std::string& what) {
    const std::lock_guard lock(speech_);
    if (what == said_) return;
    said_ = what;
    in_.console.say(now_text() + " " + printable(what));
  }

  Invocation& in_;
  MachineHome home_;
  MachineHome::State state_;
  StopSignal& stop_;
  PolicyHome policy_;
  Shipper shipper_;
  JobShipper jobs_;
  std::string bundle_;  ///< of the policy that holds here
  int64_t version_ = 0;
  Every policy_due_{kPolicyPause};
  Every heartbeat_due_{kHeartbeatPause};
  Every renew_due_{kRenewPause};
  Every server_due_{kServerPause};
  std::atomic<bool> is_policy_new_ = false;
  std::mutex speech_;
  std::string said_;
  std::unique_ptr<Courier> courier_;  ///< the last member: its threads use the others
};

int report_arrival(Invocation& in, bool has_arrived, int64_t waiting) {
  const Json json = Json::object({{"arrived", Json::boolean(has_arrived)}, {"waiting_bytes", Json::number(waiting)}});
  print_done(in, json,
             has_arrived ? "All records are in the central store.\n"
                         : std::to_string(waiting) + " bytes of records still wait here.\n");
  return has_arrived ? kOk : kNo;
}

/// Another process sends; the mark that it writes tells how far it is.
int wait_for_other(Invocation& in, const MachineHome& home, StopSignal& stop, std::chrono::milliseconds patience) {
  const fleet::Outbox outbox(in.env.state_dir());
  const auto end = steady_clock::now() + patience;
  int64_t waiting = outbox.waiting_bytes(home.mark());
  while (waiting > 0 && steady_clock::now() < end && !stop.wait(std::chrono::milliseconds(50))) {
    waiting = outbox.waiting_bytes(home.mark());
  }
  return report_arrival(in, waiting == 0, waiting);
}

}  // namespace

Result<std::chrono::milliseconds> wait_of(const Arguments& args) {
  const auto span = read_span(args.text("--wait"), std::chrono::seconds(10));
  if (!span) return std::unexpected(span.error());
  return std::chrono::duration_cast<std::chrono::milliseconds>(*span);
}

int fleet_machine(Invocation& in) {
  const MachineHome home(in.env);
  const auto state = home.load();
  if (!state) return report_failure(in, state.error());
  StopSignal stop;
  const auto pid = PidFile::take(home.path("machine.pid"));
  if (!pid) return report_failure(in, pid.error());
  Machine machine(in, home, *state, stop);
  if (!in.args.has("--once")) {
    machine.run();
    return kOk;
  }
  const auto patience = wait_of(in.args);
  if (!patience) return report_failure(in, patience.error());
  const bool has_arrived = machine.run_once(*patience);
  return report_arrival(in, has_arrived, machine.waiting_bytes());
}

// In CI nothing else runs, so this does the work itself.
int fleet_flush(Invocation& in) {
  const MachineHome home(in.env);
  const auto state = home.load();
  if (!state) return report_failure(in, state.error());
  const auto patience = wait_of(in.args);
  if (!patience) return report_failure(in, patience.error());
  StopSignal stop;
  const auto pid = PidFile::take(home.path("machine.pid"));
  if (!pid) return wait_for_other(in, home, stop, *patience);
  Machine machine(in, home, *state, stop);
  const bool has_arrived = machine.run_once(*patience);
  return report_arrival(in, has_arrived, machine.waiting_bytes());
}

}  // namespace grapnel::cli
