#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

/// A bridged agent may report one tool call several times: at two of its events, or through two settings files, in the
/// spelling of two agents. The call must be decided only once.
///
/// A *route* is one agent's spelling of one event. The first route that reports a call decides it. If another route
/// reports the same call within a short time, it gets the same decision; while the first process still decides, it
/// waits. If the same route reports the same call again, that is a new call, whatever its id. If the deciding process
/// dies, the next one decides.
///
///   unknown ──join──▶ deciding ──settle──▶ decided ──join by another route──▶ decision taken over
///
/// The state of each call is an entry in `SessionState::shared`, so it also works between processes.
namespace grapnel {

class CallDedupe {
 public:
  /// `sessions` must outlive this.
  CallDedupe(const Event& event, SessionStore& sessions);

  /// Returns the decision of another route. Returns nullopt if this process has to decide; then it must call `settle`.
  /// Also returns nullopt without a duty to settle if the session cannot be read, if `stop` is requested, or after ten
  /// minutes. Blocks while another process decides.
  std::optional<Decision> join(const std::stop_token& stop = {});

  /// Publishes the decision for other routes. With nullopt (for instance when the event was cancelled) the entry is
  /// removed, so that the next route decides. Does nothing if `join` did not make this process the one that decides.
  void settle(const std::optional<Decision>& decision);

 private:
  enum class Part : uint8_t { None, Decides, Takes, Waits };  ///< `None`: the session's state is unusable
  Part take_part(std::optional<Decision>& taken);
  bool is_decided() const;

  const Event& event_;
  SessionStore& sessions_;
  std::string session_id_;
  std::string call_;
  std::string use_id_;
  std::string route_;
  bool decides_ = false;
};

/// A key that is the same for every spelling of the same call. It is made from the event kind, the tool and the part of
/// the input that matters.
std::string call_key(const Event& event);

}  // namespace grapnel
