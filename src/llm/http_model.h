#pragma once

#include <memory>
#include <string>

#include "grapnel_agent/model.h"
#include "llm/retry.h"
#include "llm/wire_format.h"
#include "net/http_client.h"

namespace grapnel::llm {

/// What a client over HTTP is made with. Everything of `http` but method, URL, headers and body is used for each call.
struct HttpModelOptions {
  Endpoint endpoint;
  std::string model;  ///< for requests that name none
  RetryPolicy retry;
  net::HttpRequest http;
  Sleep sleep = sleep_for;
  CallIdSource make_call_id = random_call_id;
};

/// A model behind HTTP: the format says what is sent and read, this class how often.
///
/// A call is tried again after 408, 429 and 5xx, and after a connection that failed before the first byte. Once bytes
/// of an answer came it is not: they may have been shown, and are paid for.
class HttpModel : public ModelClient {
 public:
  /// Borrows the format, which is a constant.
  HttpModel(const WireFormat& format, HttpModelOptions options);

  Result<ModelResponse> generate(const ModelRequest& request, const ChunkSink& on_chunk, std::stop_token stop) override;
  std::string_view name() const override { return format_.name; }

 private:
  /// A call that failed, and whether to try again.
  struct Failure {
    Error error;
    bool may_retry = false;
    std::optional<std::chrono::seconds> asked_for;
  };
  std::expected<ModelResponse, Failure> try_once(const net::HttpRequest& http, const ChunkSink& on_chunk,
                                                 const std::stop_token& stop);
  net::HttpRequest make_http_request(const ModelRequest& request) const;
  Failure describe(const net::HttpError& error) const;
  Failure describe(const net::HttpResponse& response) const;
  /// The message with the provider's name in front and the key, should a server repeat it, taken out.
  Error present(Error error) const;

  const WireFormat& format_;
  HttpModelOptions options_;
  net::HttpClient client_;
};

}  // namespace grapnel::llm
