#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::string project_dir;
  Json payload;  ///< as the host wrote it
  /// Of the payload what hooks' patterns are compared with, and nothing else: enough to say later why one did not
  /// match.
  Json subjects;
  std::string payload_digest;  ///< SHA-256, where sinks keep that
  uint64_t payload_bytes = 0;
  std::vector<HookFate> hooks;
  Verdict verdict = Verdict::Pass;
  std::string reason;
  Origin origin = Origin::NoHook;
  std::string decided_by;
  Json effects;                       ///< what all answers came to besides the verdict, in canonical words, or missing
  std::vector<Degradation> degraded;  ///< what the agent could not be told as it was meant
  bool stop = false;
  bool in_background = false;  ///< the endings of hooks the event did not wait for; the id is that of the event
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
  /// Whether that snapshot is kept already and need not be made again.
  virtual bool has_snapshot(const std::string& digest) noexcept {
    static_cast<void>(digest);
    return false;
  }
  /// Why the last record is lost; "" when it is not.
  virtual std::string last_failure() const noexcept { return ""; }
};

/// How much of events' payloads is kept. In all cases secrets are masked before anything is written.
enum class KeepPayloads : uint8_t {
  Off,     ///< nothing but the tool's name
  Digest,  ///< a SHA-256, the size, and what patterns were compared with
  Full,    ///< the payload too, up to 256 KiB
};
std::optional<KeepPayloads> keep_payloads_from(std::string_view name);

struct RecordFileOptions {
  std::vector<std::string> secrets = {};  ///< regular expressions: words in which one is found are masked, too
  KeepPayloads payloads = KeepPayloads::Digest;
  std::string fallback_dir = {};  ///< where a lost record is noted when `directory` cannot be written
};

/// Appends lines to `<directory>/records.jsonl` and keeps snapshots in `<directory>/registries/`. Secrets are masked:
/// tokens, passwords and private keys as far as they can be told, and what the options say.
///
/// A record that cannot be written is noted in `records.lost`, in the directory or in the fallback; where neither can
/// be written it is counted, and the next record that can be says how many are missing (`lost_before`).
std::unique_ptr<RecordSink> make_file_record_sink(std::string directory, RecordFileOptions options = {});

}  // namespace grapnel
