#include "net/response_reader.h"

#include <limits>

#include <boost/beast/http/basic_parser.hpp>

// The only file of this folder that includes Boost: its headers take long to compile.
namespace grapnel::net {

namespace {

namespace beast = boost::beast::http;
using ErrorCode = boost::system::error_code;

HttpError broken(std::string message, bool has_received) {
  return {HttpFailure::Broken, std::move(message), has_received, std::nullopt};
}

}  // namespace

class ResponseReader::Parser final : public beast::basic_parser<false> {
 public:
  Parser(HttpResponse& response, std::string& body, bool has_body) : response_(response), body_(body) {
    header_limit(std::numeric_limits<uint32_t>::max());  // the reader counts
    body_limit(std::numeric_limits<uint64_t>::max());
    eager(true);
    skip(!has_body);
  }

 private:
  using Text = boost::beast::string_view;

  void on_request_impl(beast::verb, Text, Text, int, ErrorCode&) override {}
  void on_response_impl(int code, Text, int, ErrorCode&) override { response_.status = code; }
  void on_field_impl(beast::field, Text name, Text value, ErrorCode&) override {
    response_.headers.push_back({std::string(name), std::string(value)});
  }
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<uint64_t>&, ErrorCode&) override {}
  size_t on_body_impl(Text bytes, ErrorCode&) override {
    body_.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(uint64_t, Text, ErrorCode&) override {}
  size_t on_chunk_body_impl(uint64_t, Text bytes, ErrorCode& error) override { return on_body_impl(bytes, error); }
  void on_finish_impl(ErrorCode&) override {}

  HttpResponse& response_;
  std::string& body_;
};

ResponseReader::ResponseReader(bool has_body, size_t max_bytes) : has_body_(has_body), max_bytes_(max_bytes) {
  start();
}
ResponseReader::~ResponseReader() = default;

void ResponseReader::start() {
  response_ = {};
  parser_ = std::make_unique<Parser>(response_, body_, has_body_);
}

bool ResponseReader::is_head_done() const {
  return parser_->is_header_done();
}

bool ResponseReader::is_done() const {
  return parser_->is_done();
}

bool ResponseReader::keeps_connection() const {
  return is_done() && pending_.empty() && parser_->keep_alive();
}

std::expected<void, HttpError> ResponseReader::count(size_t bytes) {
  counted_ += bytes;
  if (counted_ <= max_bytes_) return {};
  return std::unexpected(HttpError{
      HttpFailure::TooLarge, "the answer is larger than " + std::to_string(max_bytes_) + " bytes", true, std::nullopt});
}

std::expected<std::string_view, HttpError> ResponseReader::take(std::string_view bytes) {
  has_received_ = has_received_ || !bytes.empty();
  pending_ += bytes;
  body_.clear();
  while (!pending_.empty() && !is_done()) {
    const bool is_in_head = !is_head_done();
    // The parser takes whole lines of a head; what it leaves counts, too, or a head without an end would have no limit.
    if (is_in_head && counted_ + std::min(pending_.find("\r\n\r\n"), pending_.size()) > max_bytes_) {
      return std::unexpected(std::move(count(max_bytes_ + 1).error()));
    }
    ErrorCode error;
    const size_t used = parser_->put(boost::asio::buffer(pending_), error);
    pending_.erase(0, used);
    if (error && error != beast::error::need_more) {
      return std::unexpected(broken("the answer is not HTTP: " + error.message(), true));
    }
    if (is_in_head) {
      if (auto counted = count(used - std::min(used, body_.size())); !counted) return std::unexpected(counted.error());
    }
    const bool is_interim = is_done() && response_.status / 100 == 1 && response_.status != 101;
    if (is_interim) start();
    if (used == 0 && !is_interim) break;
  }
  if (auto counted = count(body_.size()); !counted) return std::unexpected(std::move(counted.error()));
  return body_;
}

std::expected<void, HttpError> ResponseReader::end() {
  if (!has_received_) return std::unexpected(broken("the server closed the connection without an answer", false));
  ErrorCode error;
  if (parser_->got_some()) parser_->put_eof(error);  // nothing came behind an interim answer otherwise
  if (!error && is_done()) return {};
  return std::unexpected(broken("the connection ended before the answer was complete", true));
}

}  // namespace grapnel::net
