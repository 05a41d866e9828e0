#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/unique_fd.h"

namespace grapnel::testing {

/// A real HTTP/1.1 server on 127.0.0.1 that answers as told: the first request with the first answer and so on, every
/// further one with the last. It misbehaves where asked to. Thread: any; a thread for each connection.
class LoopbackServer {
 public:
  enum class Ending : uint8_t {
    KeepAlive,  ///< completes the answer; the connection serves the next request
    Close,      ///< completes the answer and closes
    Cut,        ///< closes after the body without completing the answer
    Reset,      ///< the same with a TCP reset
    Hang,       ///< sends nothing after the body until the server ends
  };

  struct Answer {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    size_t piece = 0;  ///< bytes per write; 0: the body at once
    Ending ending = Ending::KeepAlive;
    std::string raw;      ///< sent instead of a head and body
    bool silent = false;  ///< not even a head is sent
  };

  struct Request {
    std::string method;
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
    std::string body;

    std::string header(std::string_view name) const;
  };

  /// Says how to answer a request. Called from several threads, but never from two at once.
  using Responder = std::function<Answer(const Request& request)>;

  explicit LoopbackServer(std::vector<Answer> answers);
  explicit LoopbackServer(Responder responder);
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer();

  /// `http://127.0.0.1:<port>` and the path.
  std::string url(std::string_view path = "") const;
  std::vector<Request> requests() const;
  size_t connections() const;

 private:
  void accept_all();
  void serve(const UniqueFd& connection);
  bool answer(const UniqueFd& connection, const Answer& answer);
  Answer next_answer(Request request);
  /// False once the server ends.
  bool wait_readable(int fd) const;

  Responder responder_;
  UniqueFd listener_;
  UniqueFd end_;  ///< an eventfd
  uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  size_t connections_ = 0;
  std::vector<std::jthread> threads_;
  std::jthread acceptor_;
};

}  // namespace grapnel::testing
