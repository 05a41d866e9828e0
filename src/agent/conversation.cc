#include "agent/conversation.h"

#include <array>
#include <utility>

namespace grapnel::agent {

namespace {

/// In the order of `ModelRole`. Transcripts on disk contain these words, so an entry must not be renamed.
constexpr auto kRoles = std::to_array<std::string_view>({"system", "user", "assistant", "tool"});
/// English text and code have about four bytes per token; an image of usual size is billed as roughly a thousand
/// tokens.
constexpr int64_t kBytesPerToken = 4;
constexpr int64_t kTokensPerImage = 1000;

/// One overload per kind of part. `part_from` reads all of them back; change both together.
Json part_to_json(const llm::TextPart& part) {
  return Json::object({{"type", Json::string("text")}, {"text", Json::string(part.text)}});
}
Json part_to_json(const llm::ThoughtPart& part) {
  return Json::object({{"type", Json::string("thinking")},
                       {"thinking", Json::string(part.text)},
                       {"signature", Json::string(part.signature)}});
}
Json part_to_json(const llm::ImagePart& part) {
  return Json::object({{"type", Json::string("image")},
                       {"media_type", Json::string(part.media_type)},
                       {"data", Json::string(part.data)}});
}
Json part_to_json(const llm::ToolCallPart& part) {
  return Json::object({{"type", Json::string("tool_use")},
                       {"id", Json::string(part.id)},
                       {"name", Json::string(part.name)},
                       {"input", part.input},
                       // Most providers do not sign calls. A member without a value is left out.
                       {"signature", part.signature.empty() ? Json() : Json::string(part.signature)}});
}
Json part_to_json(const llm::ToolResultPart& part) {
  return Json::object({{"type", Json::string("tool_result")},
                       {"tool_use_id", Json::string(part.call_id)},
                       {"name", Json::string(part.name)},
                       {"content", part.content},
                       {"is_error", Json::boolean(part.is_error)}});
}

/// The inverse of `part_to_json`; nothing for a type that a newer version may have written.
std::optional<llm::ModelPart> part_from(const Json& json) {
  const auto text = [&](const char* key) { return json[key].as_string().value_or(""); };
  const std::string type = text("type");
  if (type == "text") return llm::TextPart{text("text")};
  if (type == "thinking") return llm::ThoughtPart{text("thinking"), text("signature")};
  if (type == "image") return llm::ImagePart{text("media_type"), text("data")};
  if (type == "tool_use") return llm::ToolCallPart{text("id"), text("name"), json["input"], text("signature")};
  if (type == "tool_result") {
    return llm::ToolResultPart{text("tool_use_id"), text("name"), json["content"],
                               json["is_error"].as_bool().value_or(false)};
  }
  return std::nullopt;
}

/// Estimated tokens of each kind of part.
int64_t size_of(const llm::TextPart& part) {
  return std::ssize(part.text) / kBytesPerToken;
}
int64_t size_of(const llm::ThoughtPart& part) {
  return std::ssize(part.text) / kBytesPerToken;
}
int64_t size_of(const llm::ImagePart&) {
  return kTokensPerImage;
}
int64_t size_of(const llm::ToolCallPart& part) {
  return std::ssize(part.input.raw()) / kBytesPerToken;
}
int64_t size_of(const llm::ToolResultPart& part) {
  return std::ssize(part.content.raw()) / kBytesPerToken;
}

}  // namespace

Json to_json(const llm::ModelMessage& message) {
  std::vector<Json> parts;
  for (const llm::ModelPart& part : message.parts) {
    parts.push_back(std::visit([](const auto& p) { return part_to_json(p); }, part));
  }
  return Json::object(
      {{"role", Json::string(kRoles[static_cast<size_t>(message.role)])}, {"content", Json::array(parts)}});
}

Json to_json(const Messages& messages) {
  std::vector<Json> out;
  out.reserve(messages.size());
  for (const llm::ModelMessage& message : messages) out.push_back(to_json(message));
  return Json::array(out);
}

/// An unknown role is read as the user's, which is the default.
llm::ModelMessage message_from(const Json& json) {
  llm::ModelMessage message;
  for (size_t i = 0; i < kRoles.size(); ++i) {
    if (json["role"].equals_string(kRoles[i])) message.role = static_cast<llm::ModelRole>(i);
  }
  for (const Json& part : json["content"].elements()) {
    if (auto read = part_from(part)) message.parts.push_back(std::move(*read));
  }
  return message;
}

llm::ModelMessage user_message(std::string text) {
  return {llm::ModelRole::User, {llm::TextPart{std::move(text)}}};
}

/// Exact numbers would need each provider's tokeniser.
int64_t estimate_tokens(const Messages& messages) {
  int64_t tokens = 0;
  for (const llm::ModelMessage& message : messages) {
    for (const llm::ModelPart& part : message.parts) {
      // One extra token per part stands for the markup around it, so that many tiny parts do not count as nothing.
      tokens += std::visit([](const auto& p) { return size_of(p); }, part) + 1;
    }
  }
  return tokens;
}

std::optional<llm::ModelMessage> answer_open_calls(const Messages& messages, std::string_view why) {
  // Only the last message can have open calls: the loop adds results before it calls the model again.
  if (messages.empty() || messages.back().role != llm::ModelRole::Assistant) return std::nullopt;
  llm::ModelMessage answers{llm::ModelRole::Tool, {}};
  for (const llm::ModelPart& part : messages.back().parts) {
    const auto* call = std::get_if<llm::ToolCallPart>(&part);
    if (call != nullptr) answers.parts.push_back(llm::ToolResultPart{call->id, call->name, Json::string(why), true});
  }
  if (answers.parts.empty()) return std::nullopt;
  return answers;
}

}  // namespace grapnel::agent
