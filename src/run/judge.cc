#include "base/text.h"
#include "run/runner.h"

/// Hooks that a model answers: `prompt` hooks ask one question, `agent` hooks let the model use tools first. The judge
/// of the host does the talking; this file only prepares the question and takes the answer.
namespace grapnel {

namespace {

constexpr std::string_view kPlaceholder = "$ARGUMENTS";

/// The part of the question that comes from the settings of the hook. The rest depends on the event.
Judgement question_of(const HookSpec& hook) {
  Judgement question;
  if (const auto* ask = std::get_if<PromptHandler>(&hook.handler)) {
    question.prompt = ask->prompt;
    question.model = ask->model;
  } else if (const auto* agent = std::get_if<AgentHandler>(&hook.handler)) {
    question.prompt = agent->prompt;
    question.model = agent->model;
    question.with_tools = true;
    question.max_turns = agent->max_turns;
  }
  return question;
}

/// Asks, and keeps the first `max_output` bytes of the answer, as for the output of a command.
RunOutcome ask(Judge& judge, const Judgement& question, size_t max_output, std::stop_token stop) {
  RunOutcome outcome;
  auto answer = judge.judge(question, std::move(stop));
  if (!answer) {
    outcome.ending = Unanswered{answer.error().to_string()};
    return outcome;
  }
  outcome.ending = Judged{};
  outcome.out.dropped = answer->size() - std::min(answer->size(), max_output);
  outcome.out.bytes = answer->substr(0, max_output);
  return outcome;
}

}  // namespace

std::string fill_in_event(std::string_view prompt, std::string_view payload) {
  std::string out;
  bool is_there = false;
  for (size_t at = 0; at < prompt.size();) {
    if (prompt.substr(at).starts_with("\\$")) {
      out += '$';
      at += 2;
    } else if (prompt.substr(at).starts_with(kPlaceholder)) {
      out += payload;
      at += kPlaceholder.size();
      is_there = true;
    } else {
      out += prompt[at++];
    }
  }
  // A prompt without a placeholder gets the event at its end, since the model has to see it in any case.
  return is_there ? out : out + "\n\n" + std::string(payload);
}

TimedCall judge_call(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads) {
  Judgement question = question_of(hook);
  question.prompt = fill_in_event(question.prompt, text::trim(*payloads.get(event, hook, context)));
  // How many judges are above this one. The engine needs it to stop judging the tool calls of judges at some depth.
  question.depth = static_cast<uint32_t>(event.get(Field::JudgeDepth).as_integer().value_or(0));
  question.directory = working_dir(hook, event, context);
  question.timeout = hook.timeout;
  // The thread may outlive the event, so it shares the ownership of the judge and has its own copy of the question.
  return {[judge = context.judge, question = std::move(question), most = context.limits.max_output](
              std::stop_token stop) { return ask(*judge, question, most, std::move(stop)); },
          hook.timeout, context.limits.term_grace};
}

}  // namespace grapnel
