#include "os/pipe.h"

#include <fcntl.h>
#include <limits.h>

#include <csignal>

namespace grapnel::os {
namespace {

Result<void> set_nonblocking(int fd, const Calls& calls) {
  // A new pipe has no other status flag that setting this one could clear.
  if (calls.fcntl(fd, F_SETFL, O_NONBLOCK) != 0) return fail_errno("cannot make a pipe non-blocking");
  return {};
}

constexpr size_t kPipeSize = size_t{64} << 10;
constexpr int kLargePipeSize = 1 << 20;  // the most that the kernel allows to everybody

/// Keeps the SIGPIPE of a write from the host, whose signal handling must not change. The signal is blocked for this
/// thread during the write, and `forget` takes it away if it came. One that was already pending belongs to somebody
/// else and stays.
class SigpipeHeld {
 public:
  SigpipeHeld() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  SigpipeHeld(const SigpipeHeld&) = delete;
  SigpipeHeld& operator=(const SigpipeHeld&) = delete;
  ~SigpipeHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  void forget() const {
    constexpr timespec kNow{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &kNow) < 0 && errno == EINTR) {
    }
  }

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

}  // namespace

Result<Pipe> open_pipe(const Calls& calls) {
  int fds[2];
  if (calls.pipe2(fds, O_CLOEXEC) != 0) return fail_errno("cannot create a pipe");
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

Result<PipeFeed> PipeFeed::open(std::string_view bytes, const Calls& calls) {
  PipeFeed feed;
  auto pipe = open_pipe(calls);
  if (!pipe) return std::unexpected(pipe.error());
  feed.pipe_ = std::move(*pipe);
  if (auto ok = feed.give(bytes, calls); !ok) return std::unexpected(ok.error());
  return feed;
}

Result<void> PipeFeed::give(std::string_view bytes, const Calls& calls) {
  rest_ = bytes;
  // A new pipe has room for at least a page, so a short text is written at once and never blocks.
  if (bytes.size() > PIPE_BUF) {
    if (auto ok = set_nonblocking(fd(), calls); !ok) return ok;
  }
  // A larger pipe means fewer rounds of the loop. If the kernel refuses, the small one works as well.
  if (bytes.size() > kPipeSize) calls.fcntl(fd(), F_SETPIPE_SZ, kLargePipeSize);
  return {};
}

/// Once everything is written, our copy of the read end is no longer needed.
Result<void> PipeFeed::on_spawned(const Calls& calls) {
  auto written = advance(calls);
  if (fd() < 0) pipe_.read.reset();
  return written;
}

/// Writes until the pipe is full or nothing is left. The end of the data is the closed pipe.
Result<void> PipeFeed::advance(const Calls& calls) {
  while (!rest_.empty()) {
    const ssize_t n = calls.write(fd(), rest_.data(), rest_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return {};
    if (n < 0) {
      const int err = errno;
      close();
      return fail_errno("cannot write to the process", err);
    }
    rest_.remove_prefix(static_cast<size_t>(n));
  }
  pipe_.write.reset();
  return {};
}

void PipeFeed::close() {
  pipe_ = {};
}

Result<PipeWriter> PipeWriter::open(const Calls& calls) {
  PipeWriter writer;
  auto pipe = open_pipe(calls);
  if (!pipe) return std::unexpected(pipe.error());
  writer.pipe_ = std::move(*pipe);
  if (auto ok = set_nonblocking(writer.fd(), calls); !ok) return std::unexpected(ok.error());
  return writer;
}

/// New kernels can write without SIGPIPE; on others the signal is blocked, which costs three more system calls.
ssize_t PipeWriter::write_some(std::string_view bytes, const Calls& calls) {
  if (writes_quietly_) {
    const ssize_t n = calls.write_quietly(fd(), bytes.data(), bytes.size());
    if (n >= 0 || errno == EINTR || errno == EAGAIN || errno == EPIPE) return n;
    writes_quietly_ = false;  // an old kernel, or a real error; the other way finds out which
  }
  const SigpipeHeld held;
  const ssize_t n = calls.write(fd(), bytes.data(), bytes.size());
  const int err = errno;
  if (n < 0 && err == EPIPE) held.forget();
  errno = err;
  return n;
}

Result<size_t> PipeWriter::write(std::string_view bytes, const Calls& calls) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write_some(bytes.substr(done), calls);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0) return fail_errno("cannot write to the process");
    done += static_cast<size_t>(n);
  }
  return done;
}

Result<PipeDrain> PipeDrain::open(const Calls& calls) {
  PipeDrain drain;
  auto pipe = open_pipe(calls);
  if (!pipe) return std::unexpected(pipe.error());
  drain.pipe_ = std::move(*pipe);
  if (auto ok = set_nonblocking(drain.fd(), calls); !ok) return std::unexpected(ok.error());
  return drain;
}

/// A read of 0 bytes is the end: all writers have closed the pipe.
Result<std::string_view> PipeDrain::pull(std::span<char> buffer, const Calls& calls) {
  for (;;) {
    const ssize_t n = calls.read(fd(), buffer.data(), buffer.size());
    if (n > 0) return std::string_view(buffer.data(), static_cast<size_t>(n));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return std::string_view();
    const int err = errno;
    close();
    if (n < 0) return fail_errno("cannot read from the process", err);
    return std::string_view();
  }
}

}  // namespace grapnel::os
