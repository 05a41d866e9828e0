#include "cli/ui/http.h"

#include <algorithm>
#include <array>

#include "grapnel/json.h"

namespace grapnel::cli {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string value_in(const Pairs& pairs, std::string_view name) {
  const auto found = std::ranges::find(pairs, name, &Pairs::value_type::first);
  return found == pairs.end() ? "" : found->second;
}

struct StatusText {
  int status;
  std::string_view text;
};
constexpr auto kStatusTexts = std::to_array<StatusText>({{200, "OK"},
                                                         {400, "Bad Request"},
                                                         {401, "Unauthorized"},
                                                         {403, "Forbidden"},
                                                         {404, "Not Found"},
                                                         {405, "Method Not Allowed"},
                                                         {408, "Request Timeout"},
                                                         {409, "Conflict"},
                                                         {413, "Content Too Large"},
                                                         {415, "Unsupported Media Type"},
                                                         {421, "Misdirected Request"},
                                                         {431, "Request Header Fields Too Large"},
                                                         {500, "Internal Server Error"},
                                                         {501, "Not Implemented"},
                                                         {503, "Service Unavailable"}});

}  // namespace

std::string HttpRequest::header(std::string_view name) const {
  return value_in(headers, name);
}

std::string HttpRequest::parameter(std::string_view name) const {
  return value_in(query, name);
}

size_t HttpRequest::count_headers(std::string_view name) const {
  return static_cast<size_t>(std::ranges::count(headers, name, &Pairs::value_type::first));
}

std::string to_bytes(const HttpResponse& response, bool keeps_alive) {
  const auto* const text = std::ranges::find(kStatusTexts, response.status, &StatusText::status);
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + " " +
                    std::string(text == kStatusTexts.end() ? "Error" : text->text) + "\r\n";
  out += "Content-Type: " + response.type + "\r\n";
  for (const auto& [name, value] : response.headers) out.append(name).append(": ").append(value).append("\r\n");
  out += keeps_alive ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  if (response.stream) return out + "Transfer-Encoding: chunked\r\n\r\n";
  return out + "Content-Length: " + std::to_string(response.body.size()) + "\r\n\r\n" + response.body;
}

HttpResponse refuse(const HttpRefusal& refusal) {
  const Json error = Json::object({{"message", Json::string(refusal.message)},
                                   {"hint", refusal.hint.empty() ? Json() : Json::string(refusal.hint)}});
  return {.status = refusal.status, .body = Json::object({{"error", error}}).dump() + "\n"};
}

}  // namespace grapnel::cli
