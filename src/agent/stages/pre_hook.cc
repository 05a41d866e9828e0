#include "agent/stages/stage.h"

namespace grapnel::agent {

namespace {

/// The hooks' messages, one per line.
std::string messages_of(const Decision& decision) {
  std::string out;
  for (const Attributed& message : decision.effects.messages) out += (out.empty() ? "" : "\n") + message.text;
  return out;
}

}  // namespace

/// Order matters: a stop beats a denial, and a denial beats a rewrite.
void run_pre_hooks(ToolRun& run, const PipelineContext& context) {
  const Decision decision = context.hooks.fire(EventKind::PreToolUse, context.facts, tool_fields(run), context.cancel);
  if (give_up_if_interrupted(run, context)) return;
  if (take_context_and_stop(run, EventKind::PreToolUse, decision, context)) {
    return give_up(run, ToolFailure::Stopped, "Agent execution stopped by hook: " + *run.stop);
  }
  if (decision.denied()) {
    const std::string reason = decision.reason().empty() ? "No reason provided" : decision.reason();
    context.ui.show(Blocked{EventKind::PreToolUse, reason});
    return give_up(run, ToolFailure::Denied, "Tool execution blocked: " + reason);
  }
  // Allow and Ask do not decide yet; the permission stage weighs them against the rules.
  run.hook_allows = decision.verdict() == Verdict::Allow;
  if (decision.verdict() == Verdict::Ask) {
    run.ask_reason = decision.reason();
    run.ask_message = messages_of(decision);
  }
  if (decision.effects.input) apply_rewrite(run, context, *decision.effects.input);
}

}  // namespace grapnel::agent
