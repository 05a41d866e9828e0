#pragma once

#include <optional>
#include <string>

#include "net/connection_pool.h"
#include "net/response_reader.h"
#include "net/url.h"
#include "net/waiting.h"

namespace grapnel::net {

/// One request, from its options to its response. Use an object once. Thread: one; only the stop token may come from
/// another.
class HttpTransfer {
 public:
  /// Borrows all arguments.
  HttpTransfer(ConnectionPool& pool, const HttpRequest& request, const HttpSink& on_data, const std::stop_token& stop);
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  std::expected<HttpResponse, HttpError> run();

 private:
  using Done = std::expected<void, HttpError>;

  Done read_request();
  /// Everything that a connection has to have in common with an earlier one to be used again.
  std::string key() const;
  /// The beginning of the request, through the blank line.
  std::string head() const;
  std::expected<Stream, HttpError> connect();
  Done open_tunnel(Stream& stream);
  std::expected<HttpResponse, HttpError> exchange(Stream& stream);
  /// Sends, and reads until the answer is complete.
  Done talk(Stream& stream, std::string_view head, std::string_view body, ResponseReader& reader);
  Done read_all(Stream& stream, ResponseReader& reader);
  Done take(std::string_view bytes, ResponseReader& reader);
  Done pass_on(ResponseReader& reader, std::string_view body);

  ConnectionPool& pool_;
  const HttpRequest& request_;
  const HttpSink& on_data_;
  Waiting waiting_;
  Url url_;
  std::optional<Url> proxy_;  ///< nothing: the host is asked itself
  std::string body_;          ///< of the response, if nobody takes it piece by piece
  bool is_head_told_ = false;
  bool is_tunnel_ = false;  ///< the current exchange is with the proxy
  bool is_sent_ = false;    ///< all of the request has left
};

}  // namespace grapnel::net
