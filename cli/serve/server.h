#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "cli/serve/engine_cache.h"
#include "cli/serve/request.h"
#include "cli/serve/socket.h"
#include "engine/thread_pool.h"

/// A resident engine: `grapnel fire` over a socket.
///
///   accept ──▶ who is it ──▶ request ──▶ fire_event ──▶ reply        one thread from end to end
///   watch:     a client that hung up, signs of life, idleness, a program or socket that was replaced, signals
///
/// Threads wait in accept themselves, so that a request wakes exactly one thread. There is always one thread more than
/// there are busy ones, up to a limit. Beyond the limit a request is declined, and the client does the work itself.
/// Declining is the answer to every difficulty: the client can always run the event without a server, so the server
/// never has to guess.
///
/// The life of a connection: accepted (the request is arriving) → has_request (the event is running) → is_answered (the
/// reply is being sent) → closed. Each step has its own limit: a request that arrives too slowly is cut off, a running
/// event ends when its client hangs up, and after the answer nobody else touches the connection.
namespace grapnel::cli {

/// How a server is set up.
struct ServerOptions {
  std::chrono::milliseconds idle{std::chrono::minutes(10)};  ///< the server ends after this time without a request
  std::string program;                                       ///< the file this process was started from
  std::string version;
};

/// The server of one user. Thread: the one that made it; it starts its own.
class Server {
 public:
  Server(ListeningSocket socket, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// Serves until it is stopped by a signal, by a request or by itself; then lets running requests finish. `signals` is
  /// a signalfd. Call it once, from the thread that made the server.
  void run(int signals);

 private:
  /// One connection from accept to reply.
  struct Connection {
    UniqueFd fd;
    Deadline since = SteadyClock::now();
    std::stop_source stop;
    std::atomic<bool> has_request = false;
    std::atomic<bool> is_answered = false;
  };

  /// Threads that serve: each accepts connections and takes one request at a time from start to end.
  void start_thread();
  void accept_connections();
  void serve(Connection& connection);
  ServeReply answer(Connection& connection, ServeRequest request);
  ServeReply fire(Connection& connection, ServeRequest& request);
  std::string status() const;
  size_t running() const;
  bool is_same_program(const EngineIdentity& other) const;

  /// The thread that called `run`: it watches the connections and decides when the server ends.
  void watch(Connection& connection);
  void stop_watching(Connection& connection);
  void forget(const Connection& connection);
  void notice_hang_up(int fd);
  void look_after_connections();
  void tidy();
  bool should_end() const;
  void drain();

  const ServerOptions options_;
  const EngineIdentity identity_;
  const Deadline started_ = SteadyClock::now();
  ListeningSocket socket_;
  const Namespaces namespaces_ = namespaces_of("/proc/self", socket_.fd());
  UniqueFd events_;  ///< epoll over hang-ups and signals
  ThreadPool background_;
  EngineCache engines_;

  std::atomic<bool> stopping_ = false;
  std::atomic<size_t> busy_ = 0;
  std::atomic<uint64_t> requests_ = 0;
  std::atomic<Deadline> last_request_;
  Deadline next_tidy_;  ///< of the thread that called `run`

  mutable std::mutex lock_;  ///< protects the members below
  std::map<int, Connection*> connections_;
  std::list<std::thread> threads_;
  size_t waiting_ = 0;  ///< threads in accept
};

}  // namespace grapnel::cli
