#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "base/unique_fd.h"
#include "serve/world.h"

namespace grapnel::testing {

/// What the server answered.
struct Reply {
  int status = 0;  ///< 0 when it closed the connection without a word
  std::map<std::string, std::string> headers = {};
  std::string body = {};
  Json json() const { return Json::parse(body).value_or(Json()); }
  std::string error() const { return json()["error"]["message"].as_string().value_or(""); }
};

/// A person with a rule, some events on record, and `grapnel ui`.
class Page {
 public:
  enum class With : uint8_t { Pipes, Terminal };
  explicit Page(const World& world, With with = With::Pipes, std::vector<std::string> options = {"--no-open"});
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  ~Page();

  pid_t pid() const { return pid_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string origin() const { return "http://" + host(); }
  const std::string& ticket() const { return ticket_; }
  /// Exchanges the ticket.
  std::string sign_in();
  /// The code that the terminal shows now.
  std::string code();
  /// What the terminal showed so far.
  std::string screen();
  /// As if the person typed it.
  void type(std::string_view text) const;
  void hang_up();
  bool has_ended() const;

  /// Sends these bytes and reads until there is a whole answer, or the connection is closed.
  Reply send(const std::string& bytes) const;
  int connect() const;
  /// Begins to follow what happens; the answer has begun.
  UniqueFd listen() const;

  /// As the page does it.
  Reply get(const std::string& path) const;
  Reply post(const std::string& path, const Json& body) const;
  std::vector<std::string> headers() const;
  Reply request(const std::string& method, const std::string& path, const std::vector<std::string>& headers,
                const std::string& body = "") const;

 private:
  pid_t pid_ = -1;
  UniqueFd input_, output_;
  std::string shown_;
  int port_ = 0;
  std::string ticket_, token_;
};

/// Reads an answer from a socket.
Reply read_reply(int fd);

/// A world with a rule against forced pushes, and the events of one session.
class UiWorld : public World {
 public:
  UiWorld();
  /// One call of the shell, and what the agent is told.
  Ended shell(const std::string& command, const std::string& session = "s1") const;
  /// What `grapnel` prints with --json.
  Json json(std::vector<std::string> words) const;
};

}  // namespace grapnel::testing
