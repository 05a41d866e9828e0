#pragma once

#include <string>
#include <string_view>

namespace grapnel::text {

/// From the first line that differs to the last, with three lines around it, as one hunk of a unified diff; "" when
/// nothing differs. For people to look at before they agree: lines that stay the same inside the hunk are not singled
/// out.
std::string line_diff(std::string_view file, std::string_view before, std::string_view after);

/// `text` with every `from` in it replaced; unchanged when `from` is empty.
std::string replace_each(std::string_view text, std::string_view from, std::string_view to);

}  // namespace grapnel::text
