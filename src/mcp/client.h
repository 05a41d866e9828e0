#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "mcp/transport.h"

namespace grapnel::mcp {

/// Why a request has no result.
struct Failure {
  enum class Kind : uint8_t {
    Refused,    ///< the server answered with an error
    BadAnswer,  ///< the answer is not what the protocol says
    TimedOut,
    Cancelled,
    Closed,   ///< the connection is not there (any more)
    Untaken,  ///< neither is it, and the server has not taken the request: it may be sent again
  };
  Kind kind = Kind::Closed;
  std::string message;
  int64_t code = 0;  ///< of the server's error
  Json data = {};    ///< of the server's error
};

template <typename T>
using Answer = std::expected<T, Failure>;

/// What a server says about a request that it works on.
struct Progress {
  double done = 0;
  std::optional<double> total;
  std::string message;
  bool operator==(const Progress&) const = default;
};

/// How long to wait for a request, and who wants to know.
struct CallOptions {
  /// Without a sign of progress. If somebody listens to it (`on_progress`), a server that tells its progress gets more
  /// time, but at most ten times as much.
  std::chrono::milliseconds timeout{30'000};
  std::stop_token stop = {};
  std::function<void(const Progress&)> on_progress = {};
  std::vector<Header> headers = {};
};

/// What the client needs from the program around it.
struct Host {
  std::string version;  ///< of the program, for the server
  std::string project;  ///< where programs start
  /// Answers what a server asks its user (`elicitation/create`): the parameters in, `{action, content}` out. Called
  /// from a thread of its own, only while a call is on its way; the time that it takes does not count as the server's.
  std::function<Json(const Json& params, std::stop_token stop)> elicit;
};

/// A connection to one server, from the handshake to the end. Thread: any.
class Client {
 public:
  /// Starts or reaches the server and agrees on a version with it.
  static Answer<std::unique_ptr<Client>> connect(const McpServer& server, const Host& host, const Limits& limits,
                                                 const std::stop_token& stop);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// Sends a request and waits for its result. `params` is an object or missing.
  Answer<Json> request(std::string_view method, const Json& params, const CallOptions& options);
  /// The same for calls: requests during which a server may ask its user something. A server of the stateless version
  /// gets the request again with the answers; so does one that first wants its user to open an address.
  Answer<Json> request_with_input(std::string_view method, const Json& params, const CallOptions& options);

  const std::string& version() const { return version_; }
  bool is_stateless() const;
  const Json& capabilities() const { return capabilities_; }
  /// Name and version of the server, as it tells them.
  std::string program() const;
  const Limits& limits() const { return limits_; }

  bool is_open() const;
  /// Why it is not open any more, with the last words of the server.
  std::string why_closed() const;
  /// Whether the server has said since the last call that its tools have changed.
  bool take_tools_changed();

 private:
  /// A request whose answer has not come.
  struct Pending {
    Json answer;       ///< the message
    std::string lost;  ///< why it will not come
    bool is_untaken = false;
    std::optional<Progress> progress;
    SteadyClock::duration last_sign{};  ///< on the clock of `server_time`
  };
  /// A question of the server for its user.
  struct Asked {
    Json message;
    std::stop_source stop;
    bool is_withdrawn = false;  ///< the server does not want an answer any more
  };

  /// A call that is on its way, for as long as the object lives.
  class Call {
   public:
    explicit Call(Client& client);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call();

   private:
    Client& client_;
  };

  Client(const McpServer& server, const Host& host, const Limits& limits);
  Answer<void> open();
  Answer<void> shake_hands(const std::stop_token& stop);
  Answer<bool> probe(const std::stop_token& stop);
  Answer<void> initialize(const std::stop_token& stop);
  std::chrono::milliseconds left_to_start() const;
  std::string last_words() const;
  void begin_stateless(const Json& found);
  void note_agreement();
  void follow_changes();

  void on_message(const Json& message);
  void on_answer(const Json& message);
  Json on_request(const Json& message);
  void on_notification(const Json& message);
  void on_unreadable(const std::string& why);
  void on_lost(int64_t id, std::string why);
  void on_closed(std::string why);
  void answer_questions(const std::stop_token& stop);
  Answer<Json> ask(const Json& params, const CallOptions& options);
  Answer<Json> ask_all(const Json& wanted, const CallOptions& options);
  Answer<void> open_addresses(const Json& wanted, const CallOptions& options);

  Json with_meta(const Json& params, int64_t id) const;
  std::vector<Header> headers_for(std::string_view method, const Json& params) const;
  Answer<Json> wait(int64_t id, const CallOptions& options);
  Answer<Json> result_of(const Json& message) const;
  void send_cancelled(int64_t id, std::string_view why);
  bool is_open_locked() const { return !is_closed_ && !must_end_; }
  /// The time that has passed for the server: it stands still while a person answers.
  SteadyClock::duration server_time() const;

  const McpServer server_;
  const Host host_;
  const Limits limits_;
  const Deadline start_due_;  ///< until when the server has to be ready
  std::string version_;
  Json capabilities_;
  Json info_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<int64_t, Pending> pending_;
  int calls_ = 0;         ///< that are on their way
  size_t questions_ = 0;  ///< since there was a call
  std::deque<std::shared_ptr<Asked>> asked_;
  std::shared_ptr<Asked> asking_;  ///< what a person answers at this moment
  SteadyClock::time_point asking_since_{};
  SteadyClock::duration paused_{};
  int64_t last_id_ = 0;
  int64_t listening_ = 0;  ///< the request whose answers are the changes; 0: there is none
  size_t unasked_ = 0;
  bool must_end_ = false;  ///< the server misbehaves: the connection ends
  bool is_closed_ = false;
  bool is_agreed_ = false;  ///< the handshake is done
  std::string why_closed_;
  bool tools_changed_ = false;

  std::unique_ptr<Transport> transport_;
  std::jthread answerer_;
};

}  // namespace grapnel::mcp
