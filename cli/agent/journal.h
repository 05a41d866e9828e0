#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "grapnel/record.h"

#include "base/unique_fd.h"
#include "grapnel_agent/agent.h"
#include "mask/mask.h"

/// `--journal FILE`: everything that happens, as lines of JSON.
///
///   {"time": …, "type": "record", "record": {…}}     the engine's record of an event, as in records.jsonl
///   {"time": …, "type": "registry", "digest": …, "registry": {…}}
///   {"time": …, "type": "question", …}               what a person was asked, and the answer
///   {"time": …, "type": "hook_finished", …}          and every other event of event_json.h, in full
namespace grapnel::cli {

/// The journal file, which is also a sink for the engine's records. Thread: any.
class Journal : public RecordSink {
 public:
  /// Appends to the file with secrets masked, and passes records on to `next`. Fails: Refused, System.
  static Result<std::shared_ptr<Journal>> open(const std::string& path, Mask mask, std::shared_ptr<RecordSink> next);

  /// Writes one line and puts the time before it.
  void write(const Json& line) noexcept;
  void record(const Record& record) noexcept override;
  void snapshot(const std::string& digest, const Json& registry) noexcept override;
  std::string last_failure() const noexcept override { return next_ == nullptr ? "" : next_->last_failure(); }

  /// Whether every line could be written.
  bool is_complete() const;

 private:
  Journal(UniqueFd file, Mask mask, std::shared_ptr<RecordSink> next)
      : file_(std::move(file)), mask_(std::move(mask)), next_(std::move(next)) {}

  UniqueFd file_;
  Mask mask_;
  std::shared_ptr<RecordSink> next_;
  mutable std::mutex mutex_;
  bool failed_ = false;
};

/// A UI that also writes everything that `ui` shows and asks to the journal.
std::shared_ptr<agent::AgentUi> with_journal(std::shared_ptr<agent::AgentUi> ui, std::shared_ptr<Journal> journal);

}  // namespace grapnel::cli
