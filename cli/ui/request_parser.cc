#include <algorithm>

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "base/text.h"
#include "cli/ui/http.h"

// The only file that includes Boost: its headers take longer to compile than everything else here.

namespace grapnel::cli {

namespace {

namespace beast = boost::beast::http;
using Parser = beast::request_parser<beast::string_body>;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Decodes `%41`, and `+` in queries. Nothing for a text with half an escape, or with a control character.
std::optional<std::string> decode(std::string_view text, bool is_query) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && is_query) {
      c = ' ';
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    out += c;
  }
  return out;
}

std::optional<HttpRefusal> read_target(std::string_view target, HttpRequest& request) {
  // Other forms (`http://…`, `*`) are for proxies and for OPTIONS; this is neither.
  if (!target.starts_with('/') || target.starts_with("//") || target.contains('#')) {
    return HttpRefusal{400, "the target of a request is a path"};
  }
  const size_t mark = target.find('?');
  const auto path = decode(target.substr(0, mark), false);
  if (!path) return HttpRefusal{400, "the path is not readable"};
  request.path = *path;
  if (mark == std::string_view::npos) return std::nullopt;
  for (const std::string_view part : text::split(target.substr(mark + 1), '&')) {
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    auto name = decode(part.substr(0, equals), true);
    auto value = decode(equals == std::string_view::npos ? "" : part.substr(equals + 1), true);
    if (!name || !value) return HttpRefusal{400, "the query is not readable"};
    request.query.emplace_back(std::move(*name), std::move(*value));
  }
  return std::nullopt;
}

HttpRefusal refusal_for(boost::system::error_code error) {
  if (error == beast::error::header_limit) return {431, "the headers are too long"};
  if (error == beast::error::body_limit) return {413, "the body is too long"};
  return {400, "this is not a request: " + error.message()};
}

std::expected<HttpRequest, HttpRefusal> to_request(Parser& parser) {
  auto& message = parser.get();
  HttpRequest request{.method = std::string(message.method_string()),
                      .path = {},
                      .query = {},
                      .headers = {},
                      .body = std::move(message.body()),
                      .keeps_alive = message.keep_alive()};
  for (const auto& field : message) {
    request.headers.emplace_back(text::to_lower(std::string(field.name_string())), std::string(field.value()));
  }
  // Browsers send no chunks, and every coding is one more way to hide where a body ends.
  if (request.count_headers("transfer-encoding") > 0) return std::unexpected(HttpRefusal{501, "send a Content-Length"});
  if (auto refusal = read_target({message.target().data(), message.target().size()}, request)) {
    return std::unexpected(*refusal);
  }
  return request;
}

}  // namespace

struct RequestParser::State {
  State() {
    parser.header_limit(kMaxHeaderBytes);
    parser.body_limit(kMaxBodyBytes);
    parser.eager(true);
  }
  Parser parser;
  size_t head = 0;  ///< bytes of headers that the parser has taken
};

RequestParser::RequestParser() = default;
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser::~RequestParser() = default;

std::expected<std::optional<HttpRequest>, HttpRefusal> RequestParser::take(std::string_view bytes) {
  pending_ += bytes;
  if (!state_) state_ = std::make_unique<State>();
  Parser& parser = state_->parser;
  while (!pending_.empty() && !parser.is_done()) {
    has_begun_ = true;
    // The parser's own limit is for each of the pieces in which headers arrive.
    const bool is_in_head = !parser.is_header_done();
    if (is_in_head && state_->head + std::min(pending_.find("\r\n\r\n"), pending_.size()) > kMaxHeaderBytes) {
      return std::unexpected(refusal_for(beast::error::header_limit));
    }
    boost::system::error_code error;
    const size_t used = parser.put(boost::asio::buffer(pending_), error);
    if (is_in_head) state_->head += used;
    pending_.erase(0, used);
    if (error && error != beast::error::need_more) return std::unexpected(refusal_for(error));
    if (used == 0) break;
  }
  if (!parser.is_done()) return std::nullopt;
  auto request = to_request(parser);
  state_.reset();
  has_begun_ = !pending_.empty();
  if (!request) return std::unexpected(request.error());
  return std::move(*request);
}

}  // namespace grapnel::cli
