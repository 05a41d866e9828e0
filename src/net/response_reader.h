#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/http_client.h"

namespace grapnel::net {

/// Reads one HTTP/1 response in pieces of any size. Interim (1xx) answers are skipped. Thread: one.
class ResponseReader {
 public:
  /// `has_body` is false for answers to HEAD and CONNECT. Limit: headers and body together.
  ResponseReader(bool has_body, size_t max_bytes);
  ResponseReader(const ResponseReader&) = delete;
  ResponseReader& operator=(const ResponseReader&) = delete;
  ~ResponseReader();

  /// Returns the bytes of the body that these bytes have completed; they are valid until the next call. Fails: Broken,
  /// TooLarge.
  std::expected<std::string_view, HttpError> take(std::string_view bytes);
  /// The connection has ended. Fails: Broken, if the answer is not complete.
  std::expected<void, HttpError> end();

  bool is_head_done() const;
  bool is_done() const;
  bool has_received() const { return has_received_; }
  /// Whether the connection can take another request.
  bool keeps_connection() const;
  /// Status and headers, once `is_head_done`. The body is empty.
  HttpResponse& response() { return response_; }

 private:
  class Parser;
  std::expected<void, HttpError> count(size_t bytes);
  void start();

  bool has_body_;
  size_t max_bytes_;
  size_t counted_ = 0;
  bool has_received_ = false;
  std::unique_ptr<Parser> parser_;
  HttpResponse response_;
  std::string pending_;  ///< bytes the parser has not taken
  std::string body_;     ///< what the last call has completed
};

}  // namespace grapnel::net
