#include "trust/sha256.h"

#include <array>

#include <sha256.h>

namespace grapnel {

namespace {

void hash_bytes(SHA2_CTX& context, std::string_view bytes) {
  SHA256Update(&context, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

/// The digest as hex. The context must not be used afterwards.
std::string finish_hash(SHA2_CTX* context) {
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

Sha256::Sha256() : context_(new SHA2_CTX) {
  SHA256Init(static_cast<SHA2_CTX*>(context_));
}
Sha256::~Sha256() {
  delete static_cast<SHA2_CTX*>(context_);
}

/// "2:ab1:c" and "1:a2:bc" differ, although the parts together are the same.
Sha256& Sha256::add(std::string_view part) {
  auto& context = *static_cast<SHA2_CTX*>(context_);
  hash_bytes(context, std::to_string(part.size()) + ":");
  hash_bytes(context, part);
  return *this;
}

std::string Sha256::hex() {
  return finish_hash(static_cast<SHA2_CTX*>(context_));
}

/// Without lengths, because other programs compute the same digest.
std::string sha256_of(std::string_view bytes) {
  SHA2_CTX context;
  SHA256Init(&context);
  hash_bytes(context, bytes);
  return finish_hash(&context);
}

}  // namespace grapnel
