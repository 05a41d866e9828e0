#include "model/run_outcome.h"

#include <csignal>
#include <cstring>

namespace grapnel {

namespace {

/// `SIGSEGV`; real-time signals have only a number.
std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  return abbreviation != nullptr ? std::string("SIG") + abbreviation : "signal " + std::to_string(signal);
}

/// These texts appear in records and in `grapnel why`. There is one for each ending.
struct Describe {
  std::string operator()(const NotStarted& e) const { return "not started: " + e.why; }
  std::string operator()(const Exited& e) const { return "exit " + std::to_string(e.code); }
  std::string operator()(const Signaled& e) const { return "killed by " + signal_name(e.signal); }
  std::string operator()(const TimedOut& e) const {
    return "timed out after " + std::to_string(e.limit.count()) + " ms";
  }
  std::string operator()(const StatusLost&) const { return "exit status lost"; }
  std::string operator()(const Cancelled&) const { return "cancelled"; }
  std::string operator()(const Returned&) const { return "returned"; }
  std::string operator()(const Threw& e) const { return "threw: " + e.what; }
  std::string operator()(const Replied& e) const {
    return "status " + std::to_string(e.status) + ", " + std::to_string(e.bytes) + " bytes from " + e.from;
  }
  std::string operator()(const NoReply& e) const { return "no reply: " + e.why; }
  std::string operator()(const NotAllowed& e) const { return "not sent: " + e.why; }
  std::string operator()(const Judged&) const { return "answered"; }
  std::string operator()(const Answered&) const { return "answered"; }
  std::string operator()(const Stopped& e) const { return "stopped: " + e.why; }
  std::string operator()(const Unanswered& e) const { return "no answer: " + e.why; }
};

}  // namespace

std::string describe(const Ending& ending) {
  return std::visit(Describe{}, ending);
}

}  // namespace grapnel
