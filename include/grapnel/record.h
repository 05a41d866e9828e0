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

/// Records: what happened at each event, for later questions.
///
/// After every event the engine hands one `Record` to the `RecordSink` in `EngineOptions::recording`. `grapnel why`,
/// `grapnel log` and the like read the files that `make_file_record_sink` writes; a host can send records elsewhere
/// with a class of its own.
///
///   EngineOptions options{.project_dir = "."};
///   options.recording.sink = make_file_record_sink(state_directory);
///   const auto engine = Engine::create(std::move(options));
///
/// A record names the hooks by a digest. The sink keeps one snapshot of all hooks for each digest, so that a record can
/// still be explained after the hooks have changed.
namespace grapnel {

/// What the agent told about a tool call after it had run (at PostToolUse and PostToolUseFailure).
struct ToolOutcome {
  bool succeeded = false;
  std::optional<int> exit_code = {};  ///< of a shell command, where the agent tells it
  bool was_interrupted = false;
  std::string error = {};  ///< the first line
  std::optional<std::chrono::milliseconds> took = {};
};

/// A hook that a worker of a fleet runs, and not this machine.
struct WantedJob {
  std::string id;  ///< the same whenever the record is read
  std::string hook;
  /// The event as the hook sees it; missing if that is the record's own payload.
  Json payload = {};
};

/// One event and its outcome. Written as one line of versioned JSON; together with the snapshot of the same digest it
/// is enough to explain later what happened to every hook.
struct Record {
  /// Written into every record. Readers can tell older records by it.
  static constexpr int kVersion = 2;

  std::string id;
  std::string time;                ///< ISO-8601, UTC
  std::optional<EventKind> event;  ///< nothing if the input was so bad that the event is unknown
  std::string other_event;         ///< what the agent calls an event of the kind `Other`
  std::string dialect;             ///< of the agent; this is also its name
  std::string agent_version;       ///< "" if the agent does not tell it
  std::string session_id;
  std::string agent_id;    ///< of the subagent in which the event happened
  std::string agent_type;  ///< of that subagent
  std::string parent;      ///< the session or the agent that started the subagent, where the agent tells it
  std::string cwd;
  std::string permission_mode;
  std::string tool;
  std::string tool_use_id;
  std::string registry_digest;
  std::string project_dir;
  /// What the event is about: the command, the file, the URL, the first line of the prompt…
  std::string subject;
  /// The same after hooks have rewritten the event; "" if they did not.
  std::string rewritten_subject;
  std::optional<ToolOutcome> outcome;
  Json payload;  ///< as the host wrote it
  /// The parts of the payload that the hooks' patterns were compared with. They are enough to say later why a hook did
  /// not match, even if the payload itself is not kept.
  Json subjects;
  std::string payload_digest;  ///< SHA-256, for sinks that keep it
  uint64_t payload_bytes = 0;
  std::vector<HookFate> hooks;
  /// What the workers of a fleet are to run. A record with jobs is on the disk before the event goes on, and has the
  /// payload, masked, whatever else is kept.
  std::vector<WantedJob> jobs = {};
  Verdict verdict = Verdict::Pass;
  std::string reason;
  Origin origin = Origin::NoHook;
  std::string decided_by;
  /// The combined effects of all hooks other than the verdict, in canonical names; missing if there are none.
  Json effects;
  /// Effects that the agent has no words for, and what it received instead.
  std::vector<Degradation> degraded;
  /// What hooks that only observe would have done.
  std::optional<Would> would;
  /// What became of an Ask that was put to a person.
  std::optional<PersonAnswer> person;
  bool stop = false;
  /// Whether this record is about hooks that the event did not wait for. Its id is the id of that event.
  bool in_background = false;
  std::chrono::microseconds took{0};

  Json to_json() const;
};

/// Receives records. A sink must not throw or block for long, and it cannot change a decision. Thread: any; the engine
/// calls it from every thread that fires events.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// Called once for each event, after its decision.
  virtual void record(const Record& record) noexcept = 0;
  /// Called with a description of all hooks before the first record that names this digest.
  virtual void snapshot(const std::string& digest, const Json& registry) noexcept = 0;
  /// Whether the sink already has that snapshot. If so, the engine does not need to make it again.
  virtual bool has_snapshot(const std::string& digest) noexcept {
    static_cast<void>(digest);
    return false;
  }
  /// Why the last record could not be written, or "".
  virtual std::string last_failure() const noexcept { return ""; }
};

/// How much of the payloads is kept. Secrets are always masked before anything is written. The members of `Record` that
/// name what happened (the subject, the directories, the outcome) are kept in any case.
enum class KeepPayloads : uint8_t {
  Off,     ///< nothing else
  Digest,  ///< a SHA-256, the size, and the parts that patterns were compared with
  Full,    ///< also the payload itself, up to 256 KiB
};
/// `off`, `digest`, `full`; nothing for other words.
std::optional<KeepPayloads> keep_payloads_from(std::string_view name);

/// Options of `make_file_record_sink`.
struct RecordFileOptions {
  /// Regular expressions; a word in which one of them matches is masked, in addition to the built-in rules.
  std::vector<std::string> secrets = {};
  KeepPayloads payloads = KeepPayloads::Digest;
  /// Where lost records are noted if `directory` cannot be written.
  std::string fallback_dir = {};
};

/// A sink that appends lines to `<directory>/records.jsonl` and keeps snapshots in `<directory>/registries/`. Tokens,
/// passwords and private keys are masked as far as they can be recognised, and so is everything that the options name.
///
/// If a record cannot be written, this is noted in `records.lost`, in the directory or in the fallback. If that fails
/// as well, lost records are counted, and the next record that can be written says how many are missing
/// (`lost_before`).
std::unique_ptr<RecordSink> make_file_record_sink(std::string directory, RecordFileOptions options = {});

}  // namespace grapnel
