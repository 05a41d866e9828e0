#include "agent/model_step.h"

#include <algorithm>
#include <utility>

#include "grapnel/gemini_model.h"

#include "agent/notification.h"
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
    // Without tools there is nothing to select from.
    has_selection_ = counts.contains(EventKind::BeforeToolSelection) && !request_.tools.empty();
    has_after_ = counts.contains(EventKind::AfterModel);
    // An answer that nobody watches arrives as a whole.
    by_chunk_ = has_after_ && core_.options.after_model_per_chunk && request_.stream;
  }

  ModelStep run() {
    if (has_before_) before_model();
    if (is_decided_) return std::move(step_);
    if (has_selection_) before_tool_selection();
    if (is_decided_) return std::move(step_);
    note_offer();
    generate();
    if (!is_decided_ && has_after_ && !by_chunk_) after_model();
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

  /// The hook's answer is a partial request: members that it leaves out stay. The messages that it has are the whole
  /// conversation of this request; the session's own conversation does not change.
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
    note_offer();
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

  /// Providers keep a model from calling what it was not offered, but not all of them do so reliably.
  void note_offer() {
    const llm::ToolChoice& choice = request_.tool_choice;
    if (choice.mode == llm::ToolMode::None) return;
    for (const llm::ToolDeclaration& tool : request_.tools) {
      const bool is_chosen =
          choice.allowed.empty() || std::ranges::find(choice.allowed, tool.name) != choice.allowed.end();
      if (is_chosen) step_.offered.push_back(tool.name);
    }
  }

  void show(const std::string& text, bool is_thought = false) const {
    if (!text.empty() && request_.stream) core_.ui->show(TextChunk{text, is_thought});
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
    core_.count(step_.response.usage);
    if (!core_.has_answered.exchange(true)) notify_of_key();
    if (by_chunk_) {
      take_last_piece();
      if (is_decided_) return;
      // The conversation must contain the text that the user saw, not the text that hooks removed.
      replace_text(shown_);
    }
    core_.ui->show(ModelAnswered{step_.response.text(), step_.response.usage});
  }

  /// The first answer shows that the provider has accepted the key.
  void notify_of_key() const {
    const llm::ModelClient& model = *core_.options.model;
    if (!model.sends_key()) return;
    fire_notification(core_, "auth_success", std::string(model.name()) + " accepted the key", cancel_);
  }

  /// Shows a piece of text as it arrives. With AfterModel hooks, text waits until they have seen it: each piece by
  /// itself in per-chunk mode, otherwise the whole response in `after_model`. A piece waits for the next one, because
  /// hooks see the last piece together with the end of the response.
  void take_chunk(const llm::ModelChunk& chunk, std::stop_source& stop) {
    const auto* delta = std::get_if<llm::TextDelta>(&chunk);
    if (delta == nullptr || is_decided_) return;
    // Hooks cannot change thoughts, so these need not wait.
    if (!has_after_ || delta->is_thought) return show(delta->text, delta->is_thought);
    if (!by_chunk_) return;
    const std::string piece = std::exchange(waiting_, delta->text);
    if (piece.empty()) return;
    take_piece(llm::to_gemini_response(llm::TextDelta{piece}), piece);
    if (is_decided_) stop.request_stop();
  }

  /// The piece with which the response ends: the text that still waits, the reason of the end and the usage. A response
  /// without text has only this piece.
  void take_last_piece() {
    llm::ModelResponse last = step_.response;
    last.parts.clear();
    if (!waiting_.empty()) last.parts.emplace_back(llm::TextPart{waiting_});
    take_piece(llm::to_gemini_response(last), waiting_);
  }

  /// Fires AfterModel for one piece of a response, and shows what hooks leave of its text.
  void take_piece(const Json& sdk_response, const std::string& original) {
    const Decision decision = fire_after_model(sdk_response);
    if (is_decided_) return;
    const std::string text = text_after(decision, {.parts = {llm::TextPart{original}}});
    shown_ += text;
    show(text);
  }

  /// A stop or a denial decides the step.
  Decision fire_after_model(const Json& sdk_response) {
    // The request is the same for all pieces, and converting a long conversation takes time.
    if (!sent_) sent_ = hook_request();
    Decision decision = fire(EventKind::AfterModel, {{Field::ModelRequest, sent_},
                                                     {Field::ModelResponse, gemini_to_hook_response(sdk_response)}});
    if (!takes_stop(EventKind::AfterModel, decision) && decision.denied()) {
      decide(ModelStep::Kind::Blocked, EventKind::AfterModel, decision.reason());
    }
    return decision;
  }

  /// The text that the hook's decision leaves of a response.
  static std::string text_after(const Decision& decision, const llm::ModelResponse& original) {
    const auto& changed = decision.effects.model_response;
    if (!changed) return original.text();
    return llm::from_gemini_response(gemini_from_hook_response(*changed), original).text();
  }

  /// Handles the whole response at once; the UI has not shown any of its text yet.
  void after_model() {
    const Decision decision = fire_after_model(llm::to_gemini_response(step_.response));
    if (is_decided_) return;
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
  bool by_chunk_ = false;  ///< AfterModel hooks see each piece of the response
  bool is_decided_ = false;
  Json sent_;            ///< the request as AfterModel hooks see it; missing until the first of them runs
  std::string waiting_;  ///< the piece that no hook has seen yet
  std::string shown_;    ///< what hooks left of the pieces so far
  ModelStep step_;
};

}  // namespace

ModelStep ask_model(llm::ModelRequest request, const SessionFacts& facts, Core& core, const std::stop_token& cancel) {
  return Step(std::move(request), facts, core, cancel).run();
}

}  // namespace grapnel::agent
