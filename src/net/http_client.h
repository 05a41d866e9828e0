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

/// src/net sends HTTP/1.1 requests, over TLS (OpenSSL) and through proxies. All of it links statically.
///
///   HttpClient client;
///   client.send({.method = "POST", .url = …, .body = …}, on_data, stop) → HttpResponse or HttpError
///
/// A response with an error status is still a response; an `HttpError` means that there was no response, or only a part
/// of it. Certificates are always verified, redirects are never followed, and nothing is read from the process
/// environment. The caller decides which host names are acceptable; `allow_address` decides which addresses those names
/// may resolve to.
///
/// Error messages never contain header values or the body, because those hold keys and prompts.
///
///   http_transfer.h    one request, from its options to its response
///   url.h              the parts of a URL, and which hosts bypass the proxy
///   waiting.h          every wait, under timeouts and the stop token
///   name_lookup.h      from names to addresses (c-ares)
///   connect.h          from addresses to a socket
///   stream.h, tls.h    a socket with or without TLS
///   response_reader.h  from bytes to a response (Boost.Beast)
///   connection_pool.h  connections between requests
///   sse.h              parses server-sent events, the format of streamed model answers
///   address.h          tells public, private and other addresses apart
namespace grapnel::net {

struct HttpHeader {
  std::string name;
  std::string value;
};

struct HttpResponse {
  int status = 0;
  std::vector<HttpHeader> headers;
  std::string body;

  bool is_success() const { return status >= 200 && status < 300; }
  /// The value of the first header with that name (case does not matter), or "".
  std::string_view header(std::string_view name) const;
};

/// Zero means no limit.
struct HttpTimeouts {
  std::chrono::milliseconds connect{10'000};  ///< for name lookup, connection and TLS together
  std::chrono::milliseconds idle{120'000};    ///< without a byte in either direction
  std::chrono::milliseconds total{0};
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<HttpHeader> headers;
  std::string body;
  HttpTimeouts timeouts;
  size_t max_response_bytes = size_t{64} << 20;  ///< Limit: headers and body together
  std::string proxy;                             ///< `http:` or `https:` URL; empty: none
  std::string no_proxy;                          ///< hosts that bypass the proxy, separated by commas
  std::string ca_file;                           ///< certificates to trust instead of the system's
  std::vector<std::string> resolve;              ///< `host:port:address`: use this address instead of a lookup
  /// Called for each address after the name lookup and before connecting. Empty allows every address. A request with
  /// this check does not reuse connections, because an existing connection would skip the check.
  std::function<bool(const sockaddr&)> allow_address;
  /// Called with status and headers before the body of a successful (2xx) response arrives. May be empty.
  std::function<void(const HttpResponse&)> on_head;
};

enum class HttpFailure : uint8_t {
  BadRequest,      ///< a URL or header that cannot be sent
  NotConnected,    ///< no such host, refused, unreachable, connect timeout
  Tls,             ///< no secure connection, or an invalid certificate
  RefusedAddress,  ///< `allow_address` said no
  Timeout,         ///< idle or total
  TooLarge,
  Broken,  ///< the connection ended too early, or the answer is not HTTP
  Cancelled,
  Reader,  ///< `on_data` failed; its error is `cause`
};

struct HttpError {
  HttpFailure kind = HttpFailure::Broken;
  std::string message;
  bool has_received = false;   ///< whether any byte of an answer had arrived
  std::optional<Error> cause;  ///< Reader

  /// The same error as the type that the rest of the program uses.
  Error to_error() const;
};

/// Receives the body of a successful (2xx) response piece by piece. An error ends the transfer.
using HttpSink = std::function<Result<void>(std::string_view bytes)>;

class ConnectionPool;

/// Keeps connections open between requests. Thread: any; several threads can send at the same time.
class HttpClient {
 public:
  HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  /// Blocks until the response is complete. A stop request ends it at once, whatever it is waiting for. `on_data` runs
  /// in the calling thread. Without `on_data`, and for every status other than 2xx, the body is in the response.
  std::expected<HttpResponse, HttpError> send(const HttpRequest& request, const HttpSink& on_data = {},
                                              std::stop_token stop = {});

 private:
  std::unique_ptr<ConnectionPool> pool_;
};

/// The delay that the server asks for in `Retry-After`, which is a number of seconds or a date.
std::optional<std::chrono::seconds> retry_after(const HttpResponse& response,
                                                std::chrono::system_clock::time_point now);

}  // namespace grapnel::net
