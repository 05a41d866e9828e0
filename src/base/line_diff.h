#pragma once

#include <string>
#include <string_view>

namespace grapnel::text {

/// The difference between two texts as one hunk of a unified diff: everything from the first line that differs to the
/// last one, with three lines around it. "" if nothing differs. It is for people who must approve a change; equal lines
/// inside of the hunk are not marked as equal.
std::string line_diff(std::string_view file, std::string_view before, std::string_view after);

/// `text` with every `from` replaced by `to`; unchanged if `from` is empty.
std::string replace_each(std::string_view text, std::string_view from, std::string_view to);

}  // namespace grapnel::text
