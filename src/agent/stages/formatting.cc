#include "agent/stages/stage.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

void add_section(std::string& text, const std::string& section) {
  if (!text.empty()) text += "\n\n";
  text += section;
}

}  // namespace

/// Appends feedback and context to every result, including errors and outputs that a hook replaced, so that nothing a
/// hook wrote for the model is lost.
llm::ToolResultPart format_result(const ToolRun& run, const PipelineContext& context) {
  std::string text = run.result->text;
  if (!run.feedback.empty() && run.feedback != text) add_section(text, "[Hook Feedback]\n" + run.feedback);
  // The model must know that the tool ran with another input than it asked for. A call that never ran needs no note.
  if (!run.changed_keys.empty() && run.took) {
    add_section(text, "[Hook Note]\nA hook changed the input of this call before it ran: " +
                          text::join(run.changed_keys, ", "));
  }
  const CallHabits habits = context.habits();
  if (!run.contexts.empty()) {
    add_section(text,
                std::string(habits.context_begin) + text::join(run.contexts, "\n\n") + std::string(habits.context_end));
  }
  return {.call_id = run.call.id,
          .name = run.original_name.empty() ? run.call.name : run.original_name,
          .content = Json::string(text),
          .is_error = !run.result->success()};
}

}  // namespace grapnel::agent
