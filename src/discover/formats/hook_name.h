#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Names of hooks in Unicode. The only place that sees utf8proc.
namespace grapnel {

/// Trimmed and in the compatibility form NFKC, so that names that look the same are the same.
std::string normalise_name(std::string_view name);

/// Characters of valid UTF-8, counted as code points.
size_t count_characters(std::string_view text);

/// Everything that is wrong with a normalised name, in words; empty when it is fine.
///
/// A name has 1 to 64 lower-case letters, digits and single hyphens between them, in any script.
std::vector<std::string> name_mistakes(const std::string& name);

/// A name without mistakes, as near to the text as possible, with room for a number behind it.
std::string usable_name(const std::string& text);

}  // namespace grapnel
