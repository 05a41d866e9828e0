#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

/// Text helpers that more than one module needs. All pure; Thread: any.
namespace grapnel::text {

/// `file:line:column`, leaving out what is unknown.
std::string format_position(const SourcePos& pos);

/// The position of byte `offset` in `content`.
SourcePos position_at(std::string file, std::string_view content, size_t offset);

/// Without ASCII white space (and a UTF-8 byte-order mark in front) at both ends.
std::string_view trim(std::string_view s);

/// Splits on one character; "a||b" has three parts, "" has one.
std::vector<std::string_view> split(std::string_view s, char separator);

/// Joins with a separator.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Valid UTF-8: each mistake becomes one U+FFFD, as long as browsers and Unicode's recommendation have it.
std::string to_valid_utf8(std::string_view bytes);
bool is_valid_utf8(std::string_view bytes);

/// At most `limit` bytes, cut at a character boundary, followed by a visible mark of how much is missing.
std::string cap(std::string_view s, size_t limit);

/// The byte at which character number `count` starts, counted from 0; the size when there are not so many.
size_t find_character(std::string_view s, size_t count);

/// The candidate nearest to `word` (edit distance, case-insensitive; the first of equals), or "" when none is near
/// enough to suggest.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// ASCII lower case.
std::string to_lower(std::string_view s);

/// Whether the text is what the pattern says, in which `*` is any text.
bool fits_wild(std::string_view text, std::string_view pattern);

/// `&`, `<`, `>` and `"` as HTML and XML spell them.
std::string escape_markup(std::string_view s);

}  // namespace grapnel::text
