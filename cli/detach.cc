#include "cli/detach.h"

#include <fcntl.h>
#include <unistd.h>

namespace grapnel::cli {

namespace {

/// Cuts every tie to the caller. An agent may wait until all writers of its pipe are gone, so a detached process must
/// not keep the pipe open; and a session of its own protects it from the signals of the caller's terminal.
void leave_caller() {
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, fd);
  if (nothing > STDERR_FILENO) ::close(nothing);
}

}  // namespace

bool detach(const std::vector<std::function<void()>>& work) {
  const pid_t pid = ::fork();
  // The parent returns at once. The child skips destructors and exit handlers: they belong to the parent's state.
  if (pid != 0) return pid > 0;
  leave_caller();
  for (const auto& part : work) part();
  ::_exit(0);
}

}  // namespace grapnel::cli
