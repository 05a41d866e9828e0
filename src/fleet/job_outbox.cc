#include "fleet/job_outbox.h"

#include <algorithm>

namespace grapnel::fleet {

Result<void> JobOutbox::read() {
  while (waiting_.size() < kMaxWaitingJobs) {
    const auto batch = outbox_.next(next_);
    if (!batch) return std::unexpected(batch.error());
    is_drained_ = batch->lines.empty();
    if (is_drained_) break;
    for (const std::string& line : batch->lines) take(line, next_);
    next_ = batch->upto;
  }
  mark_ = waiting_.empty() ? next_ : waiting_.front().begin;
  return {};
}

void JobOutbox::take(const std::string& line, const Position& begin) {
  // Nearly all records have none, and reading JSON costs.
  if (!line.contains("\"jobs\":[")) return;
  const Json record = Json::parse(line).value_or(Json());
  for (size_t i = 0; i < record["jobs"].size(); ++i) {
    auto job = job_in(record, i);
    const auto is_same = [&](const Waiting& known) { return known.job.id == job->id; };
    // The journal may be read again from its beginning.
    if (job && std::ranges::none_of(waiting_, is_same)) waiting_.push_back({.job = std::move(*job), .begin = begin});
  }
}

void JobOutbox::close(const std::string& id) {
  std::erase_if(waiting_, [&](const Waiting& one) { return one.job.id == id; });
  mark_ = waiting_.empty() ? next_ : waiting_.front().begin;
}

bool JobOutbox::has_sent() const {
  return is_drained_ && std::ranges::all_of(waiting_, &Waiting::is_stored);
}

}  // namespace grapnel::fleet
