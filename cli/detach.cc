#include "cli/detach.h"

#include <fcntl.h>
#include <unistd.h>

namespace grapnel::cli {

namespace {

void leave_caller() {
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, fd);
  if (nothing > STDERR_FILENO) ::close(nothing);
}

}  // namespace

bool detach(const std::vector<std::function<void()>>& work) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid > 0;
  leave_caller();
  for (const auto& part : work) part();
  ::_exit(0);
}

}  // namespace grapnel::cli
