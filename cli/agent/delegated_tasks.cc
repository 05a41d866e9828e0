#include "cli/agent/delegated_tasks.h"

#include <array>

#include "base/text.h"
#include "cli/http_task.h"
#include "cli/judge_task.h"
#include "grapnel_agent/http_hook_client.h"
#include "grapnel_agent/judge.h"
#include "llm/provider.h"

namespace grapnel::cli {

namespace {

/// Sends an http hook. The request contains its own limits, which the engine has set.
Result<Json> send_http_request(const Json& task, const Environment&) {
  const auto request = read_http_request(task);
  if (!request) return std::unexpected(request.error());
  auto reply = agent::make_http_hook_client()->send(*request, {});
  if (!reply) return std::unexpected(reply.error());
  return write_reply(*reply);
}

/// Answers a prompt hook. The judge gets no engine, so no hooks apply to the tools that it calls.
Result<Json> ask_model(const Json& task, const Environment& env) {
  const auto question = read_question(task);
  if (!question) return std::unexpected(question.error());
  auto model = llm::make_model_client({.model = question->model, .env = env});
  if (!model) return std::unexpected(model.error());
  // Cancelling means that `grapnel` ends this process; no stop request is needed.
  const std::stop_source nobody_stops_it;
  auto words = agent::make_judge({.model = std::move(*model)})->judge(*question, nobody_stops_it.get_token());
  if (!words) return std::unexpected(words.error());
  // A model's bytes are not always UTF-8, but JSON has to be.
  return Json::string(text::to_valid_utf8(*words));
}

constexpr auto kTasks = std::to_array<DelegatedTask>({
    {kHttpTask, send_http_request},
    {kJudgeTask, ask_model},
});

}  // namespace

std::span<const DelegatedTask> all_delegated_tasks() {
  return kTasks;
}

}  // namespace grapnel::cli
