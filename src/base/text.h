#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

/// Text helpers that more than one module needs. All pure; Thread: any.
namespace grapnel::text {

/// `file:line:column`, without the parts that are unknown.
std::string format_position(const SourcePos& pos);

/// The position of byte `offset` in `content`.
SourcePos position_at(std::string file, std::string_view content, size_t offset);

/// Removes ASCII white space at both ends, and a UTF-8 byte-order mark at the start.
std::string_view trim(std::string_view s);

/// Splits at one character. "a||b" has three parts, and "" has one.
std::vector<std::string_view> split(std::string_view s, char separator);
/// The parts would outlive a temporary text.
template <std::same_as<std::string> S>
std::vector<std::string_view> split(S&& s, char separator) = delete;

/// Joins with a separator.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Replaces every `from`, which is not "", by `to`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Valid UTF-8: each mistake is replaced by one U+FFFD, with the lengths that Unicode recommends and browsers use.
std::string to_valid_utf8(std::string_view bytes);
bool is_valid_utf8(std::string_view bytes);

/// At most `limit` bytes, cut between characters, followed by a note that says how much is missing.
std::string cap(std::string_view s, size_t limit);

/// The byte at which a character starts; characters are counted from 0. The size if there are fewer characters.
size_t find_character(std::string_view s, size_t count);

/// The candidate that is most similar to `word`, for "did you mean". Compares by edit distance without regard to case;
/// the first one wins a tie. "" if none is similar enough.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// ASCII lower case.
std::string to_lower(std::string_view s);

/// Whether the text matches the pattern, in which `*` stands for any text.
bool fits_wild(std::string_view text, std::string_view pattern);

/// `&`, `<`, `>` and `"` as HTML and XML spell them.
std::string escape_markup(std::string_view s);

}  // namespace grapnel::text
