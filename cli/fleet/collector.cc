#include <mutex>
#include <set>

#include "base/error.h"
#include "cli/fleet/enrolment.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/queries.h"
#include "cli/fleet/stop_signal.h"
#include "fleet/signed_mark.h"
#include "fleet/subjects.h"

namespace grapnel::cli {

namespace {

using std::chrono::steady_clock;

constexpr size_t kPullSize = 256;  ///< so that many small batches share one write to the disk
constexpr int64_t kPullBytes = int64_t{16} << 20;
/// Not more in a transaction, so that machines send on while the collector writes.
constexpr size_t kTransactionBytes = size_t{4} << 20;
constexpr std::chrono::milliseconds kPullTime{2000};
constexpr std::chrono::milliseconds kGather{10};  ///< how long a transaction waits for more
constexpr std::chrono::seconds kStoreRetry{1};
constexpr std::chrono::seconds kPidPatience{2};

/// A message that was pulled from REC_1 and is not acknowledged yet.
struct Pulled {
  fleet::Arrival arrival;
  std::string reply;
};

/// `rec.MACHINE` → `MACHINE`. The server checked that it is the sender's own.
std::string machine_in(const std::string& subject) {
  return subject.substr(subject.find('.') + 1);
}

/// Moves batches from the stream into the store. A message is acknowledged after the commit, so it comes again if this
/// program is killed in between, and then has its rows already.
class Gathering {
 public:
  Gathering(Console& console, Courier& courier, std::string database, fleet::MarkSigner signer)
      : console_(console), courier_(courier), database_(std::move(database)), signer_(std::move(signer)) {}

  Result<void> open() {
    auto mailbox = courier_.open_mailbox();
    if (!mailbox) return std::unexpected(mailbox.error());
    mailbox_.emplace(std::move(*mailbox));
    return open_store();
  }

  /// Waits a moment for messages and stores what came. True if something was stored.
  bool turn() {
    pull_if_needed();
    gather();
    if (pulled_.empty()) return false;
    if (!store_ && !open_store()) return false;
    return commit();
  }

  bool has_pulled() const { return !pulled_.empty(); }

 private:
  Result<void> open_store() {
    auto store = fleet::CentralStore::open(database_);
    if (!store) return std::unexpected(store.error());
    store_.emplace(std::move(*store));
    return {};
  }

  void pull_if_needed() {
    const auto now = steady_clock::now();
    // What was not pulled for so long will not come: the request was lost with a connection.
    if (!is_drained_ || (expected_ > 0 && now < pull_end_)) return;
    const int64_t nanoseconds = std::chrono::nanoseconds(kPullTime).count();
    const Json wish = Json::object({{"batch", Json::number(static_cast<int64_t>(kPullSize))},
                                    {"max_bytes", Json::number(kPullBytes)},
                                    {"expires", Json::number(nanoseconds)}});
    const std::string subject =
        "$JS.API.CONSUMER.MSG.NEXT." + std::string(fleet::kRecordStream) + "." + std::string(fleet::kCollector);
    if (!courier_.publish(subject, wish.dump(), mailbox_->subject())) return;
    expected_ = kPullSize;
    pull_end_ = now + kPullTime + std::chrono::milliseconds(500);
  }

  void gather() {
    auto patience = std::chrono::milliseconds(200);
    is_drained_ = true;
    while (pulled_.size() < kPullSize && pulled_bytes_ < kTransactionBytes) {
      auto message = mailbox_->next(patience);
      if (!message) return;
      if (!message->status.empty()) {
        // The end of a pull: nothing more came in time, or the server says why it ended it.
        if (message->status != "100") expected_ = 0;
        return;
      }
      expected_ -= expected_ > 0 ? 1 : 0;
      take(std::move(*message));
      patience = kGather;
    }
    is_drained_ = false;
  }

  void take(CarriedMessage message) {
    auto batch = fleet::Batch::parse(message.body);
    if (!batch) {
      // It would come again for ever.
      console_.say(now_text() + " dropped a message of " + printable(machine_in(message.subject)) +
                   " that is no batch");
      static_cast<void>(courier_.publish(message.reply, "+TERM"));
      return;
    }
    pulled_bytes_ += message.body.size();
    pulled_.push_back({{machine_in(message.subject), std::move(*batch)}, std::move(message.reply)});
  }

  bool commit() {
    std::vector<fleet::Arrival> arrivals;
    for (const Pulled& one : pulled_) arrivals.push_back(one.arrival);
    const auto marks = store_->take(arrivals);
    if (!marks) {
      console_.say(now_text() + " " + printable(marks.error().message));
      store_.reset();  // the connection may be broken
      return false;
    }
    for (const auto& [machine, mark] : *marks) {
      static_cast<void>(courier_.publish(fleet::mark_subject(machine), signer_.sign(machine, mark)));
    }
    for (const Pulled& one : pulled_) static_cast<void>(courier_.publish(one.reply, "+ACK"));
    static_cast<void>(courier_.flush(std::chrono::seconds(2)));
    pulled_.clear();
    pulled_bytes_ = 0;
    return true;
  }

  Console& console_;
  Courier& courier_;
  std::string database_;
  fleet::MarkSigner signer_;
  std::optional<Mailbox> mailbox_;
  std::optional<fleet::CentralStore> store_;
  std::vector<Pulled> pulled_;
  size_t pulled_bytes_ = 0;
  size_t expected_ = 0;
  bool is_drained_ = true;  ///< nothing waits in the mailbox
  steady_clock::time_point pull_end_;
};

/// Whether an answer may go there: to an inbox, or to what stands for one in another account. Whoever asks chooses the
/// subject, and we have rights that they lack: a reader could else let us overwrite the mark of a machine.
bool is_inbox(const std::string& reply) {
  return reply.starts_with("_INBOX.") || reply.starts_with("_R_.") || reply.starts_with("_GR_.");
}

/// Answers machines and people, with a connection to the database of its own. Several collectors share the work.
class Desk {
 public:
  Desk(std::string database, std::optional<Enrolment> enrolment)
      : database_(std::move(database)), enrolment_(std::move(enrolment)) {}

  Result<void> open(Courier& courier) {
    courier_ = &courier;
    auto done = courier.subscribe("hb.*", "collector", [this](const CarriedMessage& message) { note(message); });
    if (done)
      done = answer("query", [](fleet::CentralStore& store, const CarriedMessage& message) {
        return answer_query(store, message.body);
      });
    if (!enrolment_) return done;
    if (done)
      done = answer("join", [this](fleet::CentralStore& store, const CarriedMessage& message) {
        return enrolment_->join(store, message.body);
      });
    if (done)
      done = answer("renew.*", [this](fleet::CentralStore& store, const CarriedMessage& message) {
        return enrolment_->renew(store, machine_in(message.subject));
      });
    return done;
  }

 private:
  using Answer = std::function<std::string(fleet::CentralStore&, const CarriedMessage&)>;

  Result<void> answer(const std::string& subject, Answer answer) {
    return courier_->subscribe(subject, "collector", [this, answer = std::move(answer)](const CarriedMessage& message) {
      if (!is_inbox(message.reply)) return;
      const std::lock_guard lock(mutex_);
      write_said();
      fleet::CentralStore* store = ready_store();
      const std::string text =
          store == nullptr ? R"({"error":"the central store cannot be opened"})" : answer(*store, message);
      static_cast<void>(courier_->publish(message.reply, text));
    });
  }

  void note(const CarriedMessage& message) {
    auto state = Json::parse(message.body);
    if (!state || message.body.size() > kMaxState) return;
    const std::lock_guard lock(mutex_);
    said_[machine_in(message.subject)] = {std::move(*state), now_text()};
    if (steady_clock::now() - written_ >= kWritePause) write_said();
  }

  /// Not every heartbeat by itself, which would be a commit for each.
  void write_said() {
    fleet::CentralStore* store = ready_store();
    if (store == nullptr || !store->note_machines(said_)) return;
    said_.clear();
    written_ = steady_clock::now();
  }

  /// Opened again after a failure. Null if that is not possible.
  fleet::CentralStore* ready_store() {
    if (!store_ || !store_->is_alive()) {
      store_.reset();
      auto store = fleet::CentralStore::open(database_);
      if (store) store_.emplace(std::move(*store));
    }
    return store_ ? &*store_ : nullptr;
  }

  static constexpr std::chrono::seconds kWritePause{1};
  static constexpr size_t kMaxState = size_t{16} << 10;

  std::string database_;
  std::optional<Enrolment> enrolment_;
  Courier* courier_ = nullptr;
  std::mutex mutex_;
  std::optional<fleet::CentralStore> store_;
  std::map<std::string, fleet::CentralStore::Said> said_;  ///< not written yet
  steady_clock::time_point written_;
};

Result<std::unique_ptr<Courier>> connect_patiently(const FleetHome& home, StopSignal& stop) {
  for (;;) {
    auto courier = home.connect("collector");
    if (courier || courier.error().code == Errc::NotFound || courier.error().code == Errc::BadInput) return courier;
    if (stop.wait(kStoreRetry)) return courier;
  }
}

/// Until it is told to stop, or, with `is_once`, until nothing waits any more.
Result<void> collect(Invocation& in, const FleetHome& home, const FleetHome::State& state, StopSignal& stop,
                     bool is_once) {
  const std::string database = in.args.has("--database") ? in.args.text("--database") : state.database;
  // Without the key, this collector stores records, and another one lets machines join.
  std::optional<Enrolment> enrolment;
  if (const auto key = home.key("role-machine")) enrolment.emplace(*key, state.keys.agents);
  const auto creds = home.creds("collector");
  auto signer = creds ? fleet::MarkSigner::from(*creds) : std::unexpected(creds.error());
  if (!signer) return std::unexpected(signer.error());
  Desk desk(database, std::move(enrolment));
  const auto courier = connect_patiently(home, stop);
  if (!courier) return std::unexpected(courier.error());
  if (auto done = desk.open(**courier); !done) return done;
  Gathering gathering(in.console, **courier, database, std::move(*signer));
  if (auto done = gathering.open(); !done) return done;
  while (!stop.wait(std::chrono::milliseconds(0)) && (*courier)->is_open()) {
    const bool has_stored = gathering.turn();
    if (is_once && !has_stored) return {};
    // The store is away; what was pulled waits here and in the stream.
    if (!has_stored && gathering.has_pulled()) stop.wait(kStoreRetry);
    in.console.flush();
  }
  return {};
}

}  // namespace

int fleet_collector(Invocation& in) {
  const FleetHome home(in.env);
  const auto state = home.load();
  if (!state) return report_failure(in, state.error());
  StopSignal stop;
  const auto pid = PidFile::take(home.path("collector.pid"), kPidPatience);
  if (!pid) return report_failure(in, pid.error());
  std::string said;
  do {
    const auto done = collect(in, home, *state, stop, in.args.has("--once"));
    if (!done && done.error().code != Errc::Unavailable) return report_failure(in, done.error());
    // Again and again, but it is said once.
    if (!done && done.error().message != said) {
      said = done.error().message;
      in.console.say(now_text() + " " + printable(said));
      in.console.flush();
    }
  } while (!in.args.has("--once") && !stop.wait(kStoreRetry));
  return kOk;
}

}  // namespace grapnel::cli
