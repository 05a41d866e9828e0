#include "grapnel_agent/model.h"

#include <algorithm>

namespace grapnel::llm {

/// The parts of an answer are joined without a separator, since they are pieces of one text.
std::string text_of(const std::vector<ModelPart>& parts) {
  std::string out;
  for (const ModelPart& part : parts) {
    if (const auto* text = std::get_if<TextPart>(&part)) out += text->text;
  }
  return out;
}

/// Wire formats that only know text results get structured ones as JSON.
std::string text_of(const ToolResultPart& result) {
  return result.content.as_string().value_or(result.content ? result.content.dump() : "");
}

std::string ModelResponse::text() const {
  return text_of(parts);
}

std::vector<ToolCallPart> ModelResponse::calls() const {
  std::vector<ToolCallPart> out;
  for (const ModelPart& part : parts) {
    if (const auto* call = std::get_if<ToolCallPart>(&part)) out.push_back(*call);
  }
  return out;
}

/// Not every provider can express a choice among several tools, so the others are simply not declared.
std::vector<ToolDeclaration> allowed_tools(const ModelRequest& request) {
  const auto& names = request.tool_choice.allowed;
  if (names.empty()) return request.tools;
  std::vector<ToolDeclaration> out;
  for (const ToolDeclaration& tool : request.tools) {
    if (std::ranges::find(names, tool.name) != names.end()) out.push_back(tool);
  }
  return out;
}

/// System messages in the middle of a conversation move to the system prompt, in their order and after a blank line.
std::string whole_system(const ModelRequest& request) {
  std::string out = request.system;
  for (const ModelMessage& message : request.messages) {
    const std::string text = message.role == ModelRole::System ? text_of(message.parts) : "";
    if (text.empty()) continue;
    if (!out.empty()) out += "\n\n";
    out += text;
  }
  return out;
}

}  // namespace grapnel::llm
