#include "grapnel/hook_service.h"

#include "agent/stages/stage.h"

namespace grapnel::agent {

namespace {

ToolUse tool_use(const ToolRun& run, const PipelineContext& context) {
  const NamedCall call = native_call(run, context);
  return {call.name, call.input, run.call.id, access_of(run.tool->kind)};
}

/// What PermissionRequest hooks answer.
struct Request {
  PermissionAnswer answer;
  Decision hooks;
};

/// Keeps the hooks' decision next to the answer, because the stage also needs its effects.
Request ask_hooks(const ToolRun& run, const PipelineContext& context) {
  Request out;
  const auto fire_hooks = [&] {
    out.hooks = context.hooks.fire(EventKind::PermissionRequest, context.facts, tool_fields(run), context.cancel);
    return out.hooks;
  };
  out.answer = request_permission({}, tool_use(run, context), fire_hooks, context.cancel);
  return out;
}

void deny(ToolRun& run, const std::string& reason) {
  give_up(run, ToolFailure::Denied, "Permission denied: " + (reason.empty() ? "No reason provided" : reason));
}

/// A hook may approve a different input than the one it was shown. Deny rules are checked again, so that it cannot
/// approve what a rule forbids.
void apply_approved_rewrite(ToolRun& run, const PipelineContext& context, const Rewrite& rewrite) {
  apply_rewrite(run, context, rewrite);
  if (run.result) return;
  const Permissions::Ruling answer = context.permissions.judge(judged_call(run, context));
  if (answer.verdict == Verdict::Deny) deny(run, answer.reason);
}

}  // namespace

/// The embedder's callback is asked first about every call, whatever rules, mode and earlier approvals say. Its Allow
/// answers every question except that of a PreToolUse hook; its Ask demands a confirmation, unless a person has
/// approved the same call for the whole session. Deny rules come after it and cannot be overruled.
///
/// A PreToolUse hook's Allow replaces the mode's question, but not a rule's. Its Ask demands a person: the callback and
/// PermissionRequest hooks can then refuse the call, but not approve it.
void check_permission(ToolRun& run, const PipelineContext& context) {
  const PermissionAnswer own = ask_callback(context.can_use_tool, tool_use(run, context), context.cancel);
  if (give_up_if_interrupted(run, context)) return;
  if (own.verdict == Verdict::Deny) return deny(run, own.message);
  const Permissions::Call call = judged_call(run, context);
  const Permissions::Ruling judged = context.permissions.judge(call);
  if (judged.verdict == Verdict::Deny) return deny(run, judged.reason);
  const bool hook_asks = run.ask_reason.has_value();
  if (own.verdict == Verdict::Allow && !hook_asks) return;
  const bool rule_asks = judged.verdict == Verdict::Ask && !judged.reason.empty();
  const bool callback_asks = own.verdict == Verdict::Ask && !context.permissions.is_remembered(call);
  const bool is_open = hook_asks || rule_asks || callback_asks;
  if (!is_open && (judged.verdict == Verdict::Allow || run.hook_allows)) return;

  const Request asked = ask_hooks(run, context);
  if (give_up_if_interrupted(run, context)) return;
  if (take_context_and_stop(run, EventKind::PermissionRequest, asked.hooks, context)) {
    return give_up(run, ToolFailure::Stopped, "Agent execution stopped by hook: " + *run.stop);
  }
  if (asked.answer.verdict == Verdict::Deny) {
    context.ui.show(Blocked{EventKind::PermissionRequest, asked.answer.message});
    return deny(run, asked.answer.message);
  }
  if (asked.hooks.effects.input) apply_approved_rewrite(run, context, *asked.hooks.effects.input);
  if (run.result || (asked.answer.verdict == Verdict::Allow && !hook_asks)) return;
  run.needs_confirmation = true;
  if (hook_asks) return;
  run.ask_reason = rule_asks ? judged.reason : asked.answer.message.empty() ? own.message : asked.answer.message;
}

}  // namespace grapnel::agent
