#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Names of hooks in Unicode. This is the only place that uses utf8proc.
namespace grapnel {

/// Trimmed and in the compatibility form NFKC, so that names that look the same are the same.
std::string normalise_name(std::string_view name);

/// Characters of valid UTF-8, counted as code points.
size_t count_characters(std::string_view text);

/// Everything that is wrong with a normalised name, as messages; empty when the name is fine.
///
/// A name has 1 to 64 characters: lower-case letters and digits of any script, with single hyphens between them.
std::vector<std::string> name_mistakes(const std::string& name);

/// A valid name that is as similar to the text as possible and leaves room for a number behind it.
std::string usable_name(const std::string& text);

}  // namespace grapnel
