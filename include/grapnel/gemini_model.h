#pragma once

#include "grapnel/json.h"

/// Translates model requests and responses between Gemini's SDK and the simpler form that Gemini's hooks see.
///
/// A host needs this only if it calls Gemini's API with the SDK's types and wants hooks that were written for Gemini
/// CLI to work at BeforeModel and AfterModel.
///
///   SDK request    {model, contents: [{role, parts: [{text} | {functionCall} | …]}], config: {…}}
///   hook request   {model, messages: [{role: user|model|system, content}],
///                   config: {temperature, maxOutputTokens, topP, topK}}
///   SDK response   {candidates: [{content: {role, parts}, finishReason, index, safetyRatings}], usageMetadata}
///   hook response  {text, candidates: [{content: {role: model, parts: [string]}, finishReason, …}], usageMetadata}
///
/// Hooks see only text. On the way back each message is matched with the turn that it came from: in both directions
/// only turns with text count. Everything else in a turn, such as function calls, stays as it was.
///
/// All functions are pure and accept any JSON; parts that do not have the expected shape are left out. Thread: any.
namespace grapnel {

/// What a hook sees of a request. If the request names no model, the hook sees the SDK's default model.
Json gemini_to_hook_request(const Json& sdk_request);

/// The request `base` with a hook's changes applied. Members that the hook leaves out keep their values, and so do
/// single generation parameters (null removes one). A turn whose text has not changed stays exactly as it is; further
/// messages are appended.
Json gemini_from_hook_request(const Json& hook_request, const Json& base);

/// What a hook sees of a response, or of one chunk of it.
Json gemini_to_hook_response(const Json& sdk_response);

/// The SDK's form of a response that a hook wrote. Missing if it has no list of candidates whose parts are lists.
Json gemini_from_hook_response(const Json& hook_response);

/// Translates `{functionCallingConfig: {mode, allowedFunctionNames}}` to `{mode, allowedFunctionNames}` and back. The
/// result is `{}` if neither member exists, and missing if the argument is no object.
Json gemini_to_hook_tool_config(const Json& sdk_tool_config);
Json gemini_from_hook_tool_config(const Json& hook_tool_config);

}  // namespace grapnel
