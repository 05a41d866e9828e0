#include "cli/judge_task.h"

#include "base/error.h"
#include "cli/delegated_task.h"

namespace grapnel::cli {

namespace {

/// A question without a timeout still ends some day; a process must not wait forever.
constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24);
/// The longest answer of a model, in bytes.
constexpr size_t kMaxWords = size_t{1} << 20;

/// Asks each question as a delegated task.
class DelegatingJudge final : public Judge {
 public:
  explicit DelegatingJudge(const Environment& env) : env_(env) {}

  Result<std::string> judge(const Judgement& question, std::stop_token cancel) override {
    // 0 means that the hook sets no limit.
    const auto timeout = question.timeout.count() > 0 ? question.timeout : kLongest;
    const auto answer = delegate_task(kJudgeTask, write_question(question), {timeout, kMaxWords}, env_, cancel);
    if (!answer) return std::unexpected(answer.error());
    return answer->as_string().value_or("");
  }

 private:
  Environment env_;
};

}  // namespace

// Both functions have to know the same members.
Json write_question(const Judgement& question) {
  return Json::object({{"prompt", Json::string(question.prompt)},
                       {"model", Json::string(question.model)},
                       {"with_tools", Json::boolean(question.with_tools)},
                       {"max_turns", Json::number(int64_t{question.max_turns})},
                       {"depth", Json::number(int64_t{question.depth})},
                       {"directory", Json::string(question.directory)},
                       {"timeout", Json::number(static_cast<int64_t>(question.timeout.count()))}});
}

Result<Judgement> read_question(const Json& json) {
  if (!json["prompt"].is_string()) return fail(Errc::BadInput, "the question has no prompt");
  const auto count = [&](std::string_view key) { return json[key].as_integer().value_or(0); };
  Judgement question;
  question.prompt = json["prompt"].as_string().value_or("");
  question.model = json["model"].as_string().value_or("");
  question.with_tools = json["with_tools"].as_bool().value_or(false);
  question.max_turns = static_cast<uint32_t>(count("max_turns"));
  question.depth = static_cast<uint32_t>(count("depth"));
  question.directory = json["directory"].as_string().value_or("");
  question.timeout = std::chrono::milliseconds(count("timeout"));
  return question;
}

std::shared_ptr<Judge> make_delegating_judge(const Environment& env) {
  return std::make_shared<DelegatingJudge>(env);
}

}  // namespace grapnel::cli
