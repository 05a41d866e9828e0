#pragma once

#include <string>
#include <string_view>

namespace grapnel::match {

/// A text that is part of everything a regular expression matches, or "" when none is known: a subject without it needs
/// no engine. Takes what `translate_ecma` takes; looks at plain characters outside of groups and classes alone, and at
/// nothing where it meets what it does not know. ASCII, so that mending bytes that are not UTF-8 makes no difference.
std::string required_text(std::string_view regex);

}  // namespace grapnel::match
