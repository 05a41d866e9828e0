#include "cli/agent/event_json.h"

#include <string_view>
#include <vector>

namespace grapnel::cli {

namespace {

/// Short names, because the writers below consist of little else.
Json text(std::string_view value) {
  return Json::string(value);
}

Json text_or_missing(const std::string& value) {
  return value.empty() ? Json() : Json::string(value);
}

Json texts(const std::vector<std::string>& values) {
  std::vector<Json> out;
  for (const std::string& value : values) out.push_back(text(value));
  return Json::array(out);
}

/// With fractions, since a hook may take less than a millisecond.
Json milliseconds(std::chrono::microseconds took) {
  return Json::number(static_cast<double>(took.count()) / 1000);
}

/// The name of an event's type, and the rest of its object. They are separate so that `type` always comes first.
struct Parts {
  std::string_view type;
  Json members;
};

/// One overload per event type; a new type does not compile until it has one here. Member names must not change,
/// because programs read them.
struct Writer {
  Detail detail;

  /// Only journals need the long texts; a stream would become unreadable with them.
  Json if_full(const std::string& value) const { return detail == Detail::Full ? text(value) : Json(); }

  Parts operator()(const agent::TextChunk& e) const {
    return {"text",
            Json::object({{"text", text(e.text)}, {"is_thought", e.is_thought ? Json::boolean(true) : Json()}})};
  }
  Parts operator()(const agent::ModelCalled& e) const {
    return {"model_called", Json::object({{"model", text(e.model)},
                                          {"lane", text_or_missing(e.lane)},
                                          {"request_text", if_full(e.request_text)}})};
  }
  Parts operator()(const agent::ModelAnswered& e) const {
    return {"model_answered", Json::object({{"text", text(e.text)}, {"usage", to_json(e.usage)}})};
  }
  Parts operator()(const agent::ToolStarted& e) const {
    return {"tool_started", Json::object({{"id", text(e.call_id)}, {"name", text(e.name)}, {"input", e.input}})};
  }
  Parts operator()(const agent::ToolProgress& e) const {
    return {"tool_progress", Json::object({{"id", text(e.call_id)}, {"text", text(e.text)}})};
  }
  Parts operator()(const agent::ToolFinished& e) const { return {"tool_finished", to_json(e)}; }
  Parts operator()(const agent::HooksStarted& e) const {
    return {"hooks_started", Json::object({{"event", text(to_string(e.event))}, {"hooks", texts(e.labels)}})};
  }
  Parts operator()(const agent::HookFinished& e) const { return {"hook_finished", to_json(e.run, detail)}; }
  Parts operator()(const agent::Told& e) const {
    return {"notice", Json::object({{"hook", text_or_missing(e.notice.hook)}, {"text", text(e.notice.text)}})};
  }
  Parts operator()(const agent::StopHookSaid& e) const {
    return {"stop_hook", Json::object({{"text", text(e.line)}, {"is_error", Json::boolean(e.is_error)}})};
  }
  Parts operator()(const agent::Blocked& e) const {
    return {"blocked", Json::object({{"event", text(to_string(e.event))}, {"reason", text(e.reason)}})};
  }
  Parts operator()(const agent::Stopped& e) const {
    return {"stopped", Json::object({{"event", text(to_string(e.event))}, {"reason", text(e.reason)}})};
  }
  Parts operator()(const agent::ContextCleared&) const { return {"context_cleared", Json::object()}; }
  Parts operator()(const agent::Compacted& e) const {
    return {"compacted", Json::object({{"tokens_before", Json::number(e.tokens_before)},
                                       {"tokens_after", Json::number(e.tokens_after)}})};
  }
  Parts operator()(const agent::SessionStarted& e) const {
    return {"session_started", Json::object({{"session_id", text(e.session_id)}, {"source", text(e.source)}})};
  }
  Parts operator()(const agent::SessionEnded& e) const {
    return {"session_ended", Json::object({{"session_id", text(e.session_id)},
                                           {"reason", text(e.reason)},
                                           {"turns", Json::number(e.turns)},
                                           {"usage", to_json(e.usage)}})};
  }
};

/// The words for approvals. `nobody` means that the question could not be asked.
std::string_view name_of(agent::Approval approval) {
  switch (approval) {
    case agent::Approval::Once:
      return "once";
    case agent::Approval::Always:
      return "always";
    case agent::Approval::No:
      return "no";
    case agent::Approval::Nobody:
      break;
  }
  return "nobody";
}

}  // namespace

Json to_json(const agent::AgentEvent& event, Detail detail) {
  const Parts parts = std::visit(Writer{detail}, event);
  return Json::object({{"type", Json::string(parts.type)}}).merged(parts.members);
}

Json to_json(const agent::Question& question, agent::Approval approval) {
  return Json::object({{"type", text("question")},
                       {"tool", text(question.tool)},
                       {"input", question.input},
                       {"reason", text(question.reason)},
                       {"message", text_or_missing(question.message)},
                       {"answer", text(name_of(approval))}});
}

Json to_json(const llm::ModelUsage& usage) {
  return Json::object(
      {{"input_tokens", Json::number(usage.input_tokens)}, {"output_tokens", Json::number(usage.output_tokens)}});
}

Json to_json(const agent::ToolFinished& call) {
  return Json::object({{"id", text(call.call_id)},
                       {"name", text(call.name)},
                       {"input", call.input},
                       {"success", Json::boolean(call.result.success())},
                       {"failure", call.result.success() ? Json() : text(to_string(call.result.failure))},
                       {"output", text(call.result.text)},
                       {"duration_ms", milliseconds(call.took)}});
}

Json to_json(const HookRun& run, Detail detail) {
  const bool full = detail == Detail::Full;
  Json out = Json::object({{"event_id", text(run.event_id)},
                           {"event", text(to_string(run.event))},
                           {"hook", text(run.hook)},
                           {"source", text(run.source)},
                           {"dialect", text(run.dialect)},
                           {"command", text_or_missing(run.command)},
                           {"fate", text(to_string(run.fate.kind))},
                           {"detail", text(run.fate.detail)},
                           {"verdict", text(to_string(run.fate.verdict))},
                           {"exit_code", run.exit_code ? Json::number(int64_t{*run.exit_code}) : Json()},
                           {"duration_ms", milliseconds(run.fate.took)}});
  if (!full) return out;
  // A hook's input is a JSON document. As an object it is easier to read than as a string full of escapes.
  const auto input = Json::parse(run.input);
  return out.with("input", input ? *input : text(run.input))
      .with("stdout", text(run.output))
      .with("stderr", text(run.errors));
}

Json to_json(const RunEnd& end) {
  return Json::object({{"session_id", text_or_missing(end.session_id)},
                       {"answer", text(end.turn.answer)},
                       {"ending", text(to_string(end.turn.ending))},
                       {"reason", text_or_missing(end.turn.reason)},
                       {"model_calls", Json::number(end.turn.model_calls)},
                       {"usage", to_json(end.turn.usage)}});
}

}  // namespace grapnel::cli
