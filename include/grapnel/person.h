#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/json.h"

/// People: who is asked when hooks answer `Verdict::Ask`.
///
/// Most agents ask the person in front of them, and some cannot ask at all. A host may offer another place where a
/// person answers (`HostOptions::person`). The engine asks there when the hooks' combined verdict is Ask, and waits.
/// An answer turns Ask into Allow or Deny for this one call; without one, the decision stays Ask.
namespace grapnel {

/// What a person is asked. The texts are as the agent and the hooks wrote them; whoever stores or shows them masks
/// secrets first.
struct PersonQuestion {
  std::string event_id;
  std::string event;    ///< its canonical name
  std::string session;  ///< the id, or ""
  std::string agent;    ///< the name of its dialect
  std::string project;
  std::string cwd;
  std::string tool;
  /// The command, the file… after hooks have rewritten the call: what would run.
  std::string subject;
  /// The tool's whole input, after rewrites; missing if there is none.
  Json input;
  /// Whether `subject` is a shell command, so that an answer may cover a pattern of commands.
  bool is_command = false;
  std::string reason;  ///< why hooks ask, one line for each reason
  std::string hook;    ///< the hook that asks, or the first of them
  std::string source;  ///< its `file:line`
  /// All hooks that ask.
  std::vector<std::string> hooks;
  /// How long the event has taken so far. The agent waits for all of it.
  std::chrono::milliseconds elapsed{0};
};

/// Asks a person; the host implements it. Thread: any, and several at once.
class Person {
 public:
  virtual ~Person() = default;
  /// Whether people want to be asked here. If not, everything is as if there were no such object.
  virtual bool is_wanted() const { return true; }
  /// Blocks until there is an answer, or none is to be expected. Must return soon after `cancel` is requested; the
  /// answer is then ignored.
  virtual PersonAnswer ask(const PersonQuestion& question, std::stop_token cancel) = 0;
};

}  // namespace grapnel
