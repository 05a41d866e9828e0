#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

/// Edits settings files that people maintain by hand: JSON with comments and trailing commas. Every byte that is not
/// part of the change stays as it is.
///
/// A new item is laid out like its neighbours: on a line of its own with their indentation if the container is spread
/// over lines, otherwise directly after the last item. New containers use the file's own indentation and line breaks.
/// Setting a new member and removing it again restores the original bytes.
namespace grapnel::json {

/// Replaces the value at the pointer. If it does not exist, the missing part of the path is added to the last container
/// that exists: a member to an object, or an element to an array for the token `-` or the index after the last one. A
/// text without any value becomes a new document. Fails: BadInput if the text, the pointer or the value (missing)
/// cannot be used.
Result<std::string> set_value(std::string_view text, std::string_view pointer, const Json& value);

/// Removes the member (all of them, if the key is duplicated) or element at the pointer, together with one comma.
/// Fails: BadInput; NotFound if there is nothing at the pointer.
Result<std::string> remove_value(std::string_view text, std::string_view pointer);

}  // namespace grapnel::json
