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

/// Session state: what the engine must remember from one event of a session to the next.
///
/// The engine loads the state of the session that an event names, and updates it afterwards. Hosts choose where it is
/// kept and never need to read it:
///
/// - `make_memory_session_store` for a host that lives as long as its sessions; this is the default. -
/// `make_file_session_store` for a program that is started anew for each event, such as `grapnel fire`.
///
///   Engine::create({.project_dir = ".", .sessions = make_file_session_store(state_directory + "/sessions")});
///
/// Events without a session id have no state.
namespace grapnel {

/// The state of one session.
struct SessionState {
  /// A tool call that has been decided. If the host reports the same call again, the engine reuses the decision.
  struct Remembered {
    std::string key;
    Decision decision;
  };

  /// A call that an agent may report a second time in another spelling, because several of its hook settings lead to
  /// Grapnel. It is decided once, by the process that sees it first.
  struct Shared {
    std::string call;          ///< identifies the call, whatever the spelling
    std::string changed_call;  ///< the same after hooks changed the call, or ""
    std::string use_id;
    std::vector<std::string> routes;  ///< the spellings in which it has been reported
    int64_t time_ms = 0;              ///< milliseconds since the epoch
    /// The id of the process that is still deciding; 0 once `decision` is set.
    int64_t decider = 0;
    Decision decision;
  };

  /// The files that a hook with `debounce` has collected and not yet run for.
  struct Deferred {
    std::set<std::string> files;
    int64_t due_ms = 0;    ///< milliseconds since the epoch at which it is to run; 0: at the end of the turn
    int64_t lease_ms = 0;  ///< until then, somebody waits for that moment
  };

  /// Calls that a person allowed for the rest of the session (grapnel/person.h).
  struct Approved {
    std::string session;           ///< its id, to be shown
    std::string call;              ///< identifies the call: its tool, input and directory; "" if there is a pattern
    std::string pattern;           ///< commands, such as `npm publish *`; "" for exactly the call
    std::string subject;           ///< of the call that was approved, masked, to be shown
    std::set<std::string> askers;  ///< the hooks that asked; it answers no others
    int64_t time_ms = 0;           ///< milliseconds since the epoch
  };

  /// How often each gate was denied in this turn, by canonical event name.
  std::map<std::string, uint32_t> blocks;
  /// How often each hook that has its own limit (`max_blocks`) denied a gate in this turn.
  std::map<std::string, uint32_t> hook_blocks;
  /// Why a gate was last denied in this turn. Some agents send this text to themselves as the next prompt.
  std::string refusal;
  /// Whether the agent has sent itself a prompt after that refusal.
  bool goes_on = false;
  /// Hooks that are switched off for this session.
  std::set<std::string> disabled;
  /// Hooks that run only once and have run, and texts that are injected only once and have been.
  std::set<std::string> done;
  /// When its first event came, in milliseconds since the epoch; 0 if that is not known. A program that was changed
  /// later is not the usual one any more.
  int64_t started_ms = 0;
  /// Files that were written in this turn. Limit: kMaxTouched.
  std::set<std::string> touched;
  /// For each hook that waits until files change (`unless_unchanged`): a digest of the files with which it last passed.
  std::map<std::string, std::string> passed;
  /// The directories whose hook files apply in this session, the root of the project first, as the session's first
  /// event found them (grapnel/project.h). Later events may add directories for themselves, but these always apply.
  std::vector<std::string> project;
  /// By hook. Limit: kMaxTouched files for each.
  std::map<std::string, Deferred> deferred;
  /// Environment variables that hooks set for the rest of the session.
  std::vector<std::pair<std::string, std::string>> env;
  /// What people have been told about guards that are off, by cause. Each cause is told once in a session.
  std::set<std::string> told;
  /// Of these, the texts that the agent could not show so far. They wait for an event at which it can. Limit:
  /// kMaxUnseen.
  std::vector<std::string> unseen;
  /// The newest last. Limit: kMaxApproved.
  std::vector<Approved> approved;
  /// The newest last. Limit: kMaxRemembered.
  std::vector<Remembered> remembered;
  /// The newest last. Limit: kMaxShared.
  std::vector<Shared> shared;

  static constexpr size_t kMaxApproved = 256;
  static constexpr size_t kMaxRemembered = 64;
  static constexpr size_t kMaxShared = 16;
  static constexpr size_t kMaxTouched = 4096;
  static constexpr size_t kMaxUnseen = 16;
};

/// Keeps the states of sessions. Thread: any.
class SessionStore {
 public:
  virtual ~SessionStore() = default;

  /// The state of that session, or an empty one if there is none yet. Fails: BadInput if it cannot be understood;
  /// System.
  virtual Result<SessionState> load(const std::string& session_id) = 0;
  /// Calls `change` while it holds a lock on the session, then stores the result. Fails: as `load` does; then nothing
  /// is changed.
  virtual Result<void> update(const std::string& session_id, const std::function<void(SessionState&)>& change) = 0;
};

/// Keeps states in memory. Limit: 1,024 sessions; beyond that the oldest are forgotten.
std::unique_ptr<SessionStore> make_memory_session_store();

/// Keeps one small file per session in `directory` and locks it for every update, so that several processes can share
/// it. Secrets in texts are masked, as in records; `secrets` are further patterns, as in `RecordFileOptions`.
std::unique_ptr<SessionStore> make_file_session_store(std::string directory, std::vector<std::string> secrets = {});

}  // namespace grapnel
