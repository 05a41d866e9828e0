#pragma once

#include <chrono>
#include <deque>
#include <functional>

#include "cli/fleet/courier.h"
#include "fleet/outbox.h"

namespace grapnel::cli {

/// Sends what a journal has to the central store, and watches how far it has arrived there.
///
/// A stream's acknowledgement only means that the next batch may be sent. A record counts as arrived when the mark has
/// passed it, which the collector moves after its commit. If the mark stands still although something was sent, or is
/// somewhere unexpected, sending begins again at the mark; what arrives twice has one row. So there is nothing that a
/// crash could lose: without any file of its own, a shipper goes on where the mark is. A mark that no collector has
/// signed is not believed: sending goes on where it was, until a collector writes a new one. Thread: one.
class Shipper {
 public:
  struct Options {
    std::string machine;
    std::string records;        ///< the directory of the journal
    std::string collector_key;  ///< of the role that may write marks; "": a fleet from before marks were signed
    fleet::Position known;      ///< a mark that this machine has believed before
    std::function<void(const fleet::Position&)> on_mark;
    std::function<void(const std::string&)> on_doubt;  ///< why a mark is not believed
    std::chrono::milliseconds resend{10'000};          ///< how long the mark may stand still; doubles each time
    std::chrono::milliseconds patience{2000};          ///< for an answer of the server
  };
  explicit Shipper(Options options);

  /// Sends what is new and looks where the mark is. Does nothing but that, so call it again and again. Fails:
  /// Unavailable, Refused; then nothing is lost either.
  Result<void> step(Courier& courier);

  /// The mark is to be read again before anything else: the connection was broken.
  void forget_mark() { is_started_ = false; }

  const fleet::Position& mark() const { return mark_; }
  /// Whether the central store has everything that the journal had at the last step.
  bool has_arrived() const { return is_started_ && sent_.empty() && is_drained_; }
  /// Bytes of records that the central store does not have.
  int64_t waiting_bytes() const { return outbox_.waiting_bytes(mark_); }

 private:
  using Time = std::chrono::steady_clock::time_point;

  Result<void> read_mark(Courier& courier);
  void take_mark(const fleet::Position& mark);
  void start_again();
  Result<void> send(Courier& courier);

  Options options_;
  fleet::Outbox outbox_;
  fleet::Position mark_;
  fleet::Position next_;              ///< where the next batch begins
  std::deque<fleet::Position> sent_;  ///< the ends of the batches that have not arrived
  std::chrono::milliseconds resend_;
  Time moved_;   ///< when the mark moved, or sending began
  Time looked_;  ///< when the mark was read
  bool is_started_ = false;
  bool is_drained_ = false;
};

/// The mark of a machine, as the server has it. Fails: Unavailable; Refused when it is not believed.
Result<fleet::Position> fetch_mark(Courier& courier, const std::string& machine, const std::string& collector_key,
                                   std::chrono::milliseconds patience);

}  // namespace grapnel::cli
