#include "cli/agent/errands.h"

#include <array>

#include "base/text.h"
#include "cli/judge_errand.h"
#include "cli/post_errand.h"
#include "grapnel_agent/http_poster.h"
#include "grapnel_agent/judge.h"
#include "llm/provider.h"

namespace grapnel::cli {

namespace {

Result<Json> send_post(const Json& task, const Environment&) {
  const auto post = read_post(task);
  if (!post) return std::unexpected(post.error());
  auto reply = agent::make_http_poster()->post(*post, {});
  if (!reply) return std::unexpected(reply.error());
  return write_reply(*reply);
}

Result<Json> ask_model(const Json& task, const Environment& env) {
  const auto question = read_question(task);
  if (!question) return std::unexpected(question.error());
  auto model = llm::make_model_client({.model = question->model, .env = env});
  if (!model) return std::unexpected(model.error());
  const std::stop_source nobody_stops_it;  // but whoever sent us, who ends the process
  auto words = agent::make_judge({.model = std::move(*model)})->judge(*question, nobody_stops_it.get_token());
  if (!words) return std::unexpected(words.error());
  return Json::string(text::to_valid_utf8(*words));
}

constexpr auto kErrands = std::to_array<Errand>({
    {kPostErrand, send_post},
    {kJudgeErrand, ask_model},
});

}  // namespace

std::span<const Errand> all_errands() {
  return kErrands;
}

}  // namespace grapnel::cli
