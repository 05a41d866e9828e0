#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/text.h"
#include "cli/fleet/export_sink.h"
#include "fleet/otlp.h"
#include "net/http_client.h"

namespace grapnel::cli {

namespace {

using Records = std::span<const fleet::CentralRecord>;

constexpr std::chrono::milliseconds kUsualTimeout{10'000};
constexpr size_t kMaxReply = size_t{64} << 10;
constexpr size_t kMaxSaid = 200;       ///< of the server's own words
constexpr int64_t kManyRefusals = 16;  ///< of single records, before the server is thought to be no collector

/// A kind of data: its path, its body, and the member of the answer that counts what was not taken.
struct Signal {
  std::string_view path;
  Json (*body)(Records records, std::string_view version);
  std::string_view rejected;
};
constexpr auto kSignals = std::to_array<Signal>({
    {"/v1/logs", fleet::otlp_logs, "rejectedLogRecords"},
    {"/v1/traces", fleet::otlp_traces, "rejectedSpans"},
});

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const begin = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(begin, begin + 2, byte, 16).ptr == begin + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// `name=value,name=value`. Fails: BadInput.
Result<std::vector<net::HttpHeader>> headers_of(std::string_view list) {
  std::vector<net::HttpHeader> out = {{"Content-Type", "application/json"}};
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    const size_t equals = one.find('=');
    if (text::trim(one).empty()) continue;
    if (equals == std::string_view::npos || equals == 0)
      return fail(Errc::BadInput, "OTEL_EXPORTER_OTLP_HEADERS: write NAME=VALUE,NAME=VALUE");
    out.push_back(
        {std::string(text::trim(one.substr(0, equals))), percent_decoded(text::trim(one.substr(equals + 1)))});
  }
  return out;
}

Result<std::chrono::milliseconds> timeout_of(std::string_view text) {
  int64_t ms = kUsualTimeout.count();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (!text.empty() && (error != std::errc() || end != text.data() + text.size() || ms <= 0))
    return fail(Errc::BadInput, "OTEL_EXPORTER_OTLP_TIMEOUT: write milliseconds, such as 10000");
  return std::chrono::milliseconds(ms);
}

class OtlpSink final : public ExportSink {
 public:
  OtlpSink(std::string url, net::HttpRequest request, Console& console)
      : url_(std::move(url)), request_(std::move(request)), console_(console) {}

  std::string target() const override { return "otlp " + url_; }
  int64_t refused() const override { return refused_; }

  Result<void> deliver(Records records) override {
    for (const Signal& signal : kSignals) {
      taken_ = passed_over_ = 0;
      if (auto done = deliver(records, signal); !done) return done;
      if (taken_ > 0 || passed_over_ == 0) continue;
      return fail(Errc::Refused, said_ + "; it takes none of the records");
    }
    return {};
  }

 private:
  /// Why a request was not taken, and whether its content is to blame.
  struct Refusal {
    Error error;
    bool is_content = false;
  };

  // A server that does not like a record refuses all of its request, so the request is cut until that one is alone.
  Result<void> deliver(Records records, const Signal& signal) {
    const auto sent = post(records, signal);
    if (sent) {
      ++taken_;
      return {};
    }
    if (!sent.error().is_content) return std::unexpected(sent.error().error);
    if (records.size() > 1) {
      const size_t half = records.size() / 2;
      if (auto done = deliver(records.first(half), signal); !done) return done;
      return deliver(records.subspan(half), signal);
    }
    said_ = sent.error().error.message;
    ++refused_;
    if (++passed_over_ >= kManyRefusals && taken_ == 0) return fail(Errc::Refused, said_ + "; it takes no record");
    console_.say("record " + printable(records.front().hash.substr(0, 16)) + " of " +
                 printable(records.front().machine) + ": " + printable(said_));
    return {};
  }

  std::expected<void, Refusal> post(Records records, const Signal& signal) {
    request_.url = url_ + std::string(signal.path);
    request_.body = signal.body(records, GRAPNEL_VERSION).dump();
    const auto answer = client_.send(request_);
    if (!answer) {
      const auto kind = answer.error().kind;
      const bool is_mistake = kind == net::HttpFailure::BadRequest || kind == net::HttpFailure::Tls;
      return std::unexpected(Refusal{{is_mistake ? Errc::Refused : Errc::Unavailable, answer.error().message, {}, 0}});
    }
    if (answer->is_success()) {
      note_partial(*answer, signal);
      return {};
    }
    const int status = answer->status;
    const std::string what = request_.url + " answers " + std::to_string(status) + " " +
                             printable(std::string_view(answer->body).substr(0, kMaxSaid));
    const bool may_help = status == 429 || status == 502 || status == 503 || status == 504;
    return std::unexpected(
        Refusal{{may_help ? Errc::Unavailable : Errc::Refused, what, {}, 0}, status == 400 || status == 413});
  }

  /// It has taken the request, but not all that was in it, and does not want that again.
  void note_partial(const net::HttpResponse& answer, const Signal& signal) {
    const Json partial = Json::parse(answer.body).value_or(Json())["partialSuccess"];
    const Json count = partial[signal.rejected];
    int64_t rejected = count.as_integer().value_or(0);
    const std::string digits = count.as_string().value_or("");
    std::from_chars(digits.data(), digits.data() + digits.size(), rejected);
    if (rejected <= 0) return;
    refused_ += rejected;
    console_.say(request_.url + " did not take " + std::to_string(rejected) + ": " +
                 printable(partial["errorMessage"].as_string().value_or("").substr(0, kMaxSaid)));
  }

  std::string url_;
  net::HttpRequest request_;
  Console& console_;
  net::HttpClient client_;
  int64_t refused_ = 0;
  int64_t taken_ = 0;        ///< requests of the present page
  int64_t passed_over_ = 0;  ///< records of the present page
  std::string said_;
};

}  // namespace

Result<std::unique_ptr<ExportSink>> make_otlp_sink(const std::string& url, const Environment& env, Console& console) {
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    return fail(Errc::BadInput, "--otlp " + printable(url) +
                                    ": write the base URL of a collector, such as https://otel.example.com:4318");
  auto headers = headers_of(env.get("OTEL_EXPORTER_OTLP_HEADERS"));
  if (!headers) return std::unexpected(headers.error());
  const auto timeout = timeout_of(env.get("OTEL_EXPORTER_OTLP_TIMEOUT"));
  if (!timeout) return std::unexpected(timeout.error());
  net::HttpRequest request{.method = "POST", .headers = std::move(*headers), .max_response_bytes = kMaxReply};
  request.timeouts = {.connect = *timeout, .idle = *timeout, .total = *timeout};
  request.ca_file = env.get("OTEL_EXPORTER_OTLP_CERTIFICATE");
  return std::make_unique<OtlpSink>(url.substr(0, url.find_last_not_of('/') + 1), std::move(request), console);
}

}  // namespace grapnel::cli
