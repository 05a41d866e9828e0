#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

/// Changes to settings files that people keep by hand: JSON with comments and trailing commas, in which every byte
/// that is not part of the change stays as it is.
///
/// A new item follows its neighbours: on a line of its own with their indentation where the container is spread over
/// lines, else behind the last item. A container value is spread over lines in the file's own unit of indentation and
/// kind of line break. Setting a new member and removing it again gives the bytes one started with.
namespace grapnel::json {

/// Replaces the value at the pointer where it stands, or adds what is missing of the path to the last container that
/// exists: a member to an object; an element to an array for the token `-` or the index past the end. Text without a
/// value gives a fresh document. Fails: BadInput for text, pointer or value (missing) that do not serve.
Result<std::string> set_value(std::string_view text, std::string_view pointer, const Json& value);

/// Takes out the member (every one of that name) or element at the pointer and one comma with it. Fails: BadInput;
/// NotFound when there is nothing at the pointer.
Result<std::string> remove_value(std::string_view text, std::string_view pointer);

}  // namespace grapnel::json
