#pragma once

#include <string>
#include <string_view>

namespace grapnel::match {

/// A text that every match of a regular expression contains, or "" if none is known. A subject without it needs no
/// engine.
///
/// Accepts every pattern that `translate_ecma` accepts. Only plain characters outside of groups and classes are
/// considered, and the result is "" if the pattern has something unknown. The text is ASCII, so that it does not matter
/// if invalid UTF-8 in the subject is replaced first.
std::string required_text(std::string_view regex);

}  // namespace grapnel::match
