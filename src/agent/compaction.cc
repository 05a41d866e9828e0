#include "agent/compaction.h"

#include "agent/model_step.h"
#include "agent/notification.h"

/// Compaction asks the model itself for the summary, with the whole conversation and `kSummaryPrompt` as the request.
/// That request has the hooks of every model call: what they filter must not leave by this way either.
/// The summary then becomes the first user message of a new conversation. Nothing in `messages` changes before the
/// summary has arrived, so a refusal, an interrupt or a failed model call leaves the conversation intact.
namespace grapnel::agent {

namespace {

constexpr std::string_view kSummaryPrompt =
    "Summarise the conversation so far so that you can continue without it: what the user wants, what was "
    "decided, which files were changed and how, and what is still open. Write only the summary.";
constexpr std::string_view kSummaryIntro = "Summary of the conversation so far:\n\n";
/// The trigger of a compaction that the loop started by itself.
constexpr std::string_view kAutoTrigger = "auto";

/// Whether the conversation fills more than `percent` of the model's context.
bool is_over(const Messages& messages, const AgentOptions& options, int64_t percent) {
  return estimate_tokens(messages) * 100 > options.context_tokens * percent;
}

}  // namespace

/// A single message cannot become shorter, because the last prompt is kept word for word.
bool needs_compaction(const Messages& messages, const AgentOptions& options) {
  return messages.size() > 1 && is_over(messages, options, kCompactAt);
}

CompactionResult compact_conversation(Messages& messages, std::string_view trigger, Core& core,
                                      const std::stop_token& cancel) {
  const int64_t tokens_before = estimate_tokens(messages);
  const Fields before = {{Field::Trigger, Json::string(trigger)},
                         {Field::MessagesBefore, Json::number(std::ssize(messages))},
                         {Field::TokensBefore, Json::number(tokens_before)}};
  const Decision gate = core.hooks.fire(EventKind::PreCompact, core.facts, before, cancel);
  const bool is_auto = trigger == kAutoTrigger;
  // Above the hard limit the next model call would fail, so a hook's refusal no longer helps anybody.
  const bool must = is_auto && is_over(messages, core.options, kHardLimit);
  if (gate.effects.stop) return {false, gate.stop_reason(), gate.stop_reason()};
  if (gate.denied() && !must) return {false, gate.reason()};
  if (gate.denied()) {
    show_notification(core, "warning",
                      "the conversation is summarised although a hook refused it (" + gate.reason() +
                          "): it no longer fits into the model's context",
                      cancel);
  }
  if (cancel.stop_requested()) return {false, "interrupted"};

  llm::ModelRequest request;
  request.model = core.options.model_name;
  request.messages = messages;
  request.messages.push_back(user_message(std::string(kSummaryPrompt)));
  // Nobody watches this answer arrive. Replays also use the flag to tell it from the answers of the conversation.
  request.stream = false;
  const ModelStep step = ask_model(std::move(request), core.facts, core, cancel);
  if (step.kind == ModelStep::Kind::Stopped) return {false, step.reason, step.reason};
  if (step.kind != ModelStep::Kind::Answered) return {false, step.reason};

  const std::string summary = step.response.text();
  llm::ModelMessage start = user_message(std::string(kSummaryIntro) + summary);
  // The last message may be a prompt that has no answer yet. The model must still see it word for word.
  if (messages.back().role == llm::ModelRole::User) {
    const std::vector<llm::ModelPart>& open = messages.back().parts;
    start.parts.insert(start.parts.end(), open.begin(), open.end());
  }
  messages = {std::move(start)};
  core.hooks.disclosure().forget();
  const int64_t tokens_after = estimate_tokens(messages);
  Fields after = before;
  after.insert(after.end(), {{Field::MessagesAfter, Json::number(std::ssize(messages))},
                             {Field::TokensAfter, Json::number(tokens_after)},
                             {Field::Summary, Json::string(summary)}});
  const Decision compacted = core.hooks.fire(EventKind::PostCompact, core.facts, after, cancel);
  // Hooks that added context when the session began get the chance to add it again, since the summary may have lost it.
  const Decision restart =
      core.hooks.fire(EventKind::SessionStart, core.facts,
                      {{Field::Source, Json::string("compact")}, {Field::IsResume, Json::boolean(false)}}, cancel);
  if (const std::string context = hook_context(restart); !context.empty()) {
    messages.front().parts.push_back(llm::TextPart{context});
  }
  core.ui->show(Compacted{tokens_before, tokens_after});
  fire_notification(core, "info", "The conversation was summarised.", cancel);
  // Between turns there is nothing that a hook could stop once the summary is there.
  if (!is_auto) {
    tell_stop_is_ignored(*core.ui, EventKind::PostCompact, compacted);
    tell_stop_is_ignored(*core.ui, EventKind::SessionStart, restart);
    return {true, ""};
  }
  CompactionResult result{true, ""};
  if (restart.effects.stop) result.stop = restart.stop_reason();
  if (compacted.effects.stop) result.stop = compacted.stop_reason();
  return result;
}

}  // namespace grapnel::agent
