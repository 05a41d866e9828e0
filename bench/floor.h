#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The minimum cost of a process: the same argv started in the cheapest known way, and nothing else.
///
///   three pipes ──▶ clone(VM | VFORK | PIDFD), dup2 × 3, execve ──▶ payload written ──▶ both outputs drained ──▶
///   reaped
///
/// There are no groups, signal masks, deadlines, limits or new environments. Everything that adds those is compared
/// with this. A single child is waited for with blocking calls, since each poll would be one more system call.
namespace grapnel::bench {

/// A program to start. Owns the pointer arrays that exec needs, so that making them is not measured.
class FloorJob {
 public:
  /// `argv[0]` is a path. Without `env` the program inherits our environment.
  explicit FloorJob(std::vector<std::string> argv, std::vector<std::string> env = {});
  FloorJob(const FloorJob&) = delete;
  FloorJob& operator=(const FloorJob&) = delete;

  char* const* argv() const { return argv_.data(); }
  char* const* env() const;

 private:
  std::vector<std::string> words_;
  std::vector<std::string> variables_;
  std::vector<char*> argv_;
  std::vector<char*> env_;
};

/// Starts the program, waits for it, and returns its exit status. Aborts if it could not be started.
int run_floor(const FloorJob& job, std::string_view input);

/// The same with what Grapnel guarantees for every hook, and nothing else: a group of its own, signals as a fresh
/// process has them, a directory, none of our descriptors, none of our signal handlers, and a deadline. No hook can
/// cost less. Only for programs that write nothing.
int run_guarded(const FloorJob& job, std::string_view input);

/// Starts `count` of them at once from `threads` threads, and returns when all have ended.
void run_floors(const FloorJob& job, size_t count, std::string_view input, size_t threads);

}  // namespace grapnel::bench
