#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

struct sockaddr;

/// HTTP requests over libcurl, which no other folder sees.
///
///   HttpClient client;
///   client.send({.method = "POST", .url = …, .body = …}, on_data, stop) → HttpResponse or HttpError
///
/// An answer is an answer whatever its status; an `HttpError` means there is none, or not all of it. Certificates are
/// always verified, redirects never followed, and nothing is taken from the process environment. Which hosts may be
/// asked is the caller's affair; which addresses they may turn out to have is `allow_address`.
///
/// No message of an error has a header's value or the body in it, since keys and prompts are there.
namespace grapnel::net {

struct HttpHeader {
  std::string name;
  std::string value;
};

/// Zero: without limit.
struct HttpTimeouts {
  std::chrono::milliseconds connect{10'000};  ///< name lookup, connection and TLS together
  std::chrono::milliseconds idle{120'000};    ///< without a byte in either direction
  std::chrono::milliseconds total{0};
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<HttpHeader> headers;
  std::string body;
  HttpTimeouts timeouts;
  size_t max_response_bytes = size_t{64} << 20;  ///< Limit: head and body
  std::string proxy;                             ///< URL; empty: none
  std::string no_proxy;                          ///< hosts that are asked directly, separated by commas
  std::string ca_file;                           ///< certificates to trust instead of the system's
  std::vector<std::string> resolve;              ///< `host:port:address`: these names are not looked up
  /// Asked for each address before it is connected to, after the name was looked up; such a request shares no
  /// connection with others. Empty: every address.
  std::function<bool(const sockaddr&)> allow_address;
};

struct HttpResponse {
  int status = 0;
  std::vector<HttpHeader> headers;
  std::string body;

  bool is_success() const { return status >= 200 && status < 300; }
  /// The first header of that name, in any case, or "".
  std::string_view header(std::string_view name) const;
};

enum class HttpFailure : uint8_t {
  BadRequest,      ///< an URL or header that cannot be sent
  NotConnected,    ///< no such host, refused, unreachable, connect timeout
  Tls,             ///< no secure connection, or a certificate that does not hold
  RefusedAddress,  ///< `allow_address` said no
  Timeout,         ///< idle or total
  TooLarge,
  Broken,  ///< the connection ended before the answer did, or it is no HTTP
  Cancelled,
  Reader,  ///< `on_data` failed; its error is `cause`
};

struct HttpError {
  HttpFailure kind = HttpFailure::Broken;
  std::string message;
  bool has_received = false;   ///< whether any byte of an answer came before
  std::optional<Error> cause;  ///< Reader

  /// As the rest of the program tells errors.
  Error to_error() const;
};

/// Takes the body of a successful (2xx) answer piece by piece instead of collecting it; failing ends the transfer.
using HttpSink = std::function<Result<void>(std::string_view bytes)>;

class HttpHandlePool;

/// Keeps connections open between requests. Thread: any; requests of several threads run side by side.
class HttpClient {
 public:
  HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  /// Blocks until the answer is complete. A stop request ends it at once, whatever it waits for. `on_data` is called
  /// in this thread; without it the body is in the response, as it always is when the status is not 2xx.
  std::expected<HttpResponse, HttpError> send(const HttpRequest& request, const HttpSink& on_data = {},
                                              std::stop_token stop = {});

 private:
  std::unique_ptr<HttpHandlePool> pool_;
};

/// How long the server wants us to wait, from `Retry-After` in seconds or as a date.
std::optional<std::chrono::seconds> retry_after(const HttpResponse& response,
                                                std::chrono::system_clock::time_point now);

}  // namespace grapnel::net
