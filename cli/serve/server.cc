#include "cli/serve/server.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <span>
#include <system_error>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "grapnel/json.h"

#include "cli/command.h"
#include "cli/helper_program.h"
#include "cli/journal_commands.h"
#include "discover/find/overrides.h"
#include "run/depth.h"
#include "session/old_sessions.h"

namespace grapnel::cli {

namespace {

/// How many requests run at the same time, and how many threads do work that no request waits for.
constexpr size_t kMaxBusy = 64;
constexpr size_t kMaxBackground = 64;
/// How long a request may take to arrive. A client waits 60 seconds for its own input after it has connected, so this
/// is a little longer.
constexpr std::chrono::seconds kRequestPatience{70};
/// How long running requests may take to finish when the server ends.
constexpr std::chrono::seconds kDrainPatience{5};
constexpr std::chrono::milliseconds kAlive{SERVE_ALIVE_MS};
/// How long the server waits after its start, so that nothing disturbs the first requests, and then between two times.
constexpr std::chrono::seconds kFirstTidy{5};
constexpr std::chrono::hours kTidyInterval{1};
/// An import that takes longer is interrupted, and the next one goes on there.
constexpr std::chrono::seconds kTidyPatience{20};

/// Tells a client that its request is still being worked on. If the socket's buffer is full, the sign is simply
/// dropped.
void send_alive(int connection) {
  const ReplyHead alive{.magic = SERVE_MAGIC, .kind = kReplyAlive};
  ::send(connection, &alive, sizeof alive, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void add_to_poll(int poll, int fd, uint32_t what) {
  epoll_event event{};
  event.events = what;
  event.data.fd = fd;
  ::epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

/// Whether GRAPNEL_CONFIG names files relative to the caller's directory; the server has another directory and would
/// not find them.
bool names_relative_files(const Environment& env) {
  if (!env.has("GRAPNEL_CONFIG")) return false;
  return std::ranges::any_of(read_overrides(env).config_files,
                             [](const std::string& path) { return !path.starts_with('/'); });
}

}  // namespace

Server::Server(ListeningSocket socket, ServerOptions options)
    : options_(std::move(options)),
      identity_(identity_of(options_.program)),
      socket_(std::move(socket)),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      background_(kMaxBackground),
      engines_(background_),
      last_request_(started_),
      next_tidy_(started_ + kFirstTidy) {}

Server::~Server() = default;

// This thread only watches: hang-ups and signals arrive as events, everything else is checked at each turn of the loop.
// Requests are served by the threads in `accept_connections`.
void Server::run(int signals) {
  add_to_poll(events_.get(), signals, EPOLLIN);
  start_thread();
  const auto patience = static_cast<int>(std::min(kAlive, options_.idle).count());
  while (!stopping_ && !should_end()) {
    std::array<epoll_event, 16> ready{};
    const int count = ::epoll_wait(events_.get(), ready.data(), ready.size(), patience);
    for (int i = 0; i < count; ++i) {
      if (ready[i].data.fd == signals) stopping_ = true;
      notice_hang_up(ready[i].data.fd);
    }
    look_after_connections();
    engines_.sweep_warm();
    tidy();
  }
  stopping_ = true;
  // No new clients from here on; another server may start while this one finishes its requests.
  socket_.close_door();
  drain();
}

/// Once an hour, while nobody waits for it. The journal has a program of its own, which removes old records whenever it
/// runs.
void Server::tidy() {
  if (busy_ > 0 || SteadyClock::now() < next_tidy_) return;
  next_tidy_ = SteadyClock::now() + kTidyInterval;
  background_.post([env = Environment::of_process()] {
    forget_old_sessions(env.runtime_dir(), env.state_dir() + "/texts", std::chrono::system_clock::now());
    static_cast<void>(run_helper_program(env, kJournalProgram, {"log", "--limit", "1"}, kTidyPatience));
  });
}

/// Gives running requests some time to finish. The rest is cancelled and declined, and their clients run the event
/// themselves.
void Server::drain() {
  const Deadline patience = SteadyClock::now() + kDrainPatience;
  while (busy_ > 0 && SteadyClock::now() < patience) {
    std::array<epoll_event, 16> ready{};
    const int count = ::epoll_wait(events_.get(), ready.data(), ready.size(), 10);
    for (int i = 0; i < count; ++i) notice_hang_up(ready[i].data.fd);
    look_after_connections();
  }
  {
    const std::lock_guard lock(lock_);
    for (const auto& [fd, connection] : connections_) {
      connection->stop.request_stop();
      // Such a thread waits in recv or send for its client, and only closing the connection wakes it up.
      if (!connection->has_request || connection->is_answered) ::shutdown(fd, SHUT_RDWR);
    }
  }
  for (std::thread& thread : threads_) thread.join();
}

// A removed socket means that no client can find this server any more. A replaced program means that an update was
// installed: its clients would be declined, and a new server can serve them.
bool Server::should_end() const {
  const auto idle = SteadyClock::now() - last_request_.load();
  return (busy_ == 0 && idle > options_.idle) || !socket_.is_in_place() ||
         !is_same_program(identity_of(options_.program));
}

bool Server::is_same_program(const EngineIdentity& other) const {
  return other.device == identity_.device && other.inode == identity_.inode && other.size == identity_.size &&
         other.modified_s == identity_.modified_s && other.modified_ns == identity_.modified_ns;
}

// EPOLLRDHUP reports that the client closed its end; one report is enough.
void Server::watch(Connection& connection) {
  const std::lock_guard lock(lock_);
  connections_[connection.fd.get()] = &connection;
  add_to_poll(events_.get(), connection.fd.get(), EPOLLRDHUP | EPOLLONESHOT);
}

/// Ends the watch before the reply is sent: no sign of life may be written into the middle of it, and a client that
/// hangs up now no longer matters.
void Server::stop_watching(Connection& connection) {
  const std::lock_guard lock(lock_);
  connection.is_answered = true;
  ::epoll_ctl(events_.get(), EPOLL_CTL_DEL, connection.fd.get(), nullptr);
}

void Server::forget(const Connection& connection) {
  const std::lock_guard lock(lock_);
  connections_.erase(connection.fd.get());
}

// If the client is gone, nobody reads the answer: its hooks are cancelled, as if the client had run them itself.
void Server::notice_hang_up(int fd) {
  const std::lock_guard lock(lock_);
  const auto found = connections_.find(fd);
  if (found != connections_.end()) found->second->stop.request_stop();
}

// Clients give up on a server that says nothing for too long. A young request gets no sign of life yet, because most of
// them are answered before they need one.
void Server::look_after_connections() {
  const std::lock_guard lock(lock_);
  const Deadline now = SteadyClock::now();
  for (const auto& [fd, connection] : connections_) {
    const auto age = now - connection->since;
    if (!connection->has_request && age > kRequestPatience) ::shutdown(fd, SHUT_RDWR);
    if (connection->has_request && !connection->is_answered && age > kAlive / 2) send_alive(fd);
  }
}

// Called when the last waiting thread has got a connection. A thread stays in accept for the next one when its request
// is done, so threads are never ended before the server is.
void Server::start_thread() {
  const std::lock_guard lock(lock_);
  if (stopping_ || waiting_ > 0 || threads_.size() > kMaxBusy) return;
  try {
    threads_.emplace_back([this] { accept_connections(); });
    ++waiting_;
  } catch (const std::system_error&) {  // no more threads are possible; those that exist go on
  }
}

// One thread takes a connection from accept to reply. All threads block in accept on the same socket, so the kernel
// wakes exactly one per connection and no hand-over between threads is needed.
void Server::accept_connections() {
  for (;;) {
    Connection connection;
    connection.fd = UniqueFd(::accept4(socket_.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    if (stopping_) return;
    if (!connection.fd) {
      // Most other errors mean that descriptors have run out; trying again at once would only burn the processor.
      if (errno != EINTR && errno != ECONNABORTED) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      continue;
    }
    // Another thread has to wait in accept while this one is busy. There is one more thread than requests may run: it
    // declines the requests over the limit, so that their clients do not wait.
    const size_t busy = ++busy_;
    bool is_last = false;
    {
      const std::lock_guard lock(lock_);
      is_last = --waiting_ == 0;
    }
    if (is_last) start_thread();
    connection.since = SteadyClock::now();
    watch(connection);
    if (busy <= kMaxBusy) {
      serve(connection);
    } else {
      send_reply(connection.fd.get(), {.kind = kReplyDeclined});
    }
    forget(connection);
    connection.fd.reset();
    last_request_ = SteadyClock::now();
    --busy_;
    const std::lock_guard lock(lock_);
    ++waiting_;
  }
}

// A peer that fails a check gets the default reply, which declines. The first check asks the kernel, so nothing is read
// from a stranger.
void Server::serve(Connection& connection) {
  ServeRequest request;
  ServeReply reply;
  const int fd = connection.fd.get();
  if (is_peer_in(namespaces_, fd) && receive_request(fd, request) && request.user == ::geteuid()) {
    connection.has_request = true;
    reply = answer(connection, std::move(request));
  }
  stop_watching(connection);
  send_reply(connection.fd.get(), reply);
}

// Only `fire` needs the same build on both sides; `status` and `stop` have to work after an update too.
ServeReply Server::answer(Connection& connection, ServeRequest request) {
  const std::string& verb = request.words.front();
  if (verb == "status") return {.kind = kReplyAnswer, .out = status()};
  if (verb == "stop") {
    // The signal arrives through the signalfd, on the same path as a signal from outside.
    ::kill(::getpid(), SIGTERM);
    return {.kind = kReplyAnswer};
  }
  if (verb != kFire.name || !is_same_program(request.engine)) return {.kind = kReplyDeclined};
  ++requests_;
  try {
    return fire(connection, request);
  } catch (const std::exception&) {
    return {.kind = kReplyDeclined};
  }
}

// Everything that depends on the client's process is declined: help goes to its terminal, `--input` and relative files
// are found from its directory. Then the client does the work itself.
ServeReply Server::fire(Connection& connection, ServeRequest& request) {
  const std::span<const std::string> words(request.words.begin() + 1, request.words.end());
  const auto args = parse_arguments(kFire, words);
  if (!args || args->has("--help") || args->has("--input")) return {.kind = kReplyDeclined};
  FireRequest fired_request = with_believed_environment(
      {*args, Environment(std::move(request.env)), std::move(request.cwd), std::move(request.payload), false,
       connection.stop.get_token(), "", peer_process(connection.fd.get())});
  if (names_relative_files(fired_request.env)) return {.kind = kReplyDeclined};
  // Whether it is true that a hook started this bridge can only be told in the client's own process.
  if (args->has("--bridge") && depth_of(fired_request.env) > 0) return {.kind = kReplyDeclined};
  ServedRequest host(engines_);
  FireAnswer fired = fire_event(std::move(fired_request), host);
  // The decision of a cancelled event is incomplete and must not be used.
  if (connection.stop.stop_requested()) return {.kind = kReplyDeclined};
  return {.kind = kReplyAnswer,
          .status = fired.status,
          .lost_status = fired.lost_status,
          .out = std::move(fired.out),
          .err = std::move(fired.err),
          .lost_text = std::move(fired.lost_text)};
}

size_t Server::running() const {
  const std::lock_guard lock(lock_);
  return static_cast<size_t>(std::ranges::count_if(
      connections_, [](const auto& entry) { return entry.second->has_request && !entry.second->is_answered; }));
}

std::string Server::status() const {
  const auto up = std::chrono::duration_cast<std::chrono::seconds>(SteadyClock::now() - started_);
  const auto number = [](auto value) { return Json::number(static_cast<int64_t>(value)); };
  const WarmCounts warm = engines_.warm_counts();
  return Json::object({{"pid", number(::getpid())},
                       {"version", Json::string(options_.version)},
                       {"socket", Json::string(socket_.path())},
                       {"uptime", number(up.count())},
                       {"requests", number(requests_.load())},
                       {"running", number(running() - 1)},  // without the request for the status itself
                       {"engines", number(engines_.size())},
                       {"workers", number(engines_.worker_count())},
                       {"warm", Json::object({{"waiting", number(warm.waiting)},
                                              {"pending", number(warm.pending)},
                                              {"used", number(engines_.warm_used())}})}})
      .dump();
}

}  // namespace grapnel::cli
