#include "llm/http_model.h"

#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "llm/json_fields.h"
#include "llm/wire_names.h"

namespace grapnel::llm {

namespace {

/// How much of a server's message is quoted.
constexpr size_t kMaxQuote = 500;

/// A status without a case counts as `System`: the call may work another time.
Errc code_of_status(int status) {
  switch (status) {
    case 400:
    case 422:
      return Errc::BadInput;
    case 401:
    case 403:
      return Errc::Refused;
    case 404:
      return Errc::NotFound;
    case 413:
      return Errc::LimitExceeded;
    default:
      return Errc::System;
  }
}

/// Request timeout, rate limit, and all errors of the server itself.
bool may_work_later(int status) {
  return status == 408 || status == 429 || status >= 500;
}

/// The message inside an error body. All providers write `{"error": {"message"}}`, Gemini inside a list. Returns the
/// whole body if there is none.
std::string message_of(const std::string& body) {
  const auto json = Json::parse(body);
  const Json root = json && json->is_array() ? json->at(0) : json.value_or(Json());
  const Json error = root["error"];
  for (const Json& candidate : {error["message"], error, root["message"]}) {
    if (candidate.is_string()) return string_of(candidate);
  }
  return text::to_valid_utf8(text::trim(body));
}

/// Some servers quote a wrong key in their error message.
void remove_all(std::string& text, std::string_view secret) {
  if (secret.empty()) return;
  for (size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), "…");
  }
}

}  // namespace

HttpModel::HttpModel(const WireFormat& format, HttpModelOptions options)
    : format_(format), options_(std::move(options)) {}

Error HttpModel::present(Error error) const {
  remove_all(error.message, options_.endpoint.api_key);  // before the text is cut, which might leave half a key
  error.message = std::string(format_.name) + ": " + text::cap(error.message, kMaxQuote);
  return error;
}

/// Only a connection that failed before the first byte is worth another attempt (see the header).
HttpModel::Failure HttpModel::describe(const net::HttpError& error) const {
  const bool is_connection = error.kind == net::HttpFailure::NotConnected || error.kind == net::HttpFailure::Broken;
  return {present(error.to_error()), is_connection && !error.has_received, std::nullopt};
}

HttpModel::Failure HttpModel::describe(const net::HttpResponse& response) const {
  const std::string said = message_of(response.body);
  std::string message = "the server answered " + std::to_string(response.status);
  // The usual cause of these two is a wrong key, so the message names the variable to check.
  if (response.status == 401 || response.status == 403) {
    message += " (check the key, " + std::string(format_.key_variables[0]) + ")";
  }
  if (!said.empty()) message += ": " + said;
  return {present({code_of_status(response.status), message, std::nullopt, 0}), may_work_later(response.status),
          net::retry_after(response, std::chrono::system_clock::now())};
}

net::HttpRequest HttpModel::make_http_request(const ModelRequest& request) const {
  ModelRequest named = request;
  if (named.model.empty()) named.model = options_.model;
  net::HttpRequest http = options_.http;
  http.method = "POST";
  http.url = format_.url(options_.endpoint, named);
  http.headers = format_.auth_headers(options_.endpoint);
  http.headers.push_back({"Content-Type", "application/json"});
  http.headers.push_back({"Accept", "text/event-stream"});
  http.body = format_.encode(options_.endpoint, named).dump();
  return http;
}

/// One attempt. The decoder gets each event as it arrives, so the caller sees text before the answer is complete. The
/// beginning of the body is kept for the error message in case the answer is not a stream, but for example the page of
/// a proxy.
std::expected<ModelResponse, HttpModel::Failure> HttpModel::try_once(const net::HttpRequest& http,
                                                                     const ChunkSink& on_chunk,
                                                                     const std::stop_token& stop) {
  const auto decoder = format_.make_decoder(on_chunk, options_.make_call_id);
  net::SseParser parser;
  std::string beginning;
  bool has_event = false;
  const auto take_event = [&](const net::SseEvent& event) {
    has_event = true;
    return decoder->take(event);
  };
  const auto take_bytes = [&](std::string_view bytes) {
    beginning += bytes.substr(0, kMaxQuote - beginning.size());
    return parser.feed(bytes, take_event);
  };
  const auto response = client_.send(http, take_bytes, stop);
  if (!response) return std::unexpected(describe(response.error()));
  if (!response->is_success()) return std::unexpected(describe(*response));
  auto answer = decoder->finish();
  if (answer) return std::move(*answer);
  Error error = std::move(answer.error());
  const std::string said = message_of(beginning);
  if (!has_event && !said.empty()) error.message = "the server did not answer with an event stream: " + said;
  return std::unexpected(Failure{present(std::move(error)), false, std::nullopt});
}

/// All attempts send the same bytes. `on_chunk` may be called by a later attempt only if the earlier ones passed
/// nothing on.
Result<ModelResponse> HttpModel::generate(const ModelRequest& request, const ChunkSink& on_chunk,
                                          std::stop_token stop) {
  const WireNames names(request.tools);
  const net::HttpRequest http = make_http_request(names.outgoing(request));
  ChunkSink pass_on;
  if (on_chunk) {
    pass_on = [&](const ModelChunk& chunk) {
      const auto* const call = std::get_if<ToolCallPart>(&chunk);
      call != nullptr ? on_chunk(names.incoming(*call)) : on_chunk(chunk);
    };
  }
  for (int tries = 1;; ++tries) {
    auto answer = try_once(http, pass_on, stop);
    if (answer) {
      for (ModelPart& part : answer->parts) {
        if (auto* call = std::get_if<ToolCallPart>(&part)) *call = names.incoming(std::move(*call));
      }
      return std::move(*answer);
    }
    Failure& failure = answer.error();
    const auto pause = failure.may_retry ? pause_before_retry(options_.retry, tries, failure.asked_for) : std::nullopt;
    if (!pause) return std::unexpected(std::move(failure.error));
    if (!options_.sleep(*pause, stop)) return fail(Errc::Cancelled, std::string(format_.name) + ": cancelled");
  }
}

}  // namespace grapnel::llm
