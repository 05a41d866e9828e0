#pragma once

#include "grapnel/json.h"

/// Model requests and responses of Gemini's SDK in the form its hooks see, and back.
///
///   SDK request   {model, contents: [{role, parts: [{text} | {functionCall} | …]}], config: {…}}
///   hook request  {model, messages: [{role: user|model|system, content}], config: {temperature, maxOutputTokens, topP,
///   topK}} SDK response  {candidates: [{content: {role, parts}, finishReason, index, safetyRatings}], usageMetadata}
///   hook response {text, candidates: [{content: {role: model, parts: [string]}, finishReason, …}], usageMetadata}
///
/// Hooks see text only. On the way back each message goes to the turn it came from: a turn is counted when it has text
/// that is not empty, both ways. Everything else of a turn stays. All functions are pure and take any JSON: what does
/// not have the expected shape is left out. Thread: any.
namespace grapnel {

/// What a hook sees of a request. A request without model gets the SDK's default.
Json gemini_to_hook_request(const Json& sdk_request);

/// `base` with a hook's changes. Members the hook leaves out keep their values, single generation parameters too (null
/// removes one); a turn whose text is as it was stays as it is; further messages are appended.
Json gemini_from_hook_request(const Json& hook_request, const Json& base);

/// What a hook sees of a response, or of one chunk of it.
Json gemini_to_hook_response(const Json& sdk_response);

/// A response as a hook wrote it; missing when it has no list of candidates whose parts are lists.
Json gemini_from_hook_response(const Json& hook_response);

/// `{functionCallingConfig: {mode, allowedFunctionNames}}` to `{mode, allowedFunctionNames}` and back; `{}` when
/// neither member is there, missing when it is no object.
Json gemini_to_hook_tool_config(const Json& sdk_tool_config);
Json gemini_from_hook_tool_config(const Json& hook_tool_config);

}  // namespace grapnel
