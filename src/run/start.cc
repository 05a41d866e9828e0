#include "run/start.h"

namespace grapnel {

Result<os::Spawned> start_process(const ChildSpec& spec, const ChildEnds& ends, const os::Calls& calls,
                                  std::string& not_enforced) {
  os::SpawnSpec start{.path = spec.path.c_str(),
                      .argv = spec.argv,
                      .env = spec.env,
                      .cwd = spec.cwd.c_str(),
                      .stdin_fd = ends.in,
                      .stdout_fd = ends.out,
                      .stderr_fd = ends.err};
  if (!spec.sandbox) return os::spawn(start, calls);
  const ChildSandbox& wanted = *spec.sandbox;
  const auto sandbox = wanted.problem.empty() ? os::Sandbox::build(wanted.spec, calls)
                                              : std::unexpected(Error{Errc::Unavailable, wanted.problem, {}, 0});
  Result<os::Spawned> child = std::unexpected(Error{});
  if (sandbox) {
    start.sandbox = sandbox->get();
    child = os::spawn(start, calls);
  } else {
    child = std::unexpected(sandbox.error());
  }
  const bool may_do_without = !child && child.error().code == Errc::Unavailable && !wanted.is_required;
  if (!may_do_without) return child;
  not_enforced = child.error().message;
  start.sandbox = nullptr;
  return os::spawn(start, calls);
}

NotStarted not_started(const Error& error) {
  return {error.message, error.sys, error.code == Errc::Unavailable};
}

}  // namespace grapnel
