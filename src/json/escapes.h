#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

#ifdef __SSE2__
#include <immintrin.h>
#endif

/// Skips over text with many escapes, such as source code inside of JSON. It looks at 64 bytes at a time, with one bit
/// for each byte.
namespace grapnel::json {

/// Which of 64 bytes are escaped, that is, follow an odd number of backslashes. `first_is_escaped` says on entry
/// whether the first byte is escaped, and on return whether the byte after the last one is.
inline uint64_t find_escaped(uint64_t backslashes, bool& first_is_escaped) {
  constexpr uint64_t kEven = 0x5555555555555555U;
  const uint64_t first = first_is_escaped ? 1 : 0;
  const uint64_t runs = backslashes & ~first;  // an escaped backslash escapes nothing
  const uint64_t starts = runs & ~(runs << 1U);
  // Adding the first bit of a run to the run carries to the bit after the run. A run has an odd length if it starts at
  // an even bit and ends before an odd one, or the other way round.
  uint64_t behind_odd = 0;
  const uint64_t behind_even = runs + (starts & kEven);
  first_is_escaped = __builtin_add_overflow(runs, starts & ~kEven, &behind_odd);
  const uint64_t behind = ((behind_even & ~kEven) | (behind_odd & kEven)) & ~runs;
  return behind | first;
}

#ifdef __SSE2__

/// 64 bytes that can be compared with a character at once.
class Block {
 public:
  explicit Block(const char* at)
      : a_(load(at)), b_(load(at + kPart)), c_(load(at + 2 * kPart)), d_(load(at + 3 * kPart)) {}

  /// One bit for each byte that is equal to `c`.
  uint64_t equal_to(char c) const {
    const __m128i wanted = _mm_set1_epi8(c);
    return bits_of([=](__m128i part) { return _mm_cmpeq_epi8(part, wanted); });
  }
  /// Control characters and bytes that are not ASCII: as signed numbers both are less than a blank.
  uint64_t odd() const {
    const __m128i blank = _mm_set1_epi8(0x20);
    return bits_of([=](__m128i part) { return _mm_cmplt_epi8(part, blank); });
  }

 private:
  static constexpr int kPart = 16;
  static __m128i load(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

  template <typename Compare>
  uint64_t bits_of(Compare compare) const {
    const auto bits = [&](__m128i part) { return uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(compare(part)))}; };
    return bits(a_) | (bits(b_) << kPart) | (bits(c_) << (2 * kPart)) | (bits(d_) << (3 * kPart));
  }

  __m128i a_, b_, c_, d_;
};

#endif

/// Skips plain bytes and escapes of two characters, starting at a backslash. Stops at a quote, a control character, a
/// byte that is not ASCII or the backslash of another kind of escape. It may stop earlier near the end of the text, but
/// never inside of an escape.
inline const char* skip_simple_escapes(const char* at, [[maybe_unused]] const char* end) {
#ifdef __SSE2__
  bool first_is_escaped = false;
  for (; end - at >= 64; at += 64) {
    const Block block(at);
    const uint64_t backslashes = block.equal_to('\\');
    const uint64_t quotes = block.equal_to('"');
    const uint64_t escaped = find_escaped(backslashes, first_is_escaped);
    uint64_t wrong = escaped & ~(backslashes | quotes | block.equal_to('n'));
    if (wrong != 0) wrong &= ~block.equal_to('t');
    if (wrong != 0) {
      for (const char c : {'r', '/', 'b', 'f'}) wrong &= ~block.equal_to(c);
    }
    const uint64_t stops = (quotes & ~escaped) | block.odd() | wrong;
    if (stops == 0) continue;
    const auto stop = std::countr_zero(stops);
    const bool is_wrong = ((wrong >> stop) & 1U) != 0;
    return at + stop - (is_wrong ? 1 : 0);
  }
  if (first_is_escaped) --at;
#endif
  return at;
}

}  // namespace grapnel::json
