#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

/// The innermost loops of reading and escaping. They look at sixteen bytes at a time where SSE2 is available, which is
/// every x86-64 processor, and otherwise at eight bytes in one machine word.
namespace grapnel::json {

/// Eight bytes as a number; the first byte is the lowest.
inline uint64_t load_word(const char* at) {
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = std::byteswap(word);
  return word;
}

/// The byte in all eight positions of a word.
constexpr uint64_t repeat_byte(uint8_t byte) {
  return 0x0101010101010101U * byte;
}

/// Whether a byte stands for itself in a string: printable ASCII other than quote and backslash.
inline bool is_plain_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/// Sets the top bit of each byte that is not plain. Only the lowest set bit is reliable, because borrows ripple
/// upwards.
inline uint64_t find_special_bytes(uint64_t word) {
  constexpr uint64_t kOnes = repeat_byte(1);
  const uint64_t quote = word ^ repeat_byte('"');
  const uint64_t backslash = word ^ repeat_byte('\\');
  const uint64_t control = (word - repeat_byte(0x20)) & ~word;
  return (((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) | control | word) & repeat_byte(0x80);
}

/// The first byte at or after `at` that is not plain, or `end`.
inline const char* skip_plain_bytes(const char* at, const char* end) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i blank = _mm_set1_epi8(0x20);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    // As signed numbers, bytes that are not ASCII are less than a blank, too.
    const __m128i special = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                                         _mm_cmplt_epi8(bytes, blank));
    const auto found = static_cast<uint32_t>(_mm_movemask_epi8(special));
    if (found != 0) return at + std::countr_zero(found);
  }
#endif
  for (; end - at >= 8; at += 8) {
    const uint64_t special = find_special_bytes(load_word(at));
    if (special != 0) return at + std::countr_zero(special) / 8;
  }
  while (at < end && is_plain_byte(*at)) ++at;
  return at;
}

/// The length of the UTF-8 sequence at `at`, whose first byte is not ASCII; 0 if it is not valid.
inline size_t multibyte_length(const char* at, const char* end) {
  const auto byte = [&](ptrdiff_t i) -> unsigned { return i < end - at ? static_cast<unsigned char>(at[i]) : 0U; };
  const auto continues = [&](ptrdiff_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return continues(1) ? 2 : 0;
  if (!continues(1) || !continues(2)) return 0;
  const unsigned start = (lead << 8U) | byte(1);
  if (lead < 0xF0) return start >= 0xE0A0 && (start < 0xEDA0 || lead > 0xED) ? 3 : 0;
  return start >= 0xF090 && start < 0xF490 && continues(3) ? 4 : 0;
}

}  // namespace grapnel::json
