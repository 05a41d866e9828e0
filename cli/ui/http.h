#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HTTP/1.1 as far as the page needs it: requests that are read strictly, and answers.
///
/// Everything that two readers could understand differently is refused, and a connection on which something was refused
/// is closed: what follows on it might be the rest of the refused request.
namespace grapnel::cli {

inline constexpr size_t kMaxHeaderBytes = size_t{16} << 10;
inline constexpr size_t kMaxBodyBytes = size_t{1} << 20;

struct HttpRequest {
  std::string method;
  std::string path;                                          ///< decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;    ///< decoded
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;
  bool keeps_alive = false;

  /// The value of a header or of a parameter of the query; "" if there is none.
  std::string header(std::string_view name) const;
  std::string parameter(std::string_view name) const;
  size_t count_headers(std::string_view name) const;
};

/// Why a request is not answered as it wishes: a status of HTTP, and a sentence for people.
struct HttpRefusal {
  int status = 400;
  std::string message;
  std::string hint = {};
};

/// Where the pieces of an answer go that has no end.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  /// False if nobody listens any more.
  virtual bool send(std::string_view bytes) = 0;
  /// Waits until the descriptor can be read or the time is over. False if nobody listens any more.
  virtual bool wait_for(int fd, int timeout_ms) = 0;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::function<void(HttpStream&)> stream = {};  ///< instead of a body
};

/// The head of an answer, and its body unless it is a stream.
std::string to_bytes(const HttpResponse& response, bool keeps_alive);

/// `{"error":{"message":…}}`.
HttpResponse refuse(const HttpRefusal& refusal);

/// Reads the requests of one connection.
class RequestParser {
 public:
  RequestParser();
  RequestParser(RequestParser&&) noexcept;
  ~RequestParser();

  /// Takes the bytes that arrived; none to look for another request in those that are left. A request if one is
  /// complete.
  std::expected<std::optional<HttpRequest>, HttpRefusal> take(std::string_view bytes);
  /// Whether a part of a request has arrived.
  bool has_begun() const { return has_begun_; }

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string pending_;
  bool has_begun_ = false;
};

}  // namespace grapnel::cli
