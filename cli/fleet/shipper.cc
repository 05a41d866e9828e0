#include "cli/fleet/shipper.h"

#include <algorithm>

#include "fleet/signed_mark.h"
#include "fleet/subjects.h"

namespace grapnel::cli {

namespace {

using std::chrono::steady_clock;

/// So many batches may be on their way. The rest waits in the journal, where it is safe.
constexpr size_t kWindow = 48;
constexpr std::chrono::milliseconds kLookPause{100};
constexpr std::chrono::minutes kLongestResend{2};

}  // namespace

Shipper::Shipper(Options options) : options_(std::move(options)), outbox_(options_.records), resend_(options_.resend) {}

Result<fleet::Position> fetch_mark(Courier& courier, const std::string& machine, const std::string& collector_key,
                                   std::chrono::milliseconds patience) {
  const auto answer =
      courier.request(fleet::direct_get(fleet::kMarkBucket, fleet::mark_subject(machine)), "", patience);
  if (!answer) return std::unexpected(answer.error());
  if (answer->is_missing()) return fleet::Position{};
  if (collector_key.empty()) return fleet::Position::from_json(Json::parse(answer->body).value_or(Json()));
  return fleet::open_mark(answer->body, machine, collector_key, std::chrono::system_clock::now());
}

Result<void> Shipper::step(Courier& courier) {
  const bool is_due = steady_clock::now() - looked_ >= kLookPause;
  if (!is_started_ || (!sent_.empty() && is_due)) {
    if (auto done = read_mark(courier); !done) return done;
  }
  return send(courier);
}

Result<void> Shipper::read_mark(Courier& courier) {
  const auto mark = fetch_mark(courier, options_.machine, options_.collector_key, options_.patience);
  const bool is_doubtful = !mark && mark.error().code == Errc::Refused;
  if (!mark && !is_doubtful) return std::unexpected(mark.error());
  looked_ = steady_clock::now();
  if (is_doubtful && options_.on_doubt) options_.on_doubt(mark.error().message);
  take_mark(is_doubtful ? (is_started_ ? mark_ : options_.known) : *mark);
  return {};
}

void Shipper::take_mark(const fleet::Position& mark) {
  const auto arrived = std::ranges::find(sent_, mark);
  if (!is_started_) {
    is_started_ = true;
    mark_ = mark;
    start_again();
  } else if (arrived != sent_.end()) {
    sent_.erase(sent_.begin(), arrived + 1);
    moved_ = steady_clock::now();
    resend_ = options_.resend;
    mark_ = mark;
  } else if (mark != mark_) {
    // Somewhere else than expected: the store was restored from a backup, or knows more than this machine.
    mark_ = mark;
    start_again();
  } else if (!sent_.empty() && steady_clock::now() - moved_ > resend_) {
    resend_ = std::min<std::chrono::milliseconds>(resend_ * 2, kLongestResend);
    start_again();
    return;
  } else {
    return;
  }
  options_.known = mark_;
  if (options_.on_mark) options_.on_mark(mark_);
}

void Shipper::start_again() {
  next_ = mark_;
  sent_.clear();
  outbox_.forget_registries();
  moved_ = steady_clock::now();
  is_drained_ = false;
}

Result<void> Shipper::send(Courier& courier) {
  while (sent_.size() < kWindow) {
    const auto batch = outbox_.next(next_);
    if (!batch) return std::unexpected(batch.error());
    is_drained_ = batch->lines.empty();
    if (is_drained_) return {};
    const auto stored =
        store_message(courier, fleet::joined_subject("rec", options_.machine), batch->to_text(), options_.patience);
    if (!stored) {
      // It may have been stored or not; the mark will tell. Its configurations were noted as sent.
      outbox_.forget_registries();
      return stored;
    }
    if (sent_.empty()) moved_ = steady_clock::now();
    next_ = batch->upto;
    sent_.push_back(next_);
  }
  return {};
}

}  // namespace grapnel::cli
