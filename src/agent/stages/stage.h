#pragma once

#include <string>

#include "agent/pipeline.h"

/// Functions that several stages use.
namespace grapnel::agent {

/// Ends the call without success: sets `run.result`, so the remaining stages before the post hook are skipped.
void give_up(ToolRun& run, ToolFailure failure, std::string text);

/// The same for a call that a person does not want.
void refuse(ToolRun& run, std::string text);

/// Gives the call up if the user has interrupted, and returns whether that was so. Call it after waiting for hooks or
/// people: an answer that arrives after an interrupt no longer matters.
bool give_up_if_interrupted(ToolRun& run, const PipelineContext& context);

/// Applies the two effects that every hook event may have: context for the model, and stopping the agent (the UI shows
/// it). Returns whether the agent stops.
bool take_context_and_stop(ToolRun& run, EventKind event, const Decision& decision, const PipelineContext& context);

/// The fields that all tool events have in common.
Fields tool_fields(const ToolRun& run);

/// The call with the session's own tool and argument names, as the model and the embedder's callbacks know it.
NamedCall native_call(const ToolRun& run, const PipelineContext& context);

/// Applies a hook's change to the input and validates the result again.
void apply_rewrite(ToolRun& run, const PipelineContext& context, const Rewrite& rewrite);

/// The call in the form that permission rules are checked against.
Permissions::Call judged_call(const ToolRun& run, const PipelineContext& context);

}  // namespace grapnel::agent
