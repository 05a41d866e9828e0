#include "net/http_client.h"

#include <charconv>
#include <string>

#include "base/text.h"
#include "net/http_transfer.h"

namespace grapnel::net {

namespace {

/// Groups failures by what the caller can do: correct the request, change the settings, or try again (`System`).
Errc code_of(HttpFailure kind) {
  switch (kind) {
    case HttpFailure::BadRequest:
      return Errc::BadInput;
    case HttpFailure::RefusedAddress:
    case HttpFailure::Tls:
      return Errc::Refused;
    case HttpFailure::TooLarge:
      return Errc::LimitExceeded;
    case HttpFailure::Cancelled:
      return Errc::Cancelled;
    case HttpFailure::NotConnected:
    case HttpFailure::Timeout:
    case HttpFailure::Broken:
    case HttpFailure::Reader:
      return Errc::System;
  }
  return Errc::Internal;
}

}  // namespace

/// An error of the caller's own sink comes back unchanged.
Error HttpError::to_error() const {
  return cause ? *cause : Error{code_of(kind), message, std::nullopt, 0};
}

/// HTTP/1 headers have any case, HTTP/2 headers are in lower case.
std::string_view HttpResponse::header(std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (text::to_lower(header.name) == text::to_lower(name)) return header.value;
  }
  return "";
}

HttpClient::HttpClient() : pool_(std::make_unique<HttpHandlePool>()) {}
HttpClient::~HttpClient() = default;

/// Each transfer has a pair of handles for itself while it runs, so several threads can send at the same time. The pair
/// goes back to the pool with its open connections, even after a failed transfer.
std::expected<HttpResponse, HttpError> HttpClient::send(const HttpRequest& request, const HttpSink& on_data,
                                                        std::stop_token stop) {
  HttpHandles handles = pool_->take();
  if (!handles.easy || !handles.multi) {
    return std::unexpected(HttpError{HttpFailure::NotConnected, "no memory for a connection", false, std::nullopt});
  }
  auto result = HttpTransfer(handles, request, on_data).run(stop);
  pool_->give_back(std::move(handles));
  return result;
}

std::optional<std::chrono::seconds> retry_after(const HttpResponse& response,
                                                std::chrono::system_clock::time_point now) {
  const std::string value(response.header("retry-after"));
  if (value.empty()) return std::nullopt;
  int64_t seconds = 0;
  const char* const end = value.data() + value.size();
  // A number of seconds is by far the more common form.
  if (const auto [last, failed] = std::from_chars(value.data(), end, seconds); failed == std::errc() && last == end) {
    return std::chrono::seconds(std::max<int64_t>(seconds, 0));
  }
  const time_t date = curl_getdate(value.c_str(), nullptr);
  if (date < 0) return std::nullopt;
  // A date in the past means that the next attempt may start now.
  const auto left = std::chrono::ceil<std::chrono::seconds>(std::chrono::system_clock::from_time_t(date) - now);
  return std::max(left, std::chrono::seconds(0));
}

}  // namespace grapnel::net
