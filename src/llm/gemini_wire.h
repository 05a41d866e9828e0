#pragma once

#include "grapnel_agent/model.h"

/// Converts requests and responses to the shape of Gemini's SDK, and back.
///
///   request   {model, contents: [{role: user|model|system, parts}], config: {systemInstruction, tools, toolConfig,
///              temperature, topP, topK, maxOutputTokens}}
///   response  {candidates: [{content: {role: model, parts}, finishReason, index}], usageMetadata}
///   part      {text} | {text, thought: true} | {inlineData: {mimeType, data}} | {functionCall: {id, name, args}} |
///             {functionResponse: {id, name, response: {output} or {error}}}
///
/// Model hooks see this shape, reduced to text by `grapnel/gemini_model.h`, whichever provider is in use. Therefore a
/// conversion there and back must return the original, and everything that hooks cannot see must survive their changes.
/// Gemini's client and replays use the same parts. All functions are pure and accept any JSON; members of an unexpected
/// shape are left out.
namespace grapnel::llm {

Json to_gemini_request(const ModelRequest& request);

/// Returns `base` with the model, messages, system prompt, tools, tool choice and generation parameters of an SDK
/// request. Tools and generation parameters that are missing become unset. If contents or the system instruction are
/// missing, those of `base` stay.
ModelRequest from_gemini_request(const Json& sdk_request, const ModelRequest& base);

Json to_gemini_response(const ModelResponse& response);
/// One chunk of an answer, as a response by itself.
Json to_gemini_response(const ModelChunk& chunk);

/// Returns `base` with the text of an SDK response. The thoughts and calls of `base` stay unless the response has some
/// itself. Returns `base` when there are no candidates.
ModelResponse from_gemini_response(const Json& sdk_response, const ModelResponse& base);

/// A part as the wire writes it.
Json to_gemini_part(const ModelPart& part);
/// The part, or nothing if its kind is unknown.
std::optional<ModelPart> from_gemini_part(const Json& part);

Json to_gemini_tools(const std::vector<ToolDeclaration>& tools);
Json to_gemini_tool_config(const ToolChoice& choice);

/// Finish reasons: `STOP`, `MAX_TOKENS`, `SAFETY` and so on.
std::string_view to_gemini_finish(StopReason reason);
StopReason from_gemini_finish(std::string_view word);
ModelUsage from_gemini_usage(const Json& usage);

}  // namespace grapnel::llm
