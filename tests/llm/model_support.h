#pragma once

#include <string>

#include "grapnel_agent/model.h"

namespace grapnel::testing {

/// A part in one line: `say(…)`, `think(… #signature)`, `call(id name {…})`, `result(id …)`, `image(type data)`.
inline std::string describe(const llm::ModelPart& part) {
  using namespace llm;
  if (const auto* text = std::get_if<TextPart>(&part)) return "say(" + text->text + ")";
  if (const auto* thought = std::get_if<ThoughtPart>(&part)) {
    return "think(" + thought->text + (thought->signature.empty() ? "" : " #" + thought->signature) + ")";
  }
  if (const auto* call = std::get_if<ToolCallPart>(&part)) {
    const std::string mark = call->signature.empty() ? "" : " #" + call->signature;
    return "call(" + call->id + " " + call->name + " " + call->input.dump() + mark + ")";
  }
  if (const auto* image = std::get_if<ImagePart>(&part)) return "image(" + image->media_type + " " + image->data + ")";
  const auto& result = std::get<ToolResultPart>(part);
  return std::string(result.is_error ? "failure(" : "result(") + result.call_id + " " + result.name + " " +
         result.content.dump() + ")";
}

inline std::string describe(llm::StopReason reason) {
  constexpr const char* kNames[] = {"EndTurn", "ToolCalls", "MaxTokens", "Refusal", "Other"};
  return kNames[static_cast<size_t>(reason)];
}

inline std::string describe(const llm::ModelUsage& usage) {
  return std::to_string(usage.input_tokens) + "/" + std::to_string(usage.output_tokens);
}

/// `say(Hello) call(…) EndTurn 10/5`.
inline std::string describe(const llm::ModelResponse& response) {
  std::string out;
  for (const llm::ModelPart& part : response.parts) out += describe(part) + " ";
  return out + describe(response.stop_reason) + " " + describe(response.usage);
}

/// The same, or `error: message`.
inline std::string describe(const Result<llm::ModelResponse>& response) {
  return response ? describe(*response) : "error: " + response.error().to_string();
}

inline std::string describe(const llm::ModelChunk& chunk) {
  using namespace llm;
  if (const auto* text = std::get_if<TextDelta>(&chunk))
    return (text->is_thought ? "think(" : "say(") + text->text + ")";
  if (const auto* call = std::get_if<ToolCallPart>(&chunk)) return describe(ModelPart(*call));
  if (const auto* usage = std::get_if<ModelUsage>(&chunk)) return describe(*usage);
  return describe(std::get<StopReason>(chunk));
}

/// Every chunk a call tells, in one line.
class ChunkLog {
 public:
  llm::ChunkSink sink() {
    return [this](const llm::ModelChunk& chunk) { text_ += (text_.empty() ? "" : " ") + describe(chunk); };
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A request with one message of the user.
inline llm::ModelRequest ask(std::string text) {
  llm::ModelRequest request;
  request.model = "test-model";
  request.messages = {{llm::ModelRole::User, {llm::TextPart{std::move(text)}}}};
  return request;
}

inline Json json(std::string text) {
  return Json::parse(std::move(text)).value();
}

}  // namespace grapnel::testing
