#pragma once

#include "grapnel/json.h"

/// Translates model requests and responses between Gemini's SDK and the simpler form that Gemini's hooks see.
///
/// A host needs this only if it calls Gemini's API with the SDK's types and wants hooks that were written for Gemini
/// CLI to work at BeforeModel and AfterModel.
///
///   SDK request    {model, contents: [{role, parts: [{text} | {functionCall} | …]}], config: {…}}
///   hook request   {model, messages: [{role: user|model|system, content, functionResponse: {id, name}}],
///                   config: {temperature, maxOutputTokens, topP, topK}, tools: [{name, description, …}]}
///   SDK response   {candidates: [{content: {role, parts}, finishReason, index, safetyRatings}], usageMetadata}
///   hook response  {text, candidates: [{content: {role: model, parts: [string]}, finishReason, …}], usageMetadata}
///
/// Hooks see text: that of each turn, without thoughts, and the result of each tool as a message of its own, which has
/// the member `functionResponse`. The messages that a hook returns are the whole conversation. A message that is the
/// same as before stands for its turn, with everything that hooks do not see, such as images; a call of a tool is sent
/// if its result is.
///
/// All functions are pure and accept any JSON; parts that do not have the expected shape are left out. Thread: any.
namespace grapnel {

/// What a hook sees of a request. If the request names no model, the hook sees the SDK's default model.
Json gemini_to_hook_request(const Json& sdk_request);

/// The request `base` with a hook's changes applied. Members that the hook leaves out keep their values, and so do
/// single generation parameters (null removes one). `messages` replaces the conversation and `tools` the list of
/// functions; in that list, a name alone stands for the function as it was declared.
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
