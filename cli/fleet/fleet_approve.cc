#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include <sys/eventfd.h>

#include "approve/ask_place.h"
#include "base/error.h"
#include "cli/approving.h"
#include "cli/fleet/fleet_files.h"
#include "cli/fleet/fleet_verbs.h"
#include "fleet/far_ask.h"
#include "fleet/subjects.h"

namespace grapnel::cli {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Machines repeat a question every two seconds, so whoever comes later hears all of them in that time.
constexpr milliseconds kGathering{2500};
/// A question that nobody repeats any more is over.
constexpr milliseconds kForgotten{7000};
constexpr milliseconds kTakenPatience{5000};
constexpr milliseconds kBeat{2000};

/// The questions of all machines, as they come over the network. Thread: any.
class FleetAsks final : public AskSource {
 public:
  FleetAsks(std::unique_ptr<Courier> courier, fleet::Creds creds)
      : creds_(std::move(creds)), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), courier_(std::move(courier)) {}

  /// Hears what is asked. Fails: Unavailable.
  Result<void> open() {
    auto heard = courier_->subscribe("ask.*", "", [this](const CarriedMessage& message) { hear(message); });
    if (heard) {
      heard = courier_->subscribe(std::string(fleet::kApproverNotice), "", [this](const CarriedMessage&) {
        const std::lock_guard lock(mutex_);
        noticed_ = steady_clock::now();
      });
    }
    return heard ? courier_->flush(kTakenPatience) : heard;
  }

  /// What has been heard; at first, after as long as it takes to hear all.
  std::vector<WaitingAsk> asks() override {
    std::unique_lock lock(mutex_);
    if (!is_present_) changed_.wait_until(lock, began_ + kGathering, [] { return false; });
    const auto now = steady_clock::now();
    std::erase_if(heard_, [&](const auto& one) { return now - one.second.last > kForgotten; });
    std::vector<WaitingAsk> out;
    for (const auto& [id, one] : heard_) out.push_back(one.ask);
    std::ranges::sort(out, {}, [](const WaitingAsk& one) { return std::pair(one.asked_at_ms, one.id); });
    return out;
  }

  Result<void> listen() override {
    const std::lock_guard lock(mutex_);
    is_present_ = true;
    beat_ = std::jthread([this](const std::stop_token& stop) { beat(stop); });
    return {};
  }
  int fd() const override { return bell_.get(); }
  void settle() override {
    uint64_t rings = 0;
    static_cast<void>(::read(bell_.get(), &rings, sizeof rings));
  }

  /// The machine says whether it took the answer. Fails: NotFound when it was late.
  Result<void> give(const WaitingAsk& ask, const AskWish& wish) override {
    std::unique_lock lock(mutex_);
    const auto found = heard_.find(key_of(ask.machine, ask.id));
    if (found == heard_.end()) return fail(Errc::NotFound, "no question '" + ask.id + "' waits any more");
    const fleet::FarQuestion about{ask.machine, found->second.nonce, ask.digest};
    const fleet::FarAnswer answer{std::string(to_string(wish.answer.answer)), wish.answer.pattern, wish.answer.reason};
    const auto reply = fleet::sign_answer(answer, about, creds_);
    if (!reply) return std::unexpected(reply.error());
    replies_[about.nonce] = *reply;
    static_cast<void>(courier_->publish(found->second.reply, *reply));
    const auto end = steady_clock::now() + kTakenPatience;
    if (!changed_.wait_until(lock, end, [&] { return over_.contains(about.nonce); })) {
      replies_.erase(about.nonce);
      return fail(Errc::Unavailable, "the machine does not say whether it took the answer");
    }
    replies_.erase(about.nonce);
    const Over& over = over_[about.nonce];
    if (!over.by.empty()) return {};
    return fail(Errc::NotFound, over.why.empty() ? "no question '" + ask.id + "' waits any more" : over.why);
  }

  bool can_make_rules() const override { return false; }
  std::string_view session_option() const override { return "--for-session"; }
  std::string nothing_waits() const override { return "No machine has a question.\n"; }

 private:
  struct Heard {
    WaitingAsk ask;
    std::string nonce;
    std::string reply;  ///< where the newest request wants its answer
    steady_clock::time_point last;
  };
  struct Over {
    std::string by;
    std::string why;
  };

  static std::string key_of(const std::string& machine, const std::string& id) { return machine + " " + id; }

  /// Tells machines that somebody is there. Of several approvers, one is enough.
  void beat(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      if (steady_clock::now() - noticed_ > kBeat * 3 / 4) {
        static_cast<void>(courier_->publish(std::string(fleet::kApproverNotice), ""));
      }
      changed_.wait_for(lock, stop, kBeat, [&] { return stop.stop_requested(); });
    }
  }

  void hear(const CarriedMessage& message) {
    const Json json = Json::parse(message.body).value_or(Json());
    const std::string machine = message.subject.substr(message.subject.find('.') + 1);
    const std::string op = json["op"].as_string().value_or("");
    const std::lock_guard lock(mutex_);
    if (op == "ask") take(json, machine, message.reply);
    if (op == "over") end(json, machine);
    const uint64_t one = 1;
    static_cast<void>(::write(bell_.get(), &one, sizeof one));
    changed_.notify_all();
  }

  // The digest is made from what is shown here, not taken from the message.
  void take(const Json& json, const std::string& machine, const std::string& reply) {
    auto stored = read_ask(Json::object({{"ask", json["ask"]}}).dump());
    const auto left = json["left_ms"].as_integer().value_or(0);
    if (!stored || left <= 0) return;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    stored->ask.machine = machine;
    // The clocks of two computers differ.
    stored->ask.expires_at_ms = std::chrono::duration_cast<milliseconds>(now).count() + left;
    const std::string nonce = json["nonce"].as_string().value_or("");
    // An answer that was given while the machine asked anew.
    if (const auto given = replies_.find(nonce); given != replies_.end())
      static_cast<void>(courier_->publish(reply, given->second));
    const std::string key = key_of(machine, stored->ask.id);
    heard_[key] = {std::move(stored->ask), nonce, reply, steady_clock::now()};
  }

  void end(const Json& json, const std::string& machine) {
    heard_.erase(key_of(machine, json["id"].as_string().value_or("")));
    over_[json["nonce"].as_string().value_or("")] = {json["by"].as_string().value_or(""),
                                                     json["why"].as_string().value_or("")};
  }

  fleet::Creds creds_;
  UniqueFd bell_;
  steady_clock::time_point began_ = steady_clock::now();
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool is_present_ = false;                     ///< somebody is there to answer, so machines shall wait
  std::map<std::string, Heard> heard_;          ///< by machine and id
  std::map<std::string, std::string> replies_;  ///< answers that are being given, by nonce
  std::map<std::string, Over> over_;            ///< by nonce
  steady_clock::time_point noticed_;            ///< when somebody, also this, said to be there
  std::unique_ptr<Courier> courier_;            ///< its threads use the members above
  std::jthread beat_;
};

}  // namespace

int fleet_approve(Invocation& in) {
  const auto words = words_of(in, 0, 1, "nothing, or the id of a question");
  if (!words) return kBadUsage;
  const FleetHome home(in.env);
  auto courier = home.connect("approver");
  if (!courier) return report_failure(in, courier.error());
  const auto creds = home.creds("approver");
  if (!creds) return report_failure(in, creds.error());
  FleetAsks source(std::move(*courier), *creds);
  if (const auto heard = source.open(); !heard) return report_failure(in, heard.error());
  return approve_from(source, in, words->empty() ? "" : words->front());
}

}  // namespace grapnel::cli
