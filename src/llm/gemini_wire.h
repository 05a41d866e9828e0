#pragma once

#include "grapnel_agent/model.h"

/// Requests and responses in the shape of Gemini's SDK, and back.
///
///   request   {model, contents: [{role: user|model|system, parts}], config: {systemInstruction, tools, toolConfig,
///              temperature, topP, topK, maxOutputTokens}}
///   response  {candidates: [{content: {role: model, parts}, finishReason, index}], usageMetadata}
///   part      {text} | {text, thought: true} | {inlineData: {mimeType, data}} | {functionCall: {id, name, args}} |
///             {functionResponse: {id, name, response: {output} or {error}}}
///
/// Model hooks see this shape, cut down to text by `grapnel/gemini_model.h`, whatever provider is behind it. So each
/// way there and back gives what one started with, and what hooks cannot see survives their changes. Gemini's client
/// and replays read and write the same parts. All functions are pure and take any JSON: what has another shape is left
/// out.
namespace grapnel::llm {

Json to_gemini_request(const ModelRequest& request);

/// `base` with the model, messages, system prompt, tool choice and generation parameters of an SDK request. A
/// parameter that is not there is unset; without contents or system instruction those of `base` stay.
ModelRequest from_gemini_request(const Json& sdk_request, const ModelRequest& base);

Json to_gemini_response(const ModelResponse& response);
/// One piece of an answer, as a response of its own.
Json to_gemini_response(const ModelChunk& chunk);

/// `base` with the text of an SDK response: the calls of `base` stay unless the response has calls itself, and a text
/// that is one of its thoughts stays one. Without candidates, `base`.
ModelResponse from_gemini_response(const Json& sdk_response, const ModelResponse& base);

/// Contents as the wire has them.
Json to_gemini_part(const ModelPart& part);
/// A part of a known kind, or nothing.
std::optional<ModelPart> from_gemini_part(const Json& part);

Json to_gemini_tools(const std::vector<ToolDeclaration>& tools);
Json to_gemini_tool_config(const ToolChoice& choice);

/// `STOP`, `MAX_TOKENS`, `SAFETY`… and what they mean.
std::string_view to_gemini_finish(StopReason reason);
StopReason from_gemini_finish(std::string_view word);
ModelUsage from_gemini_usage(const Json& usage);

}  // namespace grapnel::llm
