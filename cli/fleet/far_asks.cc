#include "cli/fleet/far_asks.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "approve/ask_place.h"
#include "approve/listener.h"
#include "approve/waiting_asks.h"
#include "discover/find/ask_setting.h"
#include "fleet/far_ask.h"
#include "fleet/keys.h"
#include "fleet/subjects.h"
#include "os/cancel.h"

namespace grapnel::cli {

namespace {

using std::chrono::milliseconds;

/// Approvers say every two seconds that they are there. Without that, nobody is, or the server is as good as gone.
constexpr milliseconds kPresence{7000};
constexpr milliseconds kAskPause{2000};
constexpr milliseconds kLook{1000};
constexpr milliseconds kFlushPatience{1000};

int64_t now_in_ms() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::optional<AskAnswer> answer_called(const std::string& word) {
  for (const AskAnswer answer : {AskAnswer::Deny, AskAnswer::Once, AskAnswer::Session}) {
    if (to_string(answer) == word) return answer;
  }
  return std::nullopt;
}

}  // namespace

class FarAsks::Inside {
 public:
  Inside(Courier& courier, Options options)
      : courier_(courier), options_(std::move(options)), presence_(std::make_shared<Presence>()) {
    // The courier may outlive this.
    static_cast<void>(courier_.subscribe(std::string(fleet::kApproverNotice), "",
                                         [presence = presence_](const CarriedMessage&) { presence->hear(); }));
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    is_ending_ = true;
    thread_.request_stop();
    wake_.cancel();
    thread_.join();
    handlers_.clear();  // waits for them
  }

 private:
  /// When somebody last said to be there. Thread: any.
  class Presence {
   public:
    void hear() {
      const std::lock_guard lock(mutex_);
      heard_ = std::chrono::steady_clock::now();
    }
    bool is_recent() const {
      const std::lock_guard lock(mutex_);
      return heard_ && std::chrono::steady_clock::now() - *heard_ < kPresence;
    }

   private:
    mutable std::mutex mutex_;
    std::optional<std::chrono::steady_clock::time_point> heard_;
  };
  struct Handler {
    std::atomic<bool> is_done = false;
    std::jthread thread;
  };

  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (is_wanted()) {
        listen();
      } else {
        listener_.reset();
      }
      std::array<pollfd, 2> ready{
          {{wake_.token().poll_fd(), POLLIN, 0}, {listener_ ? listener_->fd() : -1, POLLIN, 0}}};
      // Until something is asked, or it is time to look whether the server still answers.
      if (::poll(ready.data(), ready.size(), static_cast<int>(kLook.count())) > 0 && ready[1].revents != 0) take_new();
      forget_over();
    }
    listener_.reset();
  }

  bool is_wanted() const {
    const PlaceRoots roots{.root = "/", .project_dir = "", .env = &options_.env};
    return !options_.approver_key.empty() && read_ask_setting(roots).in_fleet && courier_.is_connected() &&
           presence_->is_recent();
  }

  void listen() {
    if (listener_) return;
    auto opened = AskListener::open(options_.env, Reach::Fleet);
    if (opened) listener_.emplace(std::move(*opened));
  }

  void take_new() {
    listener_->settle();
    for (StoredAsk& stored : stored_asks(options_.env)) {
      if (!stored.is_for_fleet || handlers_.contains(stored.ask.id)) continue;
      auto& handler = handlers_[stored.ask.id];
      handler = std::make_unique<Handler>();
      handler->thread = std::jthread([this, ask = std::move(stored.ask), &is_done = handler->is_done] {
        carry(ask);
        is_done = true;
      });
    }
  }

  bool still_waits(const std::string& id) const {
    return std::ranges::any_of(waiting_asks(options_.env), [&](const WaitingAsk& one) { return one.id == id; });
  }

  void forget_over() {
    if (handlers_.empty()) return;
    const auto asks = waiting_asks(options_.env);
    std::erase_if(handlers_, [&](const auto& one) {
      return one.second->is_done && std::ranges::find(asks, one.first, &WaitingAsk::id) == asks.end();
    });
  }

  std::string subject() const { return fleet::joined_subject("ask", options_.machine); }

  /// One question, from its offer to its end.
  void carry(const WaitingAsk& ask) {
    const fleet::FarQuestion about{options_.machine, fleet::random_hex(16), ask.digest};
    while (!is_ending_ && still_waits(ask.id)) {
      const Json question = Json::object({{"op", Json::string("ask")},
                                          {"ask", ask_to_json(ask)},
                                          {"nonce", Json::string(about.nonce)},
                                          {"left_ms", Json::number(ask.expires_at_ms - now_in_ms())}});
      const auto reply = courier_.request(subject(), question.dump(), kAskPause);
      if (reply && take(ask, about, reply->body)) return;
      // Somebody lied, or the connection is broken. Others may still answer.
      if (reply || !courier_.is_connected()) std::this_thread::sleep_for(milliseconds(200));
    }
    say_over(ask.id, about, "");
  }

  /// False if the answer does not count.
  bool take(const WaitingAsk& ask, const fleet::FarQuestion& about, const std::string& reply) {
    const auto opened = fleet::open_answer(reply, about, options_.approver_key, std::chrono::system_clock::now());
    const auto answer = opened ? answer_called(opened->answer.answer) : std::nullopt;
    if (!answer) {
      if (!opened) options_.say(opened.error().message);
      return false;
    }
    const auto given = answer_ask(options_.env, ask.id,
                                  {.answer = *answer,
                                   .pattern = opened->answer.pattern,
                                   .reason = opened->answer.reason,
                                   .by = "fleet (" + opened->by + ")",
                                   .digest = ask.digest});
    if (!given) options_.say("an answer of " + opened->by + " was not taken: " + given.error().message);
    say_over(ask.id, about, given ? opened->by : "", given ? "" : given.error().message);
    return given.has_value() || given.error().code == Errc::NotFound;
  }

  void say_over(const std::string& id, const fleet::FarQuestion& about, const std::string& by,
                const std::string& why = "") {
    const Json over = Json::object({{"op", Json::string("over")},
                                    {"id", Json::string(id)},
                                    {"nonce", Json::string(about.nonce)},
                                    {"by", by.empty() ? Json() : Json::string(by)},
                                    {"why", why.empty() ? Json() : Json::string(why)}});
    static_cast<void>(courier_.publish(subject(), over.dump()));
    static_cast<void>(courier_.flush(kFlushPatience));
  }

  Courier& courier_;
  Options options_;
  os::CancelSource wake_;
  std::shared_ptr<Presence> presence_;
  std::optional<AskListener> listener_;  ///< while somebody is there
  std::atomic<bool> is_ending_ = false;
  /// By the id of the question. Only the thread below uses it. A question that nobody took stays until it is over.
  std::map<std::string, std::unique_ptr<Handler>> handlers_;
  std::jthread thread_;  ///< the last member: it uses the others
};

FarAsks::FarAsks(Courier& courier, Options options) : inside_(std::make_unique<Inside>(courier, std::move(options))) {}
FarAsks::~FarAsks() = default;

}  // namespace grapnel::cli
