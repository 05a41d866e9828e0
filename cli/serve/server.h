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
/// Threads wait in accept themselves, so that a request wakes one thread and no other; there is always one more than
/// are busy, up to a limit, over which the caller is declined and does its work itself. Declining is the way out of
/// every difficulty: whoever asks can always do without a server, so a server never has to guess.
namespace grapnel::cli {

struct ServerOptions {
  std::chrono::milliseconds idle{std::chrono::minutes(10)};
  std::string program;  ///< the file this process was started from
  std::string version;
};

class Server {
 public:
  Server(ListeningSocket socket, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// Serves until it is told to stop, by signal, request or itself; then lets what runs come to its end. `signals` is a
  /// signalfd. To be called once, by the thread that made it.
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

  void start_thread();
  void accept_connections();
  void serve(Connection& connection);
  ServeReply answer(Connection& connection, ServeRequest request);
  ServeReply fire(Connection& connection, ServeRequest& request);
  std::string status() const;
  size_t running() const;
  bool is_same_program(const EngineIdentity& other) const;

  void watch(Connection& connection);
  void stop_watching(Connection& connection);
  void forget(const Connection& connection);
  void notice_hang_up(int fd);
  void look_after_connections();
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

  mutable std::mutex lock_;  ///< of the rest
  std::map<int, Connection*> connections_;
  std::list<std::thread> threads_;
  size_t waiting_ = 0;  ///< threads in accept
};

}  // namespace grapnel::cli
