#pragma once

#include <vector>

#include "grapnel/json.h"

/// The conversation of a model request as Gemini's hooks see it, and the way back.
///
/// The contents of the SDK are turns with parts: texts, thoughts, images, calls of tools and their results. Hooks see a
/// list of texts, one for the text of a turn and one for each result:
///
///   {role: user|model|system, content}
///   {role: user, content, functionResponse: {id, name}}
///
/// A list that a hook returns is the whole conversation; nothing else is sent. What hooks do not see follows what they
/// do see:
///
///   * A message that is the same as one the hook saw stands for that turn, with its images and thoughts.
///   * A message that still has the id of a result is that result with another content.
///   * If the list is as long as the one the hook saw, a changed text of the same role is an edit of the turn in its
///     place, which keeps its other parts.
///   * A call is sent exactly if its result is, right before it: no model accepts one without the other.
///   * Any other message is new, and only text.
///
///   seen       [user "list it", user "a.txt" (result c1)]       of  [list it] [call c1] [result c1]
///   returned   [user "list it", user "***" (result c1)]         →   [list it] [call c1] [result c1: ***]
///   returned   [user "Say hello."]                              →   [Say hello.]
namespace grapnel {

/// The items of the SDK's contents, which may also be a single one.
std::vector<Json> gemini_items(const Json& contents);

/// What a hook sees of the contents: an array of messages.
Json gemini_messages_of(const Json& contents);

/// The contents that a hook's messages stand for.
Json gemini_contents_of(const Json& messages, const Json& contents);

}  // namespace grapnel
