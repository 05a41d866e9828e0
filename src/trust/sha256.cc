#include "trust/sha256.h"

#include <algorithm>
#include <array>

#include "trust/sha256_blocks.h"
#include <sha256.h>

namespace grapnel {

namespace {

/// As `SHA256Update`, but whole blocks go through the processor's own instructions where it has them.
void update(SHA2_CTX& context, std::string_view bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  const size_t held = context.bitcount[0] / 8 % SHA256_BLOCK_LENGTH;
  const size_t fill = held == 0 ? 0 : std::min(SHA256_BLOCK_LENGTH - held, bytes.size());
  const size_t blocks = (bytes.size() - fill) / SHA256_BLOCK_LENGTH;
  if (blocks == 0 || !can_hash_blocks()) return SHA256Update(&context, data, bytes.size());
  const size_t whole = blocks * SHA256_BLOCK_LENGTH;
  SHA256Update(&context, data, fill);
  hash_blocks(context.state.st32, data + fill, blocks);
  context.bitcount[0] += whole * 8;
  SHA256Update(&context, data + fill + whole, bytes.size() - fill - whole);
}

}  // namespace

Sha256::Sha256() : context_(new SHA2_CTX) {
  SHA256Init(static_cast<SHA2_CTX*>(context_));
}
Sha256::~Sha256() {
  delete static_cast<SHA2_CTX*>(context_);
}

Sha256& Sha256::add(std::string_view part) {
  auto& context = *static_cast<SHA2_CTX*>(context_);
  update(context, std::to_string(part.size()) + ":");
  update(context, part);
  return *this;
}

namespace {

std::string finish(SHA2_CTX* context) {
  std::array<uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), context);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const uint8_t byte : digest) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace

std::string Sha256::hex() {
  return finish(static_cast<SHA2_CTX*>(context_));
}

std::string sha256_of(std::string_view bytes) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return finish(&context);
}

}  // namespace grapnel
