#pragma once

#include <span>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"
#include "os/calls.h"

/// Both directions of talking to a child without ever waiting for it.
///
/// Pipes and not socket pairs: a hook may open `/dev/stdin`, which fails for a socket. Only our ends are
/// non-blocking; the flag belongs to an end, so the child's stay as programs expect them. Thread: one at a time.
namespace grapnel::os {

struct Pipe {
  UniqueFd read, write;
};

/// A new pipe, both ends blocking and close-on-exec. Fails: System.
Result<Pipe> open_pipe(const Calls& calls);

/// Feeds bytes to a child's stdin.
///
/// While bytes are left it keeps the read end open too, so that no write can raise SIGPIPE in a process whose signals
/// are not ours. A child that does not read, or closes its end, is noticed by its exit or by a deadline.
class PipeFeed {
 public:
  PipeFeed() = default;

  /// Borrows the bytes. Fails: System.
  static Result<PipeFeed> open(std::string_view bytes, const Calls& calls);

  /// The end for the child, until `on_spawned`.
  int child_end() const { return pipe_.read.get(); }
  /// Writes what fits while the child, which has its end, is still starting. Fails as `advance` does.
  Result<void> on_spawned(const Calls& calls);

  /// To poll for writing; -1 when there is nothing left to write.
  int fd() const { return pipe_.write.get(); }
  /// Writes what fits now; the end of the bytes closes the pipe. Fails: System, after which it is closed.
  Result<void> advance(const Calls& calls);
  void close();

 private:
  Pipe pipe_;
  std::string_view rest_;
};

/// A child's stdin that stays open.
///
/// Only the child has the read end, so that one which closes it, or is gone, is noticed by the next write; the SIGPIPE
/// this means is kept from the host.
class PipeWriter {
 public:
  PipeWriter() = default;

  /// Fails: System.
  static Result<PipeWriter> open(const Calls& calls);

  /// The end for the child, until `on_spawned`.
  int child_end() const { return pipe_.read.get(); }
  void on_spawned() { pipe_.read.reset(); }

  /// To poll for writing; -1 after `close`.
  int fd() const { return pipe_.write.get(); }
  /// Writes what fits now and says how much. Fails: System, EPIPE when nobody reads any more.
  Result<size_t> write(std::string_view bytes, const Calls& calls);
  void close() { pipe_.write.reset(); }

 private:
  ssize_t write_some(std::string_view bytes, const Calls& calls);

  Pipe pipe_;
  bool writes_quietly_ = true;  ///< until the kernel says that it cannot
};

/// Collects what a child writes.
class PipeDrain {
 public:
  PipeDrain() = default;

  /// Fails: System.
  static Result<PipeDrain> open(const Calls& calls);

  /// The end for the child. As long as we hold it too, reading never comes to an end, and a poll wakes for bytes only.
  int child_end() const { return pipe_.write.get(); }
  void release_child_end() { pipe_.write.reset(); }

  /// To poll for reading; -1 after the end.
  int fd() const { return pipe_.read.get(); }
  /// What can be read at once, up to the size of `buffer`, into it; less than that when the pipe is empty for now, and
  /// none when it has ended, too. Fails: System, after which it is closed.
  Result<std::string_view> pull(std::span<char> buffer, const Calls& calls);
  void close() { pipe_ = {}; }

 private:
  Pipe pipe_;
};

}  // namespace grapnel::os
