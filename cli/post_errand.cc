#include "cli/post_errand.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/errand.h"

namespace grapnel::cli {

namespace {

class ErrandPoster final : public HookPoster {
 public:
  explicit ErrandPoster(const Environment& env) : env_(env) {}

  Result<HookReply> post(const HookPost& post, std::stop_token cancel) override {
    const auto answer = send_errand(kPostErrand, write_post(post), {post.timeout, post.max_reply}, env_, cancel);
    if (!answer) return std::unexpected(answer.error());
    return read_reply(*answer);
  }

 private:
  Environment env_;
};

int64_t number_at(const Json& json, std::string_view key) {
  return json[key].as_integer().value_or(0);
}

}  // namespace

Json write_post(const HookPost& post) {
  std::vector<Json> headers;
  for (const auto& [name, value] : post.headers) {
    headers.push_back(Json::array({Json::string(name), Json::string(text::to_valid_utf8(value))}));
  }
  return Json::object({{"url", Json::string(post.url)},
                       {"headers", Json::array(headers)},
                       {"body", Json::string(post.body)},
                       {"loopback", Json::boolean(post.loopback_addresses)},
                       {"private", Json::boolean(post.private_addresses)},
                       {"max_reply", Json::number(static_cast<int64_t>(post.max_reply))},
                       {"timeout", Json::number(static_cast<int64_t>(post.timeout.count()))}});
}

Result<HookPost> read_post(const Json& json) {
  HookPost post;
  post.url = json["url"].as_string().value_or("");
  if (post.url.empty()) return fail(Errc::BadInput, "a post needs a url");
  for (const Json& header : json["headers"].elements()) {
    post.headers.emplace_back(header.at(0).as_string().value_or(""), header.at(1).as_string().value_or(""));
  }
  post.body = json["body"].as_string().value_or("");
  post.loopback_addresses = json["loopback"].as_bool().value_or(false);
  post.private_addresses = json["private"].as_bool().value_or(false);
  post.max_reply = static_cast<size_t>(std::max<int64_t>(number_at(json, "max_reply"), 0));
  post.timeout = std::chrono::milliseconds(std::max<int64_t>(number_at(json, "timeout"), 1));
  return post;
}

Json write_reply(const HookReply& reply) {
  return Json::object({{"status", Json::number(int64_t{reply.status})},
                       {"content_type", Json::string(text::to_valid_utf8(reply.content_type))},
                       {"body", Json::string(text::to_valid_utf8(reply.body))}});
}

HookReply read_reply(const Json& json) {
  return {static_cast<int>(number_at(json, "status")), json["content_type"].as_string().value_or(""),
          json["body"].as_string().value_or("")};
}

std::shared_ptr<HookPoster> make_errand_poster(const Environment& env) {
  return std::make_shared<ErrandPoster>(env);
}

}  // namespace grapnel::cli
