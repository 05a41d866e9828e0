#include <exception>

#include "agent/stages/stage.h"
#include "base/clock.h"

namespace grapnel::agent {

namespace {

/// A failure with a text for the model.
ToolResult failed(std::string text) {
  return {.failure = ToolFailure::Failed, .text = std::move(text)};
}

/// Runs the tool. An embedder's tool may throw; the model then gets an error like any other.
ToolResult run_tool(const Tool& tool, const Json& input, const ToolContext& context) {
  if (!tool.run) return failed("The tool '" + tool.name + "' cannot be run.");
  try {
    return tool.run(input, context);
  } catch (const std::exception& e) {
    return failed("The tool '" + tool.name + "' failed: " + e.what());
  } catch (...) {
    return failed("The tool '" + tool.name + "' failed: it threw something that is not a std::exception");
  }
}

}  // namespace

void execute(ToolRun& run, const PipelineContext& context) {
  if (give_up_if_interrupted(run, context)) return;
  ToolContext with = context.tool_context;
  with.cancel = context.cancel;
  const NamedCall call = native_call(run, context);
  // Shown only now, so that the UI never announces a call that a hook or a person refuses.
  context.ui.show(ToolStarted{run.call.id, call.name, call.input});
  with.progress = [&](const std::string& text) { context.ui.show(ToolProgress{run.call.id, text}); };
  // Only the tool itself is measured, not the UI and not the hooks.
  const auto start = SteadyClock::now();
  run.result = run_tool(*run.tool, run.input, with);
  run.took = std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - start);
}

}  // namespace grapnel::agent
