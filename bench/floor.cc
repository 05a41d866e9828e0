#include "floor.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <sys/syscall.h>
#include <sys/wait.h>

extern char** environ;

namespace grapnel::bench {

namespace {

constexpr size_t kPipeBytes = size_t{64} << 10;      ///< the usual capacity of a pipe
constexpr size_t kLargePipeBytes = size_t{1} << 20;  ///< the largest capacity that needs no privilege

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
  return {ends[0], ends[1]};
}

/// What the child needs. After the clone it runs in our memory while we sleep.
struct Start {
  char* const* argv;
  char* const* env;
  int in, out, err;
};

int child_main(void* argument) {
  const Start* start = static_cast<const Start*>(argument);
  ::dup2(start->in, STDIN_FILENO);
  ::dup2(start->out, STDOUT_FILENO);
  ::dup2(start->err, STDERR_FILENO);
  ::execve(start->argv[0], start->argv, start->env);
  ::_exit(127);
}

int guarded_main(void* argument) {
  constexpr int kStandardSignals = 31;
  const unsigned long by_default[4] = {0, 0, 0, 0};
  const unsigned long none = 0, all = ~0UL;
  const long now[2] = {0, 0};
  ::syscall(SYS_setpgid, 0, 0);
  ::syscall(SYS_rt_sigtimedwait, &all, nullptr, now, sizeof all);
  for (int signal = 1; signal <= kStandardSignals; ++signal) {
    ::syscall(SYS_rt_sigaction, signal, by_default, nullptr, sizeof all);
  }
  ::syscall(SYS_chdir, "/tmp");
  const Start* start = static_cast<const Start*>(argument);
  ::dup2(start->in, STDIN_FILENO);
  ::dup2(start->out, STDOUT_FILENO);
  ::dup2(start->err, STDERR_FILENO);
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
  ::execve(start->argv[0], start->argv, start->env);
  ::_exit(127);
}

/// A running child, and our ends of its pipes.
struct Running {
  int pidfd = -1;
  int in = -1;
  int out = -1;
  int err = -1;
  std::array<int, 2> child_ends = {-1, -1};  ///< the child's ends of both outputs, which we keep open while it runs
  size_t written = 0;
};

/// Closes our copies of the child's ends, so that reading its outputs ends when the child does.
void let_go(const Running& child) {
  for (const int fd : child.child_ends) ::close(fd);
}

Running start(const FloorJob& job, std::string_view input, int (*child_code)(void*) = child_main) {
  const Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
  if (input.size() > kPipeBytes) ::fcntl(in.write, F_SETPIPE_SZ, kLargePipeBytes);
  Start start{job.argv(), job.env(), in.read, out.write, err.write};
  Running child{.in = in.write, .out = out.read, .err = err.read, .child_ends = {out.write, err.write}};
  alignas(16) std::array<std::byte, 8192> stack;
  // libc's clone: the same flags and the same path in the kernel as clone3, but it takes a function and a stack.
  if (::clone(child_code, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start,
              &child.pidfd) < 0) {
    std::abort();
  }
  ::close(in.read);
  return child;
}

void drain(int fd) {
  std::array<char, 4096> buffer;
  while (::read(fd, buffer.data(), buffer.size()) > 0) {
  }
  ::close(fd);
}

int finish(const Running& child) {
  drain(child.out);
  drain(child.err);
  siginfo_t info{};
  if (::waitid(P_PIDFD, static_cast<id_t>(child.pidfd), &info, WEXITED) != 0) std::abort();
  ::close(child.pidfd);
  if (info.si_code != CLD_EXITED || info.si_status == 127) std::abort();
  return info.si_status;
}

/// Writes as much as fits; closes the pipe when everything is written or nobody reads it.
void feed(Running& child, std::string_view input) {
  const ssize_t n = ::write(child.in, input.data() + child.written, input.size() - child.written);
  if (n > 0) child.written += static_cast<size_t>(n);
  const bool is_over = child.written == input.size() || (n < 0 && errno != EAGAIN);
  if (!is_over) return;
  ::close(child.in);
  child.in = -1;
}

/// Feeds a large input to several children at once, to each as fast as it reads.
void feed_all(std::vector<Running>& children, std::string_view input) {
  std::vector<pollfd> polls;
  for (;;) {
    polls.clear();
    for (const Running& child : children) {
      if (child.in >= 0) polls.push_back({child.in, POLLOUT, 0});
    }
    if (polls.empty()) return;
    if (::poll(polls.data(), polls.size(), -1) < 0) std::abort();
    for (const pollfd& ready : polls) {
      if (ready.revents != 0) feed(*std::ranges::find(children, ready.fd, &Running::in), input);
    }
  }
}

void run_side_by_side(const FloorJob& job, size_t count, std::string_view input) {
  const bool is_large = input.size() > kPipeBytes;
  std::vector<Running> children;
  children.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    children.push_back(start(job, input));
    let_go(children.back());
    if (is_large) ::fcntl(children.back().in, F_SETFL, O_NONBLOCK);
    feed(children.back(), input);
  }
  feed_all(children, input);
  for (const Running& child : children) finish(child);
}

}  // namespace

FloorJob::FloorJob(std::vector<std::string> argv, std::vector<std::string> env)
    : words_(std::move(argv)), variables_(std::move(env)) {
  for (std::string& word : words_) argv_.push_back(word.data());
  argv_.push_back(nullptr);
  for (std::string& variable : variables_) env_.push_back(variable.data());
  env_.push_back(nullptr);
}

char* const* FloorJob::env() const {
  return variables_.empty() ? environ : env_.data();
}

int run_floor(const FloorJob& job, std::string_view input) {
  Running child = start(job, input);
  let_go(child);
  while (child.in >= 0) feed(child, input);
  return finish(child);
}

int run_guarded(const FloorJob& job, std::string_view input) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  Running child = start(job, input, guarded_main);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  while (child.in >= 0) feed(child, input);
  std::array<pollfd, 3> polls = {{{child.out, POLLIN, 0}, {child.err, POLLIN, 0}, {child.pidfd, POLLIN, 0}}};
  const timespec deadline{.tv_sec = 60, .tv_nsec = 0};
  if (::ppoll(polls.data(), polls.size(), &deadline, nullptr) != 1 || polls[2].revents == 0) std::abort();
  let_go(child);
  return finish(child);
}

void run_floors(const FloorJob& job, size_t count, std::string_view input, size_t threads) {
  std::vector<std::thread> others;
  for (size_t i = 1; i < threads; ++i) {
    others.emplace_back([&job, input, share = count / threads] { run_side_by_side(job, share, input); });
  }
  run_side_by_side(job, count - count / threads * (threads - 1), input);
  for (std::thread& other : others) other.join();
}

}  // namespace grapnel::bench
