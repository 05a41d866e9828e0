#include "dialect/degrade.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "dialect/payload.h"

namespace grapnel {

namespace {

/// The names of wishes in records, in the order of `Wish`.
constexpr auto kNames = std::to_array<std::string_view>(
    {"deny", "ask", "allow", "input", "output", "prompt", "context", "stop", "env", "message", "notification",
     "model_request", "model_response", "tool_choice", "tail_call", "clear_context"});
static_assert(kNames.size() == kWishCount);

constexpr size_t kMaxShown = 400;  // bytes of a changed input that are quoted in a reason
// The reasons for a loss. "It" is the agent: `kimi cannot be told 'ask' here (nobody can be asked)`.
constexpr std::string_view kNoPlace = "its answer has no place for it";
constexpr std::string_view kShowsNobody = "it shows such a text to nobody";
constexpr std::string_view kNobodyToAsk = "nobody can be asked";
constexpr std::string_view kCannotBlock = "the event cannot be blocked";
constexpr std::string_view kDecidesItself = "it decides by its own rules";
constexpr std::string_view kOnlyApproved = "it only accepts a changed input together with an approval";
constexpr std::string_view kOnlyAdds = "it can only add arguments, and one is removed";

/// Whether one of these effects has a place in the answer.
bool has_any(const EventRow& row, std::initializer_list<Effect> effects) {
  return std::ranges::any_of(effects, [&](Effect effect) { return written_at(row, effect) != nullptr; });
}

Fit works_if(bool is_told, Fit otherwise = {Fit::How::Impossible, "", kNoPlace}) {
  return is_told ? Fit{} : otherwise;
}

/// A wish that is lost becomes a Deny if the row wants that and the event can be blocked; otherwise nothing is left of
/// it.
Fit degrades_to(const EventRow& row, Verdict verdict, std::string_view why) {
  if (verdict == Verdict::Deny && row.verdicts.can_deny) return {Fit::How::Degrades, "deny", why};
  return {Fit::How::Impossible, "", why};
}

/// A Deny always works where the event can be blocked: without a field for it, exit code 2 is used.
Fit fit_deny(const EventRow& row) {
  if (row.verdicts.can_deny) return {};
  if (written_at(row, Effect::Context) != nullptr) return {Fit::How::Degrades, "context", kCannotBlock};
  return {Fit::How::Impossible, "", kCannotBlock};
}

Fit fit_ask(const EventRow& row) {
  if (row.verdicts.asks_anyway || !word_for(row, Verdict::Ask).empty()) return {};
  return degrades_to(row, row.lost.ask, kNobodyToAsk);
}

/// Some agents only accept a changed input together with an approval. Approving on our own would be unsafe, so this is
/// a loss unless hooks did approve (see `settle_input`).
Fit fit_input(const EventRow& row) {
  if (!has_any(row, {Effect::InputReplace, Effect::InputMerge})) return degrades_to(row, row.lost.input, kNoPlace);
  return row.verdicts.rewrite_needs_allow ? degrades_to(row, row.lost.input, kOnlyApproved) : Fit{};
}

/// The effect whose place a wish needs, for wishes that have no rule of their own.
Effect place_of(Wish wish) {
  switch (wish) {
    case Wish::Output:
      return Effect::Output;
    case Wish::Context:
      return Effect::Context;
    case Wish::Notification:
      return Effect::Notification;
    case Wish::ModelRequest:
      return Effect::ModelRequest;
    case Wish::ModelResponse:
      return Effect::ModelResponse;
    case Wish::ToolChoice:
      return Effect::ToolChoice;
    case Wish::TailCall:
      return Effect::TailCall;
    case Wish::ClearContext:
      return Effect::ClearContext;
    default:
      return Effect::Message;
  }
}

/// Whether the rewrite removes an argument, and the agent can only merge arguments into the input.
bool loses_removal(const Effects& effects, const EventRow& row, const Json& input) {
  if (!effects.input || effects.input->mode != Rewrite::Mode::Replace) return false;
  if (written_at(row, Effect::InputMerge) == nullptr) return false;
  for (const JsonMember& member : input.members()) {
    if (!effects.input->value[member.key]) return true;
  }
  return false;
}

/// Changes effects step by step until the agent can be told all of them.
///
/// The order of the steps matters. Stop, Ask, prompt and input come first, because each of them may become a Deny. An
/// Allow is checked after the input, since some agents only obey it together with a changed input. Deny comes after
/// everything that can lead to one. The rest only has to be reported: the answer has no place for it, so it is not
/// written.
class Degrading {
 public:
  Degrading(Effects effects, const EventRow& row, const Json& input)
      : row_(row), input_(input), out_{std::move(effects), {}} {}

  Degraded run() {
    settle_stop();
    settle_ask();
    settle_prompt();
    settle_input();
    settle_allow();
    settle_deny();
    settle_rest();
    return std::move(out_);
  }

 private:
  Effects& effects() { return out_.effects; }

  /// Notes a loss for the record.
  void lose(Wish wish, const Fit& fit) {
    const std::string_view to = fit.how == Fit::How::Degrades ? fit.to : "dropped";
    out_.losses.push_back({std::string(to_string(wish)), std::string(to), std::string(fit.why)});
  }

  void deny(std::string reason) {
    effects().verdict = Verdict::Deny;
    effects().reasons = {{"", std::move(reason)}};
  }

  /// A stop becomes a Deny, so that at least this action does not happen.
  void settle_stop() {
    const Fit told = fit(row_, Wish::Stop);
    if (!effects().stop || told.how == Fit::How::Works) return;
    lose(Wish::Stop, told);
    if (told.how == Fit::How::Impossible) return;
    effects().verdict = Verdict::Deny;
    if (effects().reasons.empty()) effects().reasons = effects().stop_reasons;
  }

  /// Without a word for Ask, either the agent asks anyway, and nothing needs to be said, or the Ask becomes a Deny; at
  /// an event that cannot be blocked it is lost.
  void settle_ask() {
    if (effects().verdict != Verdict::Ask || !word_for(row_, Verdict::Ask).empty()) return;
    const Fit told = fit(row_, Wish::Ask);
    if (told.how != Fit::How::Works) lose(Wish::Ask, told);
    effects().verdict = told.how == Fit::How::Degrades ? Verdict::Deny : Verdict::Pass;
    if (effects().verdict == Verdict::Pass) effects().reasons.clear();
  }

  /// A changed input that cannot be told becomes a Deny which quotes it: the model can make that call itself.
  void settle_input() {
    if (!effects().input || effects().verdict == Verdict::Deny) return effects().input.reset();
    Fit told = fit(row_, Wish::Input);
    // Hooks approved the call themselves, so the change can be told together with their approval.
    if (row_.verdicts.rewrite_needs_allow && effects().verdict == Verdict::Allow) told = {};
    if (loses_removal(effects(), row_, input_)) told = degrades_to(row_, row_.lost.input, kOnlyAdds);
    if (told.how == Fit::How::Works) return;
    lose(Wish::Input, told);
    const std::string wanted = text::cap(effects().input->apply(input_).dump(), kMaxShown);
    effects().input.reset();
    if (told.how == Fit::How::Impossible) return;
    deny("a hook wanted to change this call to " + wanted + ", but this agent does not accept that (" +
         std::string(told.why) + ")");
  }

  void settle_prompt() {
    if (!effects().prompt || effects().verdict == Verdict::Deny) return;
    const Fit told = fit(row_, Wish::Prompt);
    if (told.how == Fit::How::Works) return;
    lose(Wish::Prompt, told);
    if (told.how == Fit::How::Degrades)
      deny("a hook wanted to change this prompt, but this agent does not accept that");
    effects().prompt.reset();
  }

  /// Without a word for Allow nothing is said, and the agent decides by its own rules.
  void settle_allow() {
    const bool is_told =
        !word_for(row_, Verdict::Allow).empty() && (!row_.verdicts.allow_needs_rewrite || effects().input);
    if (effects().verdict != Verdict::Allow || is_told) return;
    lose(Wish::Allow, {Fit::How::Degrades, "pass", kDecidesItself});
    effects().verdict = Verdict::Pass;
    effects().reasons.clear();
  }

  /// At an event that cannot be blocked the reasons go to the model as context, or to people as messages.
  void settle_deny() {
    const Fit told = fit_deny(row_);
    if (effects().verdict != Verdict::Deny || told.how == Fit::How::Works) return;
    lose(Wish::Deny, told);
    auto& to = told.how == Fit::How::Degrades ? effects().context : effects().messages;
    to.insert(to.begin(), effects().reasons.begin(), effects().reasons.end());
    effects().reasons.clear();
    effects().verdict = Verdict::Pass;
  }

  /// Reports the other effects that have no place in the answer.
  void settle_rest() {
    const Effects& wanted = effects();
    const auto check = [&](Wish wish, bool is_wanted) {
      const Fit told = is_wanted ? fit(row_, wish) : Fit{};
      if (told.how != Fit::How::Works) lose(wish, told);
    };
    check(Wish::Output, wanted.output.has_value());
    check(Wish::Context, !wanted.context.empty());
    check(Wish::Env, !wanted.env.empty());
    check(Wish::Message, !wanted.messages.empty());
    check(Wish::Notification, wanted.notification.has_value());
    check(Wish::ModelRequest, wanted.model_request.has_value());
    check(Wish::ModelResponse, wanted.model_response.has_value());
    check(Wish::ToolChoice, wanted.tool_choice.has_value());
    check(Wish::TailCall, wanted.tail_call.has_value());
    check(Wish::ClearContext, wanted.clear_context);
  }

  const EventRow& row_;
  const Json& input_;
  Degraded out_;
};

}  // namespace

std::string_view to_string(Wish wish) {
  return kNames[static_cast<size_t>(wish)];
}

std::span<const Wish> wishes_at(EventKind kind) {
  // Each list names the wishes in the order in which tables show them. Add a wish to a list when hooks can have it
  // there in some dialect.
  using enum Wish;
  static constexpr std::array kSessionStart = {Deny, Context, Stop, Env, Message};
  static constexpr std::array kPrompt = {Deny, Prompt, Context, Stop, Message};
  static constexpr std::array kBefore = {Deny, Ask, Allow, Input, Context, Stop, Message};
  static constexpr std::array kAsking = {Deny, Allow, Input, Stop, Message};
  static constexpr std::array kAfter = {Deny, Output, Context, Stop, TailCall, Message};
  static constexpr std::array kGate = {Deny, Context, Stop, ClearContext, Message};
  static constexpr std::array kModel = {Deny, ModelRequest, ModelResponse, Stop, Message};
  static constexpr std::array kAnswered = {Deny, ModelResponse, Stop, Message};
  static constexpr std::array kSelection = {ToolChoice};
  static constexpr std::array kNotification = {Deny, Wish::Notification, Message};
  static constexpr std::array kPlain = {Deny, Context, Stop, Message};
  static constexpr std::array kObserved = {Message};
  switch (kind) {
    case EventKind::SessionStart:
      return kSessionStart;
    case EventKind::UserPromptSubmit:
      return kPrompt;
    case EventKind::PreToolUse:
      return kBefore;
    case EventKind::PermissionRequest:
      return kAsking;
    case EventKind::PostToolUse:
    case EventKind::PostToolUseFailure:
      return kAfter;
    case EventKind::Stop:
    case EventKind::SubagentStop:
    case EventKind::TaskCompleted:
    case EventKind::TeammateIdle:
      return kGate;
    case EventKind::BeforeModel:
      return kModel;
    case EventKind::AfterModel:
      return kAnswered;
    case EventKind::BeforeToolSelection:
      return kSelection;
    case EventKind::Notification:
      return kNotification;
    case EventKind::TurnEnd:
    case EventKind::SubagentStart:
    case EventKind::PreCompact:
    case EventKind::PostToolBatch:
    case EventKind::UserPromptExpansion:
    case EventKind::TaskCreated:
    case EventKind::ConfigChange:
    case EventKind::WorktreeCreate:
    case EventKind::Elicitation:
    case EventKind::ElicitationResult:
    case EventKind::PreModelSwitch:
    case EventKind::PostModelSwitch:
      return kPlain;
    default:
      return kObserved;
  }
  return kObserved;
}

Fit fit(const EventRow& row, Wish wish) {
  switch (wish) {
    case Wish::Deny:
      return fit_deny(row);
    case Wish::Ask:
      return fit_ask(row);
    case Wish::Allow:
      return works_if(!word_for(row, Verdict::Allow).empty() && !row.verdicts.allow_needs_rewrite,
                      {Fit::How::Degrades, "pass", kDecidesItself});
    case Wish::Input:
      return fit_input(row);
    case Wish::Prompt:
      return works_if(written_at(row, Effect::Prompt) != nullptr, degrades_to(row, row.lost.prompt, kNoPlace));
    case Wish::Stop:
      return works_if(has_any(row, {Effect::StopIfFalse, Effect::StopIfTrue}),
                      degrades_to(row, Verdict::Deny, kNoPlace));
    case Wish::Env:
      return works_if(!row.running.env_file.empty() || written_at(row, Effect::Env) != nullptr);
    case Wish::Message:
      if (written_at(row, Effect::Message) == nullptr) return {Fit::How::Degrades, "stderr", kNoPlace};
      return works_if(row.answer.shows_message, {Fit::How::Impossible, "", kShowsNobody});
    default:
      return works_if(written_at(row, place_of(wish)) != nullptr);
  }
}

Degraded degrade(Effects effects, const EventRow& row, const Json& input) {
  return Degrading(std::move(effects), row, input).run();
}

std::vector<Degradation> losses_of(const Effects& effects, const Event& event) {
  const Dialect& to = event.dialect();
  if (&to == &kCanonicalDialect || effects.is_neutral()) return {};
  return degrade(effects, row_of(event), field_as(event, to, Field::ToolInput)).losses;
}

const OutputRow* written_at(const EventRow& row, Effect effect) {
  const auto is_meant = [&](const OutputRow& output) { return output.effect == effect && !output.only_read; };
  const auto found = std::ranges::find_if(row.answer.outputs, is_meant);
  return found == row.answer.outputs.end() ? nullptr : &*found;
}

std::string_view word_for(const EventRow& row, Verdict verdict) {
  const auto is_meant = [&](const WordRow& word) { return word.verdict == verdict && !word.only_read; };
  const auto found = std::ranges::find_if(row.answer.words, is_meant);
  // Words may be listed only for reading; without a place for the verdict none of them can be written.
  const bool is_told = found != row.answer.words.end() && written_at(row, Effect::Verdict) != nullptr;
  return is_told ? found->word : std::string_view{};
}

bool can_say_deny(const EventRow& row) {
  return !word_for(row, Verdict::Deny).empty() ||
         has_any(row, {Effect::DenyIfTrue, Effect::DenyIfFalse, Effect::Objection});
}

bool reaches_people(const EventRow& row) {
  return row.answer.shows_message && written_at(row, Effect::Message) != nullptr;
}

bool reaches_people(const EventRow& row, Verdict verdict) {
  const bool is_exit_code = verdict == Verdict::Deny && row.verdicts.can_deny && !can_say_deny(row);
  return reaches_people(row) && !is_exit_code;
}

bool reaches_people(const Dialect& agent) {
  return std::ranges::any_of(agent.events, [](const EventRow& row) { return reaches_people(row); });
}

}  // namespace grapnel
