#include "decide/read_judgement.h"

#include <algorithm>

#include "base/text.h"
#include "decide/output_json.h"
#include "decide/read_answer.h"

namespace grapnel {

namespace {

/// How many bytes of the model's text a failure quotes.
constexpr size_t kMaxShown = 200;

/// Models also quote objects from the event. Only one with a verdict, or with a member that the event reads, is an
/// answer.
bool is_answer(const HookSpec& hook, const EventRow& row, const Json& object) {
  return object["ok"] || holds_answer(hook, row, object);
}

HookAnswer failed(std::string what) {
  HookAnswer answer;
  answer.failure = Failure{Cause::Output, std::move(what)};
  return answer;
}

/// The model objects (`ok` is false): the event is denied, and the turn ends if the dialect and the hook want that.
void object_to_event(const HookSpec& hook, const EventRow& row, const Json& said, HookAnswer& answer) {
  const auto* ask = std::get_if<PromptHandler>(&hook.handler);
  // At the end of a turn an objection keeps the agent working. If the model says that the goal cannot be reached, this
  // would only repeat until the loop cap, so the agent may stop.
  const bool is_end = row.kind == EventKind::Stop || row.kind == EventKind::SubagentStop;
  if (ask != nullptr && is_end && said["impossible"].as_bool() == true) {
    answer.complaints.emplace_back("the model says that the goal cannot be reached, so the gate stays open");
    return;
  }
  Effects& effects = answer.effects;
  effects.verdict = Verdict::Deny;
  const std::string reason = said["reason"].as_string().value_or("");
  const Attributed why{hook.name, reason.empty() ? std::string(hook.dialect->answer.default_reason) : reason};
  // The rows of the dialect may already have read the same reason.
  const bool is_said = std::ranges::find(effects.reasons, why) != effects.reasons.end();
  if (!is_said && (!reason.empty() || effects.reasons.empty())) effects.reasons.push_back(why);
  if (!row.verdicts.objection_stops || ask == nullptr || ask->goes_on) return;
  effects.stop = true;
  effects.stop_reasons.push_back(why);
}

}  // namespace

HookAnswer read_judgement(const HookSpec& hook, const EventRow& row, const Capture& said) {
  if (said.dropped > 0) {
    return failed("the answer is longer than the limit (" + std::to_string(said.dropped) + " bytes over)");
  }
  const std::string text(text::trim(text::to_valid_utf8(said.bytes)));
  if (text.empty()) return failed("the answer is empty");
  std::vector<Json> answers = objects_in(text);
  std::erase_if(answers, [&](const Json& object) { return !is_answer(hook, row, object); });
  if (answers.empty()) return failed("the answer contains no verdict: " + text::cap(text, kMaxShown));
  if (answers.size() > 1) return failed("the answer has more than one verdict: " + text::cap(text, kMaxShown));

  HookAnswer answer;
  const Json& object = answers.front();
  const Json ok = object["ok"];
  if (ok && !ok.as_bool()) return failed("/ok should be true or false: " + text::cap(ok.dump(), kMaxShown));
  read_answer(hook, row, object.without("ok"), answer);  // some dialects have a row for it, too
  if (answer.failure) {
    answer.effects = {};
    return answer;
  }
  if (ok.as_bool() == false) object_to_event(hook, row, object, answer);
  return answer;
}

}  // namespace grapnel
