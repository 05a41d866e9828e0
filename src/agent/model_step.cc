#include "agent/model_step.h"

#include <algorithm>

#include "grapnel/gemini_model.h"

#include "llm/gemini_wire.h"

namespace grapnel::agent {

namespace {

/// Translates the hook API's enum into the model API's.
llm::ToolMode mode_of(ToolChoice::Mode mode) {
  switch (mode) {
    case ToolChoice::Mode::Any:
      return llm::ToolMode::Any;
    case ToolChoice::Mode::None:
      return llm::ToolMode::None;
    case ToolChoice::Mode::Auto:
      break;
  }
  return llm::ToolMode::Auto;
}

/// Everything that the request says to the model, including tool results, for people who watch.
std::string request_text(const llm::ModelRequest& request) {
  std::string out;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "\n") + text;
  };
  for (const llm::ModelMessage& message : request.messages) {
    add(llm::text_of(message.parts));
    for (const llm::ModelPart& part : message.parts) {
      if (const auto* result = std::get_if<llm::ToolResultPart>(&part)) add(llm::text_of(*result));
    }
  }
  return out;
}

/// One model call with its hooks. Each phase may decide the outcome (`is_decided_`), which skips the rest.
class Step {
 public:
  /// Most sessions have no model hooks. For them, requests and responses need not be converted at all.
  Step(llm::ModelRequest request, const SessionFacts& facts, Core& core, std::stop_token cancel)
      : request_(std::move(request)), facts_(facts), core_(core), cancel_(std::move(cancel)) {
    const auto counts = core_.engine->hook_counts();
    has_before_ = counts.contains(EventKind::BeforeModel);
    has_selection_ = counts.contains(EventKind::BeforeToolSelection);
    has_after_ = counts.contains(EventKind::AfterModel);
  }

  ModelStep run() {
    if (has_before_) before_model();
    if (is_decided_) return std::move(step_);
    if (has_selection_) before_tool_selection();
    if (is_decided_) return std::move(step_);
    generate();
    if (!is_decided_ && has_after_ && !core_.options.after_model_per_chunk) after_model();
    return std::move(step_);
  }

 private:
  /// The request as hooks see it: Gemini's SDK shape, reduced to the hook API's form.
  Json hook_request() const { return gemini_to_hook_request(llm::to_gemini_request(request_)); }

  Decision fire(EventKind kind, Fields fields) const { return core_.hooks.fire(kind, facts_, fields, cancel_); }

  void decide(ModelStep::Kind kind, EventKind by, std::string reason) {
    step_.kind = kind;
    step_.by = by;
    step_.reason = std::move(reason);
    is_decided_ = true;
  }

  /// Applies an interrupt or a hook's stop, and returns whether the step is over. An interrupt wins: hooks that were
  /// cancelled half-way have no valid answer.
  bool takes_stop(EventKind kind, const Decision& decision) {
    if (cancel_.stop_requested()) {
      decide(ModelStep::Kind::Interrupted, kind, "interrupted");
    } else if (decision.effects.stop) {
      decide(ModelStep::Kind::Stopped, kind, decision.stop_reason());
    }
    return is_decided_;
  }

  /// The hook's answer is a partial request. It is merged into the form that the hook saw, and the result is then
  /// converted back on top of the original, which keeps tool calls and images.
  void before_model() {
    const Json seen = hook_request();
    const Decision decision = fire(EventKind::BeforeModel, {{Field::ModelRequest, seen}});
    if (takes_stop(EventKind::BeforeModel, decision)) return;
    if (decision.denied()) return answer_instead(decision);
    if (!decision.effects.model_request) return;
    const Json changed = seen.merged(*decision.effects.model_request);
    request_ = llm::from_gemini_request(gemini_from_hook_request(changed, llm::to_gemini_request(request_)), request_);
  }

  /// The hook denied the model call. If it supplied a response, that becomes the model's answer.
  void answer_instead(const Decision& decision) {
    decide(ModelStep::Kind::Blocked, EventKind::BeforeModel, decision.reason());
    if (!decision.effects.model_response) return;
    core_.ui->show(Blocked{EventKind::BeforeModel, decision.reason()});
    step_.kind = ModelStep::Kind::Answered;
    step_.response = llm::from_gemini_response(gemini_from_hook_response(*decision.effects.model_response), {});
    show(step_.response.text());
  }

  /// The hooks' choice replaces the request's own. A denial is ignored: these hooks can only narrow the choice or stop
  /// the agent.
  void before_tool_selection() {
    const Decision decision = fire(EventKind::BeforeToolSelection, {{Field::ModelRequest, hook_request()}});
    if (takes_stop(EventKind::BeforeToolSelection, decision)) return;
    if (const auto& choice = decision.effects.tool_choice) {
      request_.tool_choice = {mode_of(choice->mode), choice->names};
    }
  }

  void show(const std::string& text, bool is_thought = false) const {
    if (!text.empty()) core_.ui->show(TextChunk{text, is_thought});
  }

  /// Calls the model. The separate stop source lets a hook on a chunk abort the stream as well as the user.
  void generate() {
    core_.ui->show(ModelCalled{request_.model, request_.lane, request_text(request_)});
    std::stop_source stop;
    const std::stop_callback forward(cancel_, [&] { stop.request_stop(); });
    auto response = core_.options.model->generate(
        request_, [&](const llm::ModelChunk& chunk) { take_chunk(chunk, stop); }, stop.get_token());
    // A hook on a chunk has ended the stream, so the resulting error is not the model's.
    if (is_decided_) return;
    if (cancel_.stop_requested()) return decide(ModelStep::Kind::Interrupted, EventKind::AfterModel, "interrupted");
    if (!response) return decide(ModelStep::Kind::Failed, EventKind::AfterModel, response.error().to_string());
    step_.response = std::move(*response);
    // The conversation must contain the text that the user saw, not the text that hooks removed.
    if (has_after_ && core_.options.after_model_per_chunk) replace_text(shown_);
    core_.count(step_.response.usage);
    core_.ui->show(ModelAnswered{step_.response.text(), step_.response.usage});
  }

  /// Shows a piece of text as it arrives. With AfterModel hooks, text waits until they have seen it: each chunk by
  /// itself in per-chunk mode, otherwise the whole response in `after_model`.
  void take_chunk(const llm::ModelChunk& chunk, std::stop_source& stop) {
    const auto* delta = std::get_if<llm::TextDelta>(&chunk);
    if (delta == nullptr || is_decided_) return;
    // Hooks cannot change thoughts, so these need not wait.
    if (!has_after_ || delta->is_thought) return show(delta->text, delta->is_thought);
    if (!core_.options.after_model_per_chunk) return;
    const Json seen = gemini_to_hook_response(llm::to_gemini_response(chunk));
    const Decision decision =
        fire(EventKind::AfterModel, {{Field::ModelRequest, hook_request()}, {Field::ModelResponse, seen}});
    if (!takes_stop(EventKind::AfterModel, decision) && decision.denied()) {
      decide(ModelStep::Kind::Blocked, EventKind::AfterModel, decision.reason());
    }
    if (is_decided_) {
      stop.request_stop();
      return;
    }
    const std::string text = text_after(decision, {.parts = {llm::TextPart{delta->text}}});
    shown_ += text;
    show(text);
  }

  /// The text that the hook's decision leaves of a response.
  static std::string text_after(const Decision& decision, const llm::ModelResponse& original) {
    const auto& changed = decision.effects.model_response;
    if (!changed) return original.text();
    return llm::from_gemini_response(gemini_from_hook_response(*changed), original).text();
  }

  /// Handles the whole response at once; the UI has not shown any of its text yet.
  void after_model() {
    const Json seen = gemini_to_hook_response(llm::to_gemini_response(step_.response));
    const Decision decision =
        fire(EventKind::AfterModel, {{Field::ModelRequest, hook_request()}, {Field::ModelResponse, seen}});
    if (takes_stop(EventKind::AfterModel, decision)) return;
    if (decision.denied()) return decide(ModelStep::Kind::Blocked, EventKind::AfterModel, decision.reason());
    if (decision.effects.model_response) replace_text(text_after(decision, step_.response));
    show(step_.response.text());
  }

  /// Puts the text that hooks left where the first text part was. Tool calls and thoughts stay.
  void replace_text(const std::string& text) {
    auto& parts = step_.response.parts;
    const auto is_text = [](const llm::ModelPart& part) { return std::holds_alternative<llm::TextPart>(part); };
    const auto first = std::ranges::find_if(parts, is_text);
    const auto at = first - parts.begin();
    std::erase_if(parts, is_text);
    if (!text.empty()) parts.insert(parts.begin() + std::min(at, std::ssize(parts)), llm::TextPart{text});
  }

  llm::ModelRequest request_;
  const SessionFacts& facts_;
  Core& core_;
  std::stop_token cancel_;
  bool has_before_ = false;
  bool has_selection_ = false;
  bool has_after_ = false;
  bool is_decided_ = false;
  std::string shown_;  ///< what hooks left of the chunks so far
  ModelStep step_;
};

}  // namespace

ModelStep ask_model(llm::ModelRequest request, const SessionFacts& facts, Core& core, const std::stop_token& cancel) {
  return Step(std::move(request), facts, core, cancel).run();
}

}  // namespace grapnel::agent
