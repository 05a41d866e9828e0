#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grapnel/decision.h"

namespace grapnel {

/// How a hook ended is a type: a crash can never be mistaken for an exit code.
struct NotStarted {
  std::string why;
  int sys = 0;
};
struct Exited {
  int code = 0;
};
struct Signaled {
  int signal = 0;
};
struct TimedOut {
  std::chrono::milliseconds limit{0};
};
struct StatusLost {};  ///< the host ignores SIGCHLD, so the kernel threw the status away
struct Cancelled {};   ///< the host gave the event up
struct Returned {      ///< a callback came back
  Effects effects;
};
struct Threw {  ///< a callback threw
  std::string what;
};
struct Replied {  ///< a server answered; what it said is the output
  int status = 0;
  size_t bytes = 0;
  std::string from;  ///< for people
};
struct NoReply {  ///< no server, or not all of its answer
  std::string why;
  bool is_too_long = false;
};
struct NotAllowed {  ///< nothing was sent: a rule forbids to talk to that server
  std::string why;
};
struct Judged {};    ///< a judge answered; its words are the output
struct Answered {};  ///< a worker answered; the object it sent is the output
struct Unanswered {  ///< nobody answered who should have
  std::string why;
};

using Ending = std::variant<NotStarted, Exited, Signaled, TimedOut, StatusLost, Cancelled, Returned, Threw, Replied,
                            NoReply, NotAllowed, Judged, Answered, Unanswered>;

/// Output of a child up to the limit; what came after is counted, not kept.
struct Capture {
  std::string bytes;
  uint64_t dropped = 0;
};

/// What came of running one hook.
struct RunOutcome {
  Ending ending = NotStarted{};
  Capture out;
  Capture err;
  std::chrono::microseconds took{0};
  std::vector<std::pair<std::string, std::string>> env = {};  ///< what it left in its environment file
  std::string env_problem = {};                               ///< why that could not be read, or ""
  std::vector<std::string> argv = {};                         ///< how it was started; empty for what is no process
  std::string cwd = {};
  uint64_t bytes_in = 0;
};

/// One line for people: `exit 2`, `killed by SIGSEGV`, `timed out after 50 ms`.
std::string describe(const Ending& ending);

}  // namespace grapnel
