#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// approve: an Ask that waits until a person answers it in another place, in the page or with `grapnel approve`.
///
///   wait_for_person.h   the side that waits: the process that decides the event
///   waiting_asks.h      the side that answers: lists what waits, and answers
///   listener.h          says that somebody is there to answer; without a listener nobody waits
///   peers.h             which process is at the other end of a socket, and whether it may speak for a person
///   ask_place.h         the directory in which they meet
///
/// People of a fleet are asked by a program that listens here and knows the way to them (cli/fleet/far_asks.h).
///
/// The waiting process publishes a question: a file with what is asked, masked, and a Unix socket at which it takes the
/// answer. The agent runs as the same user and can write such files, so a file never is an answer: the waiting process
/// asks the kernel who is at the other end of the connection. It has to be one of Grapnel's own programs, and no agent
/// may be above it.
namespace grapnel {

/// A question that waits.
struct WaitingAsk {
  std::string id;  ///< of the question; it is the id of its event
  std::string event_id;
  std::string event;
  std::string agent;
  std::string session;
  std::string cwd;
  std::string project;
  std::string tool;
  std::string subject;
  Json input;               ///< of the tool, masked; missing if it is too long
  bool is_command = false;  ///< an answer for the session may name a pattern
  std::string reason;
  std::string hook;    ///< the hook that asks, or the first of them
  std::string source;  ///< its `file:line`
  std::vector<std::string> hooks;
  int64_t asked_at_ms = 0;    ///< milliseconds since the epoch
  int64_t expires_at_ms = 0;  ///< without an answer until then, the agent does what it does by itself
  /// Where it waits, if that is another machine of the fleet; "" for this one. No part of the digest.
  std::string machine = {};
  /// Of all of the above. Whoever answers names it, so that an answer counts only for what was shown.
  std::string digest;
};

/// All of it as JSON; empty members are left out.
Json ask_to_json(const WaitingAsk& ask);

/// All questions that wait now, the oldest first. Those of processes that have died are removed.
std::vector<WaitingAsk> waiting_asks(const Environment& env);

enum class AskAnswer : uint8_t { Deny, Once, Session, Rule };
/// `deny`, `once`, `session`, `rule`.
std::string_view to_string(AskAnswer answer);

struct GivenAnswer {
  AskAnswer answer = AskAnswer::Deny;
  std::string pattern = {};  ///< for Session: the commands it covers, such as `npm publish *`; "": exactly this call
  std::string reason = {};   ///< for Deny: what the model is told
  std::string by = {};       ///< where the person answered: `page`, `terminal`
  std::string digest = {};   ///< of the question that the person saw; "": as it is now
};

/// Answers a question. For `Rule`, the caller writes the rule first (cli/rule_of_ask.h). Fails: NotFound when the
/// question is over or was never there; Refused when this process may not answer, or the question is not what the
/// person saw; BadInput for a pattern that does not cover the command; System.
Result<void> answer_ask(const Environment& env, const std::string& id, const GivenAnswer& answer);

}  // namespace grapnel
