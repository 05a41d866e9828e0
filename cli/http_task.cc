#include "cli/http_task.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/delegated_task.h"

namespace grapnel::cli {

namespace {

/// Sends each request as a delegated task. It keeps its own copy of the environment, because engines outlive requests.
class DelegatingHttpClient final : public HttpHookClient {
 public:
  explicit DelegatingHttpClient(const Environment& env) : env_(env) {}

  Result<HttpHookReply> send(const HttpHookRequest& request, std::stop_token cancel) override {
    const auto answer =
        delegate_task(kHttpTask, write_http_request(request), {request.timeout, request.max_reply}, env_, cancel);
    if (!answer) return std::unexpected(answer.error());
    return read_reply(*answer);
  }

 private:
  Environment env_;
};

/// A number of the object, or 0 when it is missing.
int64_t number_at(const Json& json, std::string_view key) {
  return json[key].as_integer().value_or(0);
}

}  // namespace

// Headers are an array of pairs: an object could not keep two headers of the same name, nor their order.
Json write_http_request(const HttpHookRequest& request) {
  std::vector<Json> headers;
  for (const auto& [name, value] : request.headers) {
    headers.push_back(Json::array({Json::string(name), Json::string(text::to_valid_utf8(value))}));
  }
  return Json::object({{"url", Json::string(request.url)},
                       {"headers", Json::array(headers)},
                       {"body", Json::string(request.body)},
                       {"loopback", Json::boolean(request.loopback_addresses)},
                       {"private", Json::boolean(request.private_addresses)},
                       {"max_reply", Json::number(static_cast<int64_t>(request.max_reply))},
                       {"timeout", Json::number(static_cast<int64_t>(request.timeout.count()))}});
}

// Missing members get the safest value: without "loopback" and "private", only public addresses are allowed.
Result<HttpHookRequest> read_http_request(const Json& json) {
  HttpHookRequest request;
  request.url = json["url"].as_string().value_or("");
  if (request.url.empty()) return fail(Errc::BadInput, "a request needs a url");
  for (const Json& header : json["headers"].elements()) {
    request.headers.emplace_back(header.at(0).as_string().value_or(""), header.at(1).as_string().value_or(""));
  }
  request.body = json["body"].as_string().value_or("");
  request.loopback_addresses = json["loopback"].as_bool().value_or(false);
  request.private_addresses = json["private"].as_bool().value_or(false);
  // Negative numbers can only come from a broken caller; they must not turn into huge limits.
  request.max_reply = static_cast<size_t>(std::max<int64_t>(number_at(json, "max_reply"), 0));
  request.timeout = std::chrono::milliseconds(std::max<int64_t>(number_at(json, "timeout"), 1));
  return request;
}

// The reply comes from a foreign server, so its text may be in any encoding.
Json write_reply(const HttpHookReply& reply) {
  return Json::object({{"status", Json::number(int64_t{reply.status})},
                       {"content_type", Json::string(text::to_valid_utf8(reply.content_type))},
                       {"body", Json::string(text::to_valid_utf8(reply.body))}});
}

HttpHookReply read_reply(const Json& json) {
  return {static_cast<int>(number_at(json, "status")), json["content_type"].as_string().value_or(""),
          json["body"].as_string().value_or("")};
}

std::shared_ptr<HttpHookClient> make_delegating_http_client(const Environment& env) {
  return std::make_shared<DelegatingHttpClient>(env);
}

}  // namespace grapnel::cli
