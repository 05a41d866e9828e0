#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/error.h"
#include "grapnel/event.h"

namespace grapnel {

/// What happened at one event: one line of JSON, versioned, enough to explain every hook's fate later together with the
/// registry snapshot of the same digest.
struct Record {
  static constexpr int kVersion = 1;

  std::string id;
  std::string time;                ///< ISO-8601, UTC
  std::optional<EventKind> event;  ///< nothing when the input was too bad to tell
  std::string dialect;
  std::string session_id;
  std::string tool;
  std::string tool_use_id;
  std::string registry_digest;
  std::vector<HookFate> hooks;
  Verdict verdict = Verdict::Pass;
  std::string reason;
  Origin origin = Origin::NoHook;
  std::string decided_by;
  bool stop = false;
  bool in_background =
      false;  ///< the endings of hooks the event did not wait for; the same id as the event's own record
  std::chrono::microseconds took{0};

  Json to_json() const;
};

/// Where records go. Thread: any. Never blocks for long, never throws, never changes a decision.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void record(const Record& record) noexcept = 0;
  /// Called once for each registry before the first record that names its digest.
  virtual void snapshot(const std::string& digest, const Json& registry) noexcept = 0;
};

/// Appends lines to `<directory>/records.jsonl` and keeps snapshots in `<directory>/registries/`. A record that cannot
/// be written is counted; the next one that can says how many are missing (`lost_before`). Secrets are masked: tokens,
/// passwords and private keys as far as they can be told, and words in which one of `secrets`, regular expressions, is
/// found.
std::unique_ptr<RecordSink> make_file_record_sink(std::string directory, const std::vector<std::string>& secrets = {});

}  // namespace grapnel
