#include "net/http_client.h"

#include <charconv>
#include <cstdio>
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

/// The three forms of RFC 9110; all are in GMT. Days of the week are not compared.
std::optional<std::chrono::sys_seconds> read_http_date(const std::string& text) {
  constexpr const char* kForms[] = {
      "%*3[A-Za-z], %2u %3[A-Za-z] %4d %2u:%2u:%2u GMT%n",
      "%*9[A-Za-z], %2u-%3[A-Za-z]-%2d %2u:%2u:%2u GMT%n",
  };
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  unsigned day = 0, hour = 0, minute = 0, second = 0;
  int year = 0, end = 0;
  char month[4] = "";
  for (const char* form : kForms) {
    end = 0;
    // NOLINTNEXTLINE(cert-err34-c): every number has a width, so none can overflow
    if (std::sscanf(text.c_str(), form, &day, month, &year, &hour, &minute, &second, &end) == 6 && end > 0) break;
  }
  if (end == 0) {  // the form of C: `Sun Nov  6 08:49:37 1994`
    // NOLINTNEXTLINE(cert-err34-c)
    const int read = std::sscanf(text.c_str(), "%*3[A-Za-z] %3[A-Za-z] %2u %2u:%2u:%2u %4d%n", month, &day, &hour,
                                 &minute, &second, &year, &end);
    if (read != 6 || end == 0) return std::nullopt;
  }
  if (year < 100) year += year < 70 ? 2000 : 1900;
  const size_t at = kMonths.find(month);
  if (at == std::string_view::npos || at % 3 != 0) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(at / 3 + 1)),
                                         std::chrono::day(day));
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

}  // namespace

/// An error of the caller's own sink comes back unchanged.
Error HttpError::to_error() const {
  return cause ? *cause : Error{code_of(kind), message, std::nullopt, 0};
}

std::string_view HttpResponse::header(std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (text::to_lower(header.name) == text::to_lower(name)) return header.value;
  }
  return "";
}

HttpClient::HttpClient() : pool_(std::make_unique<ConnectionPool>()) {}
HttpClient::~HttpClient() = default;

/// Each transfer has a connection for itself while it runs, so several threads can send at the same time.
std::expected<HttpResponse, HttpError> HttpClient::send(const HttpRequest& request, const HttpSink& on_data,
                                                        std::stop_token stop) {
  return HttpTransfer(*pool_, request, on_data, stop).run();
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
  const auto date = read_http_date(value);
  if (!date) return std::nullopt;
  // A date in the past means that the next attempt may start now.
  const auto left = std::chrono::ceil<std::chrono::seconds>(*date - now);
  return std::max(left, std::chrono::seconds(0));
}

}  // namespace grapnel::net
