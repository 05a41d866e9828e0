#include "shell/odd_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace grapnel::shell {

namespace {

/// Code points, both ends included.
struct Range {
  uint32_t first;
  uint32_t last;
};
/// Characters that are invisible, or look like a plain ASCII character without being one. A whole script is listed if
/// some of its letters look Latin. Accents, Chinese, Japanese and emoji are not odd: they cannot be mistaken for a
/// command.
constexpr auto kOdd = std::to_array<Range>({
    {0x00, 0x08},        // control characters
    {0x0B, 0x1F},        //
    {0x7F, 0xA0},        // more control characters, and the no-break space
    {0xAD, 0xAD},        // soft hyphen
    {0x131, 0x131},      // dotless i
    {0x251, 0x251},      // Latin alpha
    {0x261, 0x261},      // script g
    {0x2B9, 0x2BF},      // marks that look like quotes
    {0x34F, 0x34F},      // joiner
    {0x370, 0x3FF},      // Greek
    {0x400, 0x52F},      // Cyrillic
    {0x530, 0x58F},      // Armenian
    {0x61C, 0x61C},      // direction mark
    {0x115F, 0x1160},    // fillers
    {0x17B4, 0x17B5},    //
    {0x180B, 0x180E},    //
    {0x2000, 0x2015},    // spaces, joiners, direction marks, dashes
    {0x2028, 0x202F},    // separators, embeddings
    {0x205F, 0x206F},    //
    {0x2212, 0x2212},    // minus
    {0x2215, 0x2215},    // division slash
    {0x3000, 0x3000},    // ideographic space
    {0x3164, 0x3164},    // filler
    {0xA4D0, 0xA4FF},    // Lisu
    {0xFE00, 0xFE0E},    // variation selectors, except the one for emoji
    {0xFE58, 0xFE63},    // small forms
    {0xFEFF, 0xFEFF},    // byte-order mark
    {0xFF01, 0xFF5E},    // full-width ASCII
    {0xFFA0, 0xFFA0},    // filler
    {0xFFF0, 0xFFFF},    // special characters; 0xFFFF stands for bad UTF-8
    {0x1D400, 0x1D7FF},  // mathematical letters
    {0xE0000, 0xE0FFF},  // tags
});

/// Decodes the character at `at`, which is moved behind it. Bytes that are not UTF-8 give 0xFFFF, which is in the
/// table.
uint32_t next_character(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  if (more == 0) return 0xFFFF;
  uint32_t value = lead & (0x3FU >> more);
  for (int i = 0; i < more; ++i, ++at) {
    if (at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80) return 0xFFFF;
    value = value << 6 | (static_cast<unsigned char>(text[at]) & 0x3FU);
  }
  return value;
}

}  // namespace

bool has_odd_characters(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_character(text, at);
    // Nearly all characters are printable ASCII, so they are not looked up in the table.
    if (c >= 0x20 && c < 0x7F) continue;
    if (std::ranges::any_of(kOdd, [c](Range r) { return c >= r.first && c <= r.last; })) return true;
  }
  return false;
}

bool has_foreign_characters(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c >= 0x7F; });
}

}  // namespace grapnel::shell
