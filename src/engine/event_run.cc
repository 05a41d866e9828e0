#include "engine/event_run.h"

#include <algorithm>

#include "dialect/payload.h"

namespace grapnel {

namespace {

/// All context that earlier hooks added, as one text. Some dialects pass it to later hooks.
std::string earlier_context(const Effects& effects) {
  std::string out;
  for (const Attributed& item : effects.context) out += (out.empty() ? "" : "\n\n") + item.text;
  return out;
}

/// A value for a field that a hook's payload requires but the host did not send. Empty when the engine has none.
Supplement supplement_for(const EventRun& run, Field field) {
  const auto blocks = [&]() -> int64_t {
    const auto found = run.session.state.blocks.find(std::string(to_string(run.original.kind())));
    return found == run.session.state.blocks.end() ? 0 : found->second;
  };
  const std::string& project_dir = run.context.options.project_dir;
  switch (field) {
    case Field::Timestamp:
      return format_timestamp(std::chrono::system_clock::now());
    case Field::ExecutionId:
      return run.id;
    // A host that has no transcript or no permission modes gets harmless values for the two: no file, and the mode
    // without special permissions.
    case Field::TranscriptPath:
      return std::string();
    case Field::PermissionMode:
      return std::string("default");
    case Field::StopHookActive:
      return blocks() > 0;
    case Field::BlockCount:
      return blocks();
    case Field::Cwd:
    case Field::ProjectDir:
      return project_dir.empty() ? Supplement() : project_dir;
    default:
      return {};
  }
}

/// The original event with all rewrites so far. It always starts from the original, so that rewrites are not applied
/// twice. Output that was not rewritten by a rule is left alone: it may be in another dialect's shape.
Event rewritten_event(const Event& original, const Progress& progress) {
  const Effects& effects = progress.effects;
  const Dialect& own = original.dialect();
  Event next = original;
  if (effects.input) {
    next = with_field(next, Field::ToolInput, effects.input->apply(field_as(original, own, Field::ToolInput)));
  }
  if (effects.model_request) {
    next = with_field(next, Field::ModelRequest,
                      field_as(original, own, Field::ModelRequest).merged(*effects.model_request));
  }
  if (effects.prompt) next = with_field(next, Field::Prompt, Json::string(*effects.prompt));
  if (progress.rewrote_output && effects.output) next = with_field(next, Field::ToolOutput, *effects.output);
  return next;
}

}  // namespace

EventRun::EventRun(const Snapshot& from, const Event& told, const LineContext& lent, Conditions& asked)
    : snapshot(from),
      original(told),
      context(lent),
      conditions(asked),
      id(lent.ids.next()),
      event(told),
      session{.id = told.text(Field::SessionId), .state = {}, .guard = {}, .history = {}},
      running{.cancel = CancelRelay(lent.stop),
              .payloads = {},
              .long_texts = LongTexts(lent.options.places.long_texts, session.id, id),
              .matched_files = {},
              .started_as = {},
              .files = {},
              .settling = {},
              .unwaited = {},
              .waiting = {}} {}

ChildLimits child_limits(const Limits& limits) {
  return {.max_output = limits.max_output, .term_grace = limits.term_grace, .drain_grace = limits.drain_grace};
}

namespace {

/// A hook that changes a long conversation answers with all of it. An answer twice as long as the question is therefore
/// never too long.
ChildLimits limits_for(const EventRun& run) {
  ChildLimits limits = child_limits(run.context.options.limits);
  limits.max_output = std::max(limits.max_output, 2 * run.event.payload().raw().size());
  return limits;
}

}  // namespace

RunContext run_context(const EventRun& run) {
  const EngineOptions& options = run.context.options;
  return {.env = run.context.env,
          .programs = run.context.programs,
          .session_env = run.session.state.env,
          .default_dir = options.project_dir,
          .limits = limits_for(run),
          .cancel = run.running.cancel.token(),
          .stop = run.context.stop,
          .supplements = [&run](Field field) { return supplement_for(run, field); },
          .http_client = options.host.http_client,
          .workers = &run.context.workers,
          .warm = run.context.warm,
          .earlier_context = earlier_context(run.progress.effects),
          .judge = options.host.judge,
          .matched_files = run.running.matched_files,
          .files = run.running.files};
}

void advance_event(EventRun& run) {
  // Payloads are cached per dialect. They may contain the context of earlier hooks, so each stage needs new ones.
  run.running.payloads.clear();
  const Effects& effects = run.progress.effects;
  // Most stages rewrite nothing, and then the event is not copied.
  const bool is_rewritten = effects.input || effects.model_request || effects.prompt || effects.output;
  if (is_rewritten) run.event = rewritten_event(run.original, run.progress);
}

}  // namespace grapnel
