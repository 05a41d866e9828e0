#pragma once

#include <memory>
#include <string>

#include "grapnel_agent/model.h"
#include "llm/retry.h"
#include "llm/wire_format.h"
#include "net/http_client.h"

namespace grapnel::llm {

/// The settings of a client. Each call copies `http` and fills in method, URL, headers and body.
struct HttpModelOptions {
  Endpoint endpoint;
  std::string model;  ///< used when a request names no model
  RetryPolicy retry;
  net::HttpRequest http;
  Sleep sleep = sleep_for;
  CallIdSource make_call_id = random_call_id;
};

/// A model behind HTTP. The wire format decides what is sent and how it is read; this class sends it and retries.
///
/// It tries again after status 408, 429 and 5xx, and after a connection that failed before the first byte. Once bytes
/// of an answer have arrived it does not: the user may have seen them already, and they have been paid for.
class HttpModel : public ModelClient {
 public:
  /// Borrows the format, which must be one of the constants.
  HttpModel(const WireFormat& format, HttpModelOptions options);

  Result<ModelResponse> generate(const ModelRequest& request, const ChunkSink& on_chunk, std::stop_token stop) override;
  std::string_view name() const override { return format_.name; }
  bool sends_key() const override { return !options_.endpoint.api_key.empty(); }

 private:
  /// A failed attempt.
  struct Failure {
    Error error;
    bool may_retry = false;
    std::optional<std::chrono::seconds> asked_for;  ///< the server's Retry-After
  };
  /// Sends the request once and reads the answer to its end.
  std::expected<ModelResponse, Failure> try_once(const net::HttpRequest& http, const ChunkSink& on_chunk,
                                                 const std::stop_token& stop);
  /// Fills the template in `HttpModelOptions::http` for one call.
  net::HttpRequest make_http_request(const ModelRequest& request) const;
  /// The failure of an attempt without a complete response, and of one that got an error status.
  Failure describe(const net::HttpError& error) const;
  Failure describe(const net::HttpResponse& response) const;
  /// Puts the provider's name before the message and removes the API key, in case the server repeated it.
  Error present(Error error) const;

  const WireFormat& format_;
  HttpModelOptions options_;
  net::HttpClient client_;
};

}  // namespace grapnel::llm
