#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "grapnel/event.h"
#include "grapnel/session_store.h"

/// A bridged agent may tell one call twice: at two of its events, or by two settings files, in two agents' spellings.
/// Such a call is decided once.
///
/// A *route* is an agent's spelling of an event. The first route that tells a call decides; another that tells the same
/// call within a short time takes that decision, waiting for it while the other process is at it. The same route
/// telling the same call again tells another call, unless its id says that it is the same. When the process that
/// decides dies, the next one decides.
///
///   nobody ──join──▶ deciding ──settle──▶ decided ──join by another route──▶ taken
namespace grapnel {

class CallDedupe {
 public:
  /// `sessions` must outlive this.
  CallDedupe(const Event& event, SessionStore& sessions);

  /// What another route decided. Nothing: this one decides, and has to say what with `settle`.
  /// Blocks while another process decides, one minute at most.
  std::optional<Decision> join(const std::stop_token& stop = {});

  /// The decision for other routes; nothing when there is none to be taken. Without `join` before it nothing happens.
  void settle(const std::optional<Decision>& decision);

 private:
  enum class Part : uint8_t { None, Decides, Takes, Waits };
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

/// What makes an event the same call in every spelling: the moment, the tool and what its input is about.
std::string call_key(const Event& event);

}  // namespace grapnel
