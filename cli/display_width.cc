#include "cli/display_width.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "match/char_class.h"

namespace grapnel::cli {

namespace {

// The C library's wcwidth() needs a UTF-8 locale, which a statically linked program cannot count on. The two tables
// have the scripts and symbols that people write names, paths and commands in; a rare script that is missing only moves
// the columns of its line.

struct CodeRange {
  char32_t first, last;
};

/// Characters without a column of their own: accents and other marks, joiners, variation selectors.
constexpr auto kNoColumn = std::to_array<CodeRange>({
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2}, {0x05C4, 0x05C5},
    {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x0900, 0x0902},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x20D0, 0x20F0},
    {0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
});

/// Characters of two columns: the scripts of East Asia, full-width forms, emoji.
constexpr auto kTwoColumns = std::to_array<CodeRange>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x3029},   {0x302E, 0x303E},   {0x3041, 0x3098},   {0x309B, 0x3247},   {0x3250, 0x4DBF},
    {0x4E00, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},
    {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CD5}, {0x1AFF0, 0x1B2FB},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
    {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3},
    {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC},
    {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2},
    {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A},
    {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
});

bool is_in(std::span<const CodeRange> ranges, char32_t code) {
  const auto range = std::ranges::lower_bound(ranges, code, {}, &CodeRange::last);
  return range != ranges.end() && range->first <= code;
}

size_t columns_of(char32_t code) {
  if (code < kNoColumn.front().first) return 1;
  if (is_in(kNoColumn, code)) return 0;
  return is_in(kTwoColumns, code) ? 2 : 1;
}

/// The bytes at the start of the text that fit into `width` columns. A mark stays with its letter.
size_t prefix_of_width(std::string_view text, size_t width) {
  size_t at = 0;
  for (size_t used = 0; at < text.size();) {
    const match::Decoded character = match::decode_utf8(text.substr(at));
    used += columns_of(character.code);
    if (used > width) break;
    at += character.length;
  }
  return at;
}

}  // namespace

size_t display_width(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    const match::Decoded character = match::decode_utf8(text);
    width += columns_of(character.code);
    text.remove_prefix(character.length);
  }
  return width;
}

std::string cut_to_width(std::string_view text, size_t width, Keep keep) {
  constexpr std::string_view kEllipsis = "…";
  const size_t whole = display_width(text);
  if (whole <= width) return std::string(text);
  if (width == 0) return "";
  if (keep == Keep::Start) {
    return std::string(text.substr(0, prefix_of_width(text, width - 1))) + std::string(kEllipsis);
  }
  // Of a wide character only half may be in the way; then all of it goes.
  size_t skip = whole - (width - 1);
  size_t from = prefix_of_width(text, skip);
  while (display_width(text.substr(from)) > width - 1) from = prefix_of_width(text, ++skip);
  return std::string(kEllipsis) + std::string(text.substr(from));
}

std::string wrap_words(std::string_view text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  bool is_first = true;  // of its line
  for (const std::string_view word : text::split(text, ' ')) {
    const size_t needed = display_width(word) + (is_first ? 0 : 1);
    // A word that is longer than a line gets a line of its own.
    if (column + needed > width && column > indent) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      is_first = true;
    }
    out += (is_first ? "" : " ") + std::string(word);
    column += display_width(word) + (is_first ? 0 : 1);
    is_first = false;
  }
  return out;
}

}  // namespace grapnel::cli
