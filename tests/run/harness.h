#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/run_outcome.h"
#include "os/cancel.h"
#include "os/patience.h"
#include "run/supervisor.h"

/// What the tests of `run` share: real children, and the promise that nothing is left of them.
namespace grapnel::testing {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

/// `/bin/sh -c script`, with a plain environment.
ChildSpec sh(std::string script, milliseconds timeout = kLong);

std::shared_ptr<const std::string> bytes(size_t count, char fill = 'x');

/// `exit 2`, `signal 9`, `timed out`, `status lost`, `cancelled`, `not started: …`.
std::string text_of(const Ending& ending);
std::vector<std::string> texts_of(std::span<const RunOutcome> outcomes);

size_t count_open_fds();

/// Processes that our tests started (their environment says so) and that still run.
std::vector<pid_t> find_stray_processes();
void kill_stray_processes();

/// Checks at the end of its scope that the process is as before: same number of descriptors, no child, dead or alive,
/// no stray process in any group or session, and not more than `kLong` gone by.
class NothingLeft {
 public:
  NothingLeft();
  NothingLeft(const NothingLeft&) = delete;
  NothingLeft& operator=(const NothingLeft&) = delete;
  ~NothingLeft();

 private:
  std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + kLong;
  size_t fds_;
};

RunOutcome run_one(const ChildSpec& spec, const ChildLimits& limits = {}, const os::CancelToken& cancel = {},
                   const os::Calls& calls = os::real_calls());

/// Runs a body in a forked process, a host of its own making, and gives its exit status (-1 when it crashed).
template <typename Body>
int in_another_host(Body body);

int fork_and_wait(int (*body)(void*), void* argument);

template <typename Body>
int in_another_host(Body body) {
  return fork_and_wait([](void* argument) { return (*static_cast<Body*>(argument))(); }, &body);
}

}  // namespace grapnel::testing
