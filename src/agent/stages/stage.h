#pragma once

#include <string>

#include "agent/pipeline.h"

/// What several stages need.
namespace grapnel::agent {

/// Ends the way through the stages: the call comes to nothing.
void give_up(ToolRun& run, ToolFailure failure, std::string text);

/// Whether the user interrupted; the call then came to nothing. What hooks or people said meanwhile is void.
bool give_up_if_interrupted(ToolRun& run, const PipelineContext& context);

/// Takes what every answer of a hook may have: context for the model and a stop of the agent, which the UI is told of.
/// True when it stops.
bool take_context_and_stop(ToolRun& run, EventKind event, const Decision& decision, const PipelineContext& context);

/// The fields of tool events.
Fields tool_fields(const ToolRun& run);

/// The call in the words of the session's dialect, as the model and embedders' callbacks know it.
NamedCall native_call(const ToolRun& run, const PipelineContext& context);

/// A hook's change to the input; validated again.
void apply_rewrite(ToolRun& run, const PipelineContext& context, const Rewrite& rewrite);

/// The call as permission rules see it.
Permissions::Call judged_call(const ToolRun& run, const PipelineContext& context);

}  // namespace grapnel::agent
