#include "net/http_transfer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <openssl/evp.h>

#include "base/text.h"
#include "net/connect.h"

namespace grapnel::net {

namespace {

/// So many reads in a row, then the timeouts are looked at, even if there is always more to read.
constexpr int kReadsInARow = 64;
/// What a proxy may say before the tunnel stands.
constexpr size_t kMaxProxyAnswer = size_t{64} << 10;
/// A body of up to this size is sent in one piece with the head: one packet less, and no server meets a head alone.
constexpr size_t kSentWithHead = size_t{16} << 10;

HttpError bad_request(std::string message) {
  return {HttpFailure::BadRequest, std::move(message), false, std::nullopt};
}

/// Whether a text could smuggle in another header line.
bool has_control(std::string_view s) {
  return std::ranges::any_of(s, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool is_method(std::string_view s) {
  return !s.empty() && std::ranges::all_of(s, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<size_t>(size));
  return out;
}

std::string line(std::string_view name, std::string_view value) {
  return std::string(name) + ": " + std::string(value) + "\r\n";
}

/// Basic authentication, as a login in a URL means.
std::string login_line(std::string_view name, const Url& url) {
  return url.login.empty() ? "" : line(name, "Basic " + base64(url.login));
}

bool has_header(const HttpRequest& request, std::string_view name) {
  return std::ranges::any_of(request.headers,
                             [&](const HttpHeader& header) { return text::to_lower(header.name) == name; });
}

/// Methods whose requests have a body, so that the request says that its length is 0.
bool wants_body(const HttpRequest& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
}

}  // namespace

HttpTransfer::HttpTransfer(ConnectionPool& pool, const HttpRequest& request, const HttpSink& on_data,
                           const std::stop_token& stop)
    : pool_(pool), request_(request), on_data_(on_data), waiting_(request.timeouts, stop) {}

HttpTransfer::Done HttpTransfer::read_request() {
  auto url = parse_url(request_.url);
  if (!url) return std::unexpected(bad_request(url.error()));
  url_ = std::move(*url);
  if (!is_method(request_.method)) return std::unexpected(bad_request("the method is not a word in capitals"));
  for (const HttpHeader& header : request_.headers) {
    if (header.name.empty() || has_control(header.name) || has_control(header.value)) {
      return std::unexpected(bad_request("the header '" + header.name + "' has no name or contains a line break"));
    }
  }
  if (request_.proxy.empty() || is_in_no_proxy(url_.host, request_.no_proxy)) return {};
  auto proxy = parse_url(request_.proxy, "http");
  if (!proxy) return std::unexpected(bad_request("the proxy: " + proxy.error()));
  proxy_ = std::move(*proxy);
  return {};
}

std::string HttpTransfer::key() const {
  const std::string through = proxy_ ? proxy_->login + "@" + proxy_->host_and_port() : "";
  // A proxy takes requests for any host without TLS, but each goes its own way here: it is simpler, and rare.
  return (url_.is_secure ? "https " : "http ") + url_.host_and_port() + " " + through + " " + request_.ca_file;
}

std::string HttpTransfer::head() const {
  const bool asks_proxy = proxy_ && !url_.is_secure;
  std::string out =
      request_.method + " " + (asks_proxy ? "http://" + url_.authority() : "") + url_.target + " HTTP/1.1\r\n";
  if (!has_header(request_, "host")) out += line("Host", url_.authority());
  if (!has_header(request_, "authorization")) out += login_line("Authorization", url_);
  if (asks_proxy) out += login_line("Proxy-Authorization", *proxy_);
  if (!has_header(request_, "accept")) out += line("Accept", "*/*");
  if (wants_body(request_)) out += line("Content-Length", std::to_string(request_.body.size()));
  for (const HttpHeader& header : request_.headers) out += line(header.name, header.value);
  return out + "\r\n";
}

/// Name lookup, connection, proxy and TLS.
std::expected<Stream, HttpError> HttpTransfer::connect() {
  const Url& next = proxy_ ? *proxy_ : url_;
  waiting_.start_connecting();
  auto addresses = look_up(next.host, next.port, request_.resolve, waiting_);
  if (!addresses) return std::unexpected(std::move(addresses.error()));
  auto socket = connect_to(*addresses, request_.allow_address, waiting_);
  if (!socket) return std::unexpected(std::move(socket.error()));
  Stream stream(std::move(*socket));
  const auto secure = [&](const Url& to) -> Done {
    auto context = pool_.tls_context(request_.ca_file);
    if (!context) return std::unexpected(std::move(context.error()));
    return stream.secure(*context, to.host, waiting_);
  };
  Done done;
  if (proxy_ && proxy_->is_secure) done = secure(*proxy_);
  if (done && proxy_ && url_.is_secure) done = open_tunnel(stream);
  if (done && url_.is_secure) done = secure(url_);
  waiting_.end_connecting();
  if (!done) return std::unexpected(std::move(done.error()));
  return stream;
}

/// Asks the proxy for a connection to the host, through which TLS then goes.
HttpTransfer::Done HttpTransfer::open_tunnel(Stream& stream) {
  const std::string to = url_.host_and_port();
  const std::string head =
      "CONNECT " + to + " HTTP/1.1\r\n" + line("Host", to) + login_line("Proxy-Authorization", *proxy_) + "\r\n";
  ResponseReader reader(false, kMaxProxyAnswer);
  is_tunnel_ = true;
  auto done = talk(stream, head, "", reader);
  is_tunnel_ = false;
  if (!done) {
    if (done.error().kind == HttpFailure::Broken) done.error().kind = HttpFailure::NotConnected;
    done.error().message = "the proxy: " + done.error().message;
    return done;
  }
  const int status = reader.response().status;
  if (status / 100 == 2) return {};
  return std::unexpected(HttpError{HttpFailure::NotConnected,
                                   "the proxy refuses the connection with status " + std::to_string(status), false,
                                   std::nullopt});
}

/// Status and headers are complete when the first byte of the body arrives, or the response ends without one. Only a
/// successful body goes to the sink. The body of an error is kept, because it explains the error.
HttpTransfer::Done HttpTransfer::pass_on(ResponseReader& reader, std::string_view body) {
  HttpResponse& response = reader.response();
  if (is_tunnel_ || !reader.is_head_done()) return {};
  const bool is_wanted = response.is_success();
  if (request_.on_head && is_wanted && (!body.empty() || reader.is_done()) && !std::exchange(is_head_told_, true)) {
    request_.on_head(response);
  }
  if (body.empty()) return {};
  if (!on_data_ || !is_wanted) {
    body_ += body;
    return {};
  }
  auto taken = on_data_(body);
  if (taken) return {};
  HttpError error{HttpFailure::Reader, taken.error().message, true, std::nullopt};
  error.cause = std::move(taken.error());
  return std::unexpected(std::move(error));
}

HttpTransfer::Done HttpTransfer::take(std::string_view bytes, ResponseReader& reader) {
  waiting_.moved();
  const auto body = reader.take(bytes);
  if (!body) return std::unexpected(body.error());
  return pass_on(reader, *body);
}

/// Reads what is there, without waiting.
HttpTransfer::Done HttpTransfer::read_all(Stream& stream, ResponseReader& reader) {
  std::array<char, 16384> buffer;
  for (int i = 0; !reader.is_done(); ++i) {
    const Stream::Step step = stream.read(buffer);
    if (step.state == Stream::State::Wait) return {};
    Done done;
    if (step.state == Stream::State::Moved) {
      done = take({buffer.data(), step.bytes}, reader);
    } else if (step.state == Stream::State::Broken && reader.has_received()) {
      done =
          std::unexpected(HttpError{HttpFailure::Broken, "the connection broke in the middle of the answer", true, {}});
    } else {
      done = reader.end();
      if (done) done = pass_on(reader, "");
    }
    if (!done) return done;
    if (i % kReadsInARow == kReadsInARow - 1) {
      if (auto checked = waiting_.check(); !checked) return checked;
    }
  }
  return {};
}

/// Reads while it sends: a server may refuse a long body before it has read all of it, and then reads no further.
HttpTransfer::Done HttpTransfer::talk(Stream& stream, std::string_view head, std::string_view body,
                                      ResponseReader& reader) {
  bool is_refused = false;  // nobody reads any more; what was said before is still there to be read
  for (;;) {
    short events = POLLIN;
    while (!is_refused && !(head.empty() && body.empty())) {
      std::string_view& next = head.empty() ? body : head;
      const Stream::Step step = stream.write(next);
      if (step.state == Stream::State::Wait) {
        events = static_cast<short>(events | stream.wanted());
        break;
      }
      is_refused = step.state != Stream::State::Moved;
      if (is_refused) break;
      waiting_.moved();
      next.remove_prefix(step.bytes);
    }
    is_sent_ = head.empty() && body.empty();
    if (auto done = read_all(stream, reader); !done) return done;
    if (reader.is_done()) return {};
    events = static_cast<short>(events | stream.wanted());
    if (auto ready = waiting_.wait_for(stream.fd(), events); !ready) return ready;
  }
}

std::expected<HttpResponse, HttpError> HttpTransfer::exchange(Stream& stream) {
  ResponseReader reader(request_.method != "HEAD", request_.max_response_bytes);
  std::string begin = head();
  std::string_view rest = request_.body;
  if (rest.size() <= kSentWithHead) begin += std::exchange(rest, "");
  auto done = talk(stream, begin, rest, reader);
  if (!done) {
    done.error().has_received = reader.has_received();
    return std::unexpected(std::move(done.error()));
  }
  // A connection that is open already would skip the question about its address.
  if (!request_.allow_address && is_sent_ && reader.keeps_connection()) pool_.give_back(key(), std::move(stream));
  HttpResponse response = std::move(reader.response());
  response.body = std::move(body_);
  return response;
}

/// A connection that was kept may have been closed by the server at the very moment: then the request goes out again.
std::expected<HttpResponse, HttpError> HttpTransfer::run() {
  if (auto read = read_request(); !read) return std::unexpected(std::move(read.error()));
  if (auto checked = waiting_.check(); !checked) return std::unexpected(std::move(checked.error()));
  if (!request_.allow_address) {
    if (auto kept = pool_.take(key())) {
      auto result = exchange(*kept);
      if (result || result.error().kind != HttpFailure::Broken || result.error().has_received) return result;
    }
  }
  auto stream = connect();
  if (!stream) return std::unexpected(std::move(stream.error()));
  return exchange(*stream);
}

}  // namespace grapnel::net
