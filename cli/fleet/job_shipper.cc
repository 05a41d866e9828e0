#include "cli/fleet/job_shipper.h"

#include <algorithm>

#include "fleet/subjects.h"

namespace grapnel::cli {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::minutes kLongestPause{10};

}  // namespace

Result<fleet::JobState> fetch_job_state(Courier& courier, const std::string& machine, const std::string& id,
                                        std::chrono::milliseconds patience) {
  const auto answer =
      courier.request(fleet::direct_get(fleet::kDoneStream, fleet::job_subject("done", machine, id)), "", patience);
  if (!answer) return std::unexpected(answer.error());
  return answer->is_missing() ? fleet::JobState{} : fleet::JobState::parse(answer->body);
}

Result<void> store_job_state(Courier& courier, const std::string& machine, const std::string& id,
                             const fleet::JobState& state, std::chrono::milliseconds patience) {
  return store_message(courier, fleet::job_subject("done", machine, id), state.to_text(), patience);
}

Result<void> store_job(Courier& courier, const std::string& machine, const fleet::Job& job,
                       std::chrono::milliseconds patience) {
  const auto stored = store_message(courier, fleet::job_subject("job", machine, job.id), job.to_text(), patience);
  const bool is_there = !stored && stored.error().message.contains("per subject");
  return is_there ? Result<void>() : stored;
}

JobShipper::JobShipper(Options options)
    : options_(std::move(options)), outbox_(options_.records, options_.mark), told_(options_.mark) {}

void JobShipper::look_soon() {
  for (fleet::JobOutbox::Waiting& one : outbox_.waiting()) one.next = {};
}

Result<void> JobShipper::step(Courier& courier, const Policy& policy) {
  if (auto done = outbox_.read(); !done) return done;
  Result<void> result;
  std::vector<std::string> over;
  for (fleet::JobOutbox::Waiting& one : outbox_.waiting()) {
    if (one.next > steady_clock::now()) continue;
    const auto state = fetch_job_state(courier, options_.machine, one.job.id, options_.patience);
    if (!state) {
      result = std::unexpected(state.error());
      break;
    }
    if (state->is_over()) {
      over.push_back(one.job.id);
    } else if (result = send(courier, policy, one); !result) {
      break;
    }
  }
  for (const std::string& id : over) outbox_.close(id);
  waiting_ = outbox_.waiting().size();
  if (outbox_.mark() != told_) {
    told_ = outbox_.mark();
    if (options_.on_mark) options_.on_mark(told_);
  }
  return result;
}

Result<void> JobShipper::send(Courier& courier, const Policy& policy, fleet::JobOutbox::Waiting& one) {
  fleet::Job job = one.job;
  job.channel = policy.channel;
  job.bundle = policy.bundle;
  job.version = policy.version;
  if (auto stored = store_job(courier, options_.machine, job, options_.patience); !stored) return stored;
  one.is_stored = true;
  one.pause =
      one.pause.count() == 0 ? options_.first_look : std::min<std::chrono::milliseconds>(one.pause * 2, kLongestPause);
  one.next = steady_clock::now() + one.pause;
  return {};
}

}  // namespace grapnel::cli
