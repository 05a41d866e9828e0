#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grapnel/decision.h"

namespace grapnel {

/// How running a hook ended.
///
/// Each ending has a type of its own, so a crash can never be mistaken for an exit code, and a lost status never for
/// success. src/run makes these values; src/decide gives them a meaning.
struct NotStarted {
  std::string why;
  int sys = 0;
  bool lacks_sandbox = false;  ///< the machine cannot enforce its sandbox
};
/// The process exited with this code.
struct Exited {
  int code = 0;
};
/// A signal killed the process.
struct Signaled {
  int signal = 0;
};
/// The hook ran out of time and was killed.
struct TimedOut {
  std::chrono::milliseconds limit{0};
};
struct StatusLost {};  ///< the host ignores SIGCHLD or reaps for itself, and this kernel does not keep the status
struct Cancelled {};   ///< the host gave up the event
struct Returned {      ///< a callback returned
  Effects effects;
};
struct Threw {  ///< a callback threw
  std::string what;
};
struct Replied {  ///< a server answered; its reply is the output
  int status = 0;
  size_t bytes = 0;
  std::string from;  ///< for people
};
struct NoReply {  ///< no server answered, or only in part
  std::string why;
  bool is_too_long = false;
};
struct NotAllowed {  ///< nothing was sent, because that server is not allowed
  std::string why;
};
struct Judged {};    ///< a judge answered; its text is the output
struct Answered {};  ///< a worker answered; the object it sent is the output
struct Stopped {     ///< it did what its sandbox does not allow, and was killed
  std::string why;
};
struct Unanswered {  ///< the worker or judge did not answer
  std::string why;
};

/// How it ended; exactly one of the above.
using Ending = std::variant<NotStarted, Exited, Signaled, TimedOut, StatusLost, Cancelled, Returned, Threw, Replied,
                            NoReply, NotAllowed, Judged, Answered, Unanswered, Stopped>;

/// The output of a child, up to the limit. Bytes beyond it are only counted.
struct Capture {
  std::string bytes;
  uint64_t dropped = 0;
};

/// The result of running one hook.
struct RunOutcome {
  Ending ending = NotStarted{};
  Capture out;
  Capture err;
  std::chrono::microseconds took{0};
  std::vector<std::pair<std::string, std::string>> env = {};  ///< variables from its environment file
  std::string env_problem = {};                               ///< why that file could not be read, or ""
  std::vector<std::string> argv = {};                         ///< how it was started; empty if it is no process
  std::string cwd = {};
  uint64_t bytes_in = 0;
  bool was_warm = false;           ///< its process had been started before the event
  std::string cold = {};           ///< why not, if the hook is marked warm; or ""
  HookContainment contained = {};  ///< without what it was refused
  std::string doubt = {};          ///< why it could not be told whether a rule applies, or ""
};

/// One line for people: `exit 2`, `killed by SIGSEGV`, `timed out after 50 ms`.
std::string describe(const Ending& ending);

}  // namespace grapnel
