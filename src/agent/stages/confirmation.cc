#include "agent/prompt_text.h"
#include "agent/stages/stage.h"

namespace grapnel::agent {

namespace {

/// Fires the Notification event and shows its text. Hooks may change or suppress this notice, but not the question
/// itself; a hook that stops the agent leaves nothing to ask.
void notify(ToolRun& run, const PipelineContext& context, const PromptText& prompt) {
  const Decision decision = context.hooks.fire(EventKind::Notification, context.facts,
                                               {{Field::NotificationType, Json::string("permission_prompt")},
                                                {Field::Title, Json::string(prompt.title)},
                                                {Field::Message, Json::string(prompt.message)},
                                                {Field::Details, prompt.details}},
                                               context.cancel);
  if (take_context_and_stop(run, EventKind::Notification, decision, context)) {
    return give_up(run, ToolFailure::Stopped, "Agent execution stopped by hook: " + *run.stop);
  }
  if (decision.denied()) return;
  context.ui.show(Told{{"", decision.effects.notification.value_or(prompt.message)}});
}

/// The reason for the question in parentheses, for the refusal that the model reads.
std::string because(const ToolRun& run) {
  const std::string reason = run.ask_reason.value_or("");
  return reason.empty() ? "" : " (" + reason + ")";
}

}  // namespace

/// Asks a person. "Always" is remembered for the same tool and subject until the session ends.
void confirm(ToolRun& run, const PipelineContext& context) {
  if (!run.needs_confirmation) return;
  const NamedCall call = native_call(run, context);
  const PromptText prompt = prompt_text(call.name, judged_call(run, context), run.input);
  notify(run, context, prompt);
  // The notification's hooks may have taken a while.
  if (run.result || give_up_if_interrupted(run, context)) return;
  const Question question{.tool = call.name,
                          .input = call.input,
                          .title = prompt.title,
                          .reason = run.ask_reason.value_or(""),
                          .message = run.ask_message};
  const Approval approval = context.ui.ask(question, context.cancel);
  if (give_up_if_interrupted(run, context)) return;
  switch (approval) {
    case Approval::Once:
      return;
    case Approval::Always:
      return context.permissions.remember(judged_call(run, context));
    case Approval::No:
      return refuse(run, "The user refused this call" + because(run) + ".");
    case Approval::Nobody:
      return give_up(run, ToolFailure::Refused,
                     "This call needs approval and there is nobody to ask" + because(run) + ".");
  }
}

}  // namespace grapnel::agent
