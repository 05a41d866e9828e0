#include "agent/pipeline.h"

#include <array>

#include "agent/stages/stage.h"

namespace grapnel::agent {

namespace {

using Stage = void (*)(ToolRun&, const PipelineContext&);

/// The stages before the post hook. The first one that sets `result` ends the list.
constexpr auto kStages =
    std::to_array<Stage>({discover_tool, validate_input, run_pre_hooks, check_permission, confirm, execute});

/// Tells the UI that the call has ended. It learns of every call's end, even if the tool never ran.
void show_end(const ToolRun& run, const PipelineContext& context) {
  const NamedCall call = native_call(run, context);
  context.ui.show(ToolFinished{.call_id = run.call.id,
                               .name = call.name,
                               .input = call.input,
                               .result = *run.result,
                               .took = run.took.value_or(std::chrono::milliseconds(0))});
}

/// Runs one call without its tail calls. `execute` always sets `result`, so there is one after the loop.
void run_stages(ToolRun& run, const PipelineContext& context) {
  for (const Stage stage : kStages) {
    stage(run, context);
    if (run.result) break;
  }
  // Before hooks change the result.
  show_end(run, context);
  run_post_hooks(run, context);
}

/// The tail call that replaces this call. The model asked for the original, so the answer keeps its name and includes
/// what hooks have said so far.
ToolRun tail_of(const ToolRun& run) {
  return {.call = *run.tail_call,
          .original_name = run.original_name.empty() ? run.call.name : run.original_name,
          .contexts = run.contexts};
}

ToolOutcome outcome_of(const ToolRun& run, const PipelineContext& context) {
  return {.part = format_result(run, context),
          .tool_name = run.name,
          .input = run.input,
          .result = *run.result,
          .stop = run.stop,
          .is_refused = run.is_refused};
}

}  // namespace

ToolOutcome run_tool_call(const llm::ToolCallPart& call, const PipelineContext& context) {
  ToolRun run{.call = call};
  run_stages(run, context);
  for (int tails = 0; run.tail_call && tails < kMaxTailCalls; ++tails) {
    run = tail_of(run);
    run_stages(run, context);
  }
  if (run.tail_call) {
    context.ui.show(Told{{"", "a hook asked for more than " + std::to_string(kMaxTailCalls) + " tail calls in a row"}});
  }
  return outcome_of(run, context);
}

/// The tool is looked up only for its canonical name; the result is the same if there is no such tool.
ToolOutcome cancel_tool_call(const llm::ToolCallPart& call, const PipelineContext& context) {
  ToolRun run{.call = call};
  discover_tool(run, context);
  refuse(run, "The user cancelled this call: they refused another one.");
  show_end(run, context);
  return outcome_of(run, context);
}

}  // namespace grapnel::agent
