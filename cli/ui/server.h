#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "grapnel/error.h"

#include "base/unique_fd.h"
#include "cli/ui/http.h"

namespace grapnel::cli {

/// Answers one request. Thread: called from the threads of all connections.
using HttpHandler = std::function<HttpResponse(const HttpRequest& request)>;

/// A server of HTTP for this machine alone: it listens on 127.0.0.1, with a thread for each of at most 64 connections.
/// A request has to arrive within ten seconds, an answer has to be taken within ten, and a connection on which nothing
/// happens is closed after a minute.
class HttpServer {
 public:
  /// `port` 0: any. Fails: System.
  static Result<std::unique_ptr<HttpServer>> listen(uint16_t port);
  ~HttpServer() { stop(); }

  uint16_t port() const { return port_; }
  /// Answers from now on, in threads of its own.
  void start(HttpHandler handler);
  /// Ends all connections and waits for their threads.
  void stop();

 private:
  HttpServer(UniqueFd socket, uint16_t port) : socket_(std::move(socket)), port_(port) {}

  struct Connection {
    UniqueFd fd;
    std::thread thread;
    bool is_over = false;
  };
  void accept_all();
  void let_in(UniqueFd fd);
  void remove_finished();

  UniqueFd socket_;
  uint16_t port_ = 0;
  HttpHandler handler_;
  std::thread acceptor_;
  std::mutex mutex_;
  std::list<Connection> connections_;
  bool is_stopping_ = false;
};

}  // namespace grapnel::cli
