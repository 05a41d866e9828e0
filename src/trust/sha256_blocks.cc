#include "trust/sha256_blocks.h"

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)

#include <immintrin.h>

#include <array>

#if defined(__clang__)
#define _Bool bool  // that header says it in C's words, which only g++ takes in C++
#endif
#include <sys/platform/x86.h>

namespace grapnel {

namespace {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

const __m128i* at(const void* bytes) {
  return static_cast<const __m128i*>(bytes);
}

}  // namespace

/// glibc has asked the processor already; to ask again traps on a virtual machine.
bool can_hash_blocks() {
  return CPU_FEATURE_PRESENT(SHA) && CPU_FEATURE_PRESENT(SSE4_1);
}

/// The instructions want the state as ABEF and CDGH, and do two rounds each. Words of the message are made four at a
/// time from the sixteen before them.
__attribute__((target("sha,sse4.1"))) void hash_blocks(uint32_t* state, const uint8_t* bytes, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(at(state)), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(at(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; blocks > 0; --blocks, bytes += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i words[4];
    for (size_t i = 0; i < 16; ++i) {
      __m128i& own = words[i % 4];
      const __m128i& last = words[(i + 3) % 4];
      if (i < 4) {
        own = _mm_shuffle_epi8(_mm_loadu_si128(at(bytes + 16 * i)), swap);
      } else {
        const __m128i seven_before = _mm_alignr_epi8(last, words[(i + 2) % 4], 4);
        own = _mm_add_epi32(_mm_sha256msg1_epu32(own, words[(i + 1) % 4]), seven_before);
        own = _mm_sha256msg2_epu32(own, last);
      }
      const __m128i input = _mm_add_epi32(own, _mm_load_si128(at(&kRounds[4 * i])));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

}  // namespace grapnel

#else

namespace grapnel {

bool can_hash_blocks() {
  return false;
}
void hash_blocks(uint32_t* /*state*/, const uint8_t* /*bytes*/, size_t /*blocks*/) {}

}  // namespace grapnel

#endif
