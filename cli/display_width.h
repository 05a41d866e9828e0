#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// How much room text takes on a terminal. Bytes and characters do not say it: 日 takes two columns, and an accent that
/// is a character of its own takes none.
namespace grapnel::cli {

/// The columns that UTF-8 text without control characters takes.
size_t display_width(std::string_view text);

/// Which end of a text that is too long is worth keeping. Of a path it is the last part.
enum class Keep : uint8_t { Start, End };

/// The text in at most `width` columns. If something has to go, `…` shows where.
std::string cut_to_width(std::string_view text, size_t width, Keep keep = Keep::Start);

/// The text in lines of at most `width` columns, broken at spaces. Every line but the first starts with `indent`
/// blanks. What the caller prints in front of the first line takes `start` columns, or as many as the indent.
std::string wrap_words(std::string_view text, size_t indent, size_t width);

}  // namespace grapnel::cli
