#include "agent/json_schema.h"
#include "agent/stages/stage.h"

namespace grapnel::agent {

/// Runs on the model's input and again after every rewrite. If a hook changed the input, the message says so, because
/// the model cannot correct that.
void validate_input(ToolRun& run, const PipelineContext& context) {
  const auto wrong = run.input.is_object() ? violation(run.input, run.tool->schema) : "the input is not an object";
  if (!wrong) return;
  const std::string who = run.changed_keys.empty() ? "" : " (as a hook changed it)";
  give_up(run, ToolFailure::InvalidInput,
          "The input of '" + native_call(run, context).name + "'" + who + " is not valid: " + *wrong);
}

}  // namespace grapnel::agent
