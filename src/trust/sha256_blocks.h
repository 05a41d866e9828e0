#pragma once

#include <cstddef>
#include <cstdint>

namespace grapnel {

/// Whether this processor has instructions for SHA-256.
bool can_hash_blocks();

/// Takes whole blocks of 64 bytes into the state, with those instructions.
void hash_blocks(uint32_t* state, const uint8_t* bytes, size_t blocks);

}  // namespace grapnel
