#include "agent/stages/stage.h"

namespace grapnel::agent {

namespace {

/// The tool's output under the names that hooks expect, together with the tool's own data.
Json output_of(const ToolResult& result) {
  const Json output = Json::object({{"success", Json::boolean(result.success())},
                                    {"llmContent", Json::string(result.text)},
                                    {"returnDisplay", Json::string(result.text)}});
  if (!result.data) return output;
  return result.data.is_object() ? result.data.merged(output) : output.with("data", result.data);
}

/// The fields of both events; those about the error are present only after a failure.
Fields post_fields(const ToolRun& run) {
  const ToolResult& result = *run.result;
  Fields fields = tool_fields(run);
  fields.emplace_back(Field::ToolOutput, output_of(result));
  if (run.took) fields.emplace_back(Field::DurationMs, Json::number(run.took->count()));
  if (result.success()) return fields;
  fields.emplace_back(Field::Error, Json::string(result.text));
  fields.emplace_back(Field::ErrorType, Json::string(to_string(result.failure)));
  fields.emplace_back(Field::IsInterrupt, Json::boolean(result.failure == ToolFailure::Interrupted));
  fields.emplace_back(Field::IsTimeout, Json::boolean(result.failure == ToolFailure::TimedOut));
  return fields;
}

/// The new output is either a plain text or a changed copy of the object that the hook was shown.
void replace_output(ToolResult& result, const Json& output) {
  const Json text = output.is_object() && output["llmContent"].is_string() ? output["llmContent"] : output;
  result.text = text.as_string().value_or(text.dump());
  result.data = output.is_string() ? Json() : output;
}

/// Reads a tail call: `{name, args}`, in the names of the session's dialect.
std::optional<llm::ToolCallPart> tail_call_of(const ToolRun& run, const Decision& decision) {
  if (!decision.effects.tail_call) return std::nullopt;
  const Json& wanted = *decision.effects.tail_call;
  const Json args = wanted["args"] ? wanted["args"] : Json::object();
  return llm::ToolCallPart{run.call.id, wanted["name"].as_string().value_or(""), args, run.call.signature};
}

}  // namespace

/// These hooks also run after an interrupt, because some of them clean up. They must not be cancelled then, so they get
/// an empty stop token.
void run_post_hooks(ToolRun& run, const PipelineContext& context) {
  if (run.result->failure == ToolFailure::Stopped) return;
  const bool success = run.result->success();
  const EventKind event = success ? EventKind::PostToolUse : EventKind::PostToolUseFailure;
  const bool interrupted = run.result->failure == ToolFailure::Interrupted;
  const Decision decision =
      context.hooks.fire(event, context.facts, post_fields(run), interrupted ? std::stop_token() : context.cancel);
  const bool stops = take_context_and_stop(run, event, decision, context);
  // A failure cannot be turned into a success by replacing its output.
  if (success && decision.effects.output) replace_output(*run.result, *decision.effects.output);
  if (decision.denied()) {
    run.feedback = decision.reason().empty() ? "No reason provided" : decision.reason();
    context.ui.show(Blocked{event, run.feedback});
  }
  if (!stops && !interrupted) run.tail_call = tail_call_of(run, decision);
}

}  // namespace grapnel::agent
