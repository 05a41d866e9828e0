#pragma once

#include <span>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"
#include "os/calls.h"

/// Pipes to and from a child process that never make us wait for it.
///
/// They are pipes and not socket pairs, because a hook may open `/dev/stdin`, which fails for a socket. Only our ends
/// are non-blocking. The flag belongs to one end of a pipe, so the child's end behaves as programs expect. Thread: one
/// at a time.
namespace grapnel::os {

/// The two ends of a pipe.
struct Pipe {
  UniqueFd read, write;
};

/// A new pipe, both ends blocking and close-on-exec. Fails: System.
Result<Pipe> open_pipe(const Calls& calls);

/// Sends bytes to a child's stdin and then closes it.
///
/// While bytes are left, it keeps the read end open, too. So no write can raise SIGPIPE, and the host's handling of
/// signals does not matter. A child that does not read, or closes its end, is noticed when it exits or at its deadline.
class PipeFeed {
 public:
  PipeFeed() = default;

  /// Borrows the bytes. Fails: System.
  static Result<PipeFeed> open(std::string_view bytes, const Calls& calls);

  /// The end for the child, until `on_spawned`.
  int child_end() const { return pipe_.read.get(); }
  /// What to send, if that was not known yet when the pipe was opened. Borrows the bytes. Fails: System.
  Result<void> give(std::string_view bytes, const Calls& calls);
  /// Writes as much as fits while the child, which now has its end, is still starting. Fails: as `advance`.
  Result<void> on_spawned(const Calls& calls);

  /// The descriptor to poll for writing; -1 if nothing is left to write.
  int fd() const { return pipe_.write.get(); }
  /// Writes as much as fits now, and closes the pipe after the last byte. Fails: System; then it is closed.
  Result<void> advance(const Calls& calls);
  void close();

 private:
  Pipe pipe_;
  std::string_view rest_;
};

/// A child's stdin that stays open, for workers.
///
/// Only the child has the read end, so a child that has closed it or is gone is noticed by the next write. The SIGPIPE
/// that such a write causes is kept from the host.
class PipeWriter {
 public:
  PipeWriter() = default;

  /// Fails: System.
  static Result<PipeWriter> open(const Calls& calls);

  /// The end for the child, until `on_spawned`.
  int child_end() const { return pipe_.read.get(); }
  void on_spawned() { pipe_.read.reset(); }

  /// The descriptor to poll for writing; -1 after `close`.
  int fd() const { return pipe_.write.get(); }
  /// Writes as much as fits now and returns how much that was. Fails: System; EPIPE if nobody reads any more.
  Result<size_t> write(std::string_view bytes, const Calls& calls);
  void close() { pipe_.write.reset(); }

 private:
  ssize_t write_some(std::string_view bytes, const Calls& calls);

  Pipe pipe_;
  bool writes_quietly_ = true;  ///< until the kernel reports that it cannot
};

/// Collects the output of a child.
class PipeDrain {
 public:
  PipeDrain() = default;

  /// Fails: System.
  static Result<PipeDrain> open(const Calls& calls);

  /// The end for the child. As long as we hold it as well, reading never reaches the end, and a poll wakes only for
  /// bytes.
  int child_end() const { return pipe_.write.get(); }
  void release_child_end() { pipe_.write.reset(); }

  /// The descriptor to poll for reading; -1 after the end.
  int fd() const { return pipe_.read.get(); }
  /// Reads what is available now, up to the size of `buffer`. An empty result means that the pipe is empty for now or
  /// has ended; after the end, `fd()` is -1. Fails: System; then it is closed.
  Result<std::string_view> pull(std::span<char> buffer, const Calls& calls);
  void close() { pipe_ = {}; }

 private:
  Pipe pipe_;
};

}  // namespace grapnel::os
