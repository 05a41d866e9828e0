#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/error.h"

namespace grapnel {

/// What has to be known from one event of a session to the next.
struct SessionState {
  /// A tool call that was decided already.
  struct Remembered {
    std::string key;
    Decision decision;
  };

  /// A call that a bridged agent may tell once more, spelled otherwise.
  struct Shared {
    std::string call;          ///< what it is about, in every spelling
    std::string changed_call;  ///< the same after hooks changed it; "" when they did not
    std::string use_id;
    std::vector<std::string> routes;  ///< who told it
    int64_t time_ms = 0;              ///< since the epoch
    int64_t decider = 0;              ///< the process that still decides; 0 when `decision` is there
    Decision decision;
  };

  std::map<std::string, uint32_t> blocks;  ///< how often each gate was closed in this turn, by canonical event name
  std::map<std::string, uint32_t> hook_blocks;  ///< how often each hook with a limit of its own did so
  std::set<std::string> disabled;               ///< hooks switched off for this session
  std::set<std::string> done;                   ///< hooks that run once and did; texts that are injected once and were
  std::set<std::string> touched;                ///< files written in this turn; Limit: kMaxTouched
  std::map<std::string, std::string> passed;  ///< hooks that wait for a change: a digest of the files they passed with
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<Remembered> remembered;  ///< newest last; Limit: kMaxRemembered
  std::vector<Shared> shared;          ///< newest last; Limit: kMaxShared

  static constexpr size_t kMaxRemembered = 64;
  static constexpr size_t kMaxShared = 16;
  static constexpr size_t kMaxTouched = 4096;
};

/// Keeps session states. Thread: any.
class SessionStore {
 public:
  virtual ~SessionStore() = default;

  /// The state, or a fresh one. Fails: BadInput when it cannot be read, System.
  virtual Result<SessionState> load(const std::string& session_id) = 0;
  /// Changes the state under a lock. Fails as `load` does; then nothing is changed.
  virtual Result<void> update(const std::string& session_id, const std::function<void(SessionState&)>& change) = 0;
};

/// In memory, for hosts that live as long as their sessions. Limit: the oldest sessions go beyond 1,024.
std::unique_ptr<SessionStore> make_memory_session_store();

/// One small locked file per session, for a process per event.
std::unique_ptr<SessionStore> make_file_session_store(std::string directory);

}  // namespace grapnel
