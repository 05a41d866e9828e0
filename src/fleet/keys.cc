#include "fleet/keys.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/error.h"

namespace grapnel::fleet {

namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr size_t kKeySize = 32;
constexpr size_t kSignatureSize = 64;
constexpr uint8_t kSeedPrefix = 18 << 3;  // `S`

uint8_t prefix_of(KeyKind kind) {
  switch (kind) {
    case KeyKind::Operator:
      return 14 << 3;
    case KeyKind::Account:
      return 0;
    case KeyKind::User:
      break;
  }
  return 20 << 3;
}

std::optional<KeyKind> kind_of_prefix(uint8_t prefix) {
  for (const KeyKind kind : {KeyKind::Operator, KeyKind::Account, KeyKind::User}) {
    if (prefix_of(kind) == prefix) return kind;
  }
  return std::nullopt;
}

/// CRC-16 with the polynomial of XMODEM, which nkeys end with.
uint16_t crc16(std::string_view bytes) {
  uint16_t crc = 0;
  for (const char c : bytes) {
    crc = static_cast<uint16_t>(crc ^ (static_cast<uint8_t>(c) << 8));
    for (int bit = 0; bit < 8; ++bit) {
      crc = static_cast<uint16_t>((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
  }
  return crc;
}

/// Writes bytes in groups of `Bits` bits, without padding.
template <unsigned Bits>
std::string write_groups(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  uint32_t pending = 0;
  unsigned count = 0;
  for (const char c : bytes) {
    pending = pending << 8 | static_cast<uint8_t>(c);
    for (count += 8; count >= Bits; count -= Bits) out += alphabet[pending >> (count - Bits) & ((1U << Bits) - 1)];
  }
  if (count > 0) out += alphabet[pending << (Bits - count) & ((1U << Bits) - 1)];
  return out;
}

template <unsigned Bits>
std::optional<std::string> read_groups(std::string_view text, std::string_view alphabet) {
  std::string out;
  uint32_t pending = 0;
  unsigned count = 0;
  for (const char c : text) {
    const size_t value = alphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    pending = pending << Bits | static_cast<uint32_t>(value);
    count += Bits;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(pending >> count & 0xff);
  }
  return out;
}

std::string with_checksum(std::string bytes) {
  const uint16_t crc = crc16(bytes);
  bytes += static_cast<char>(crc & 0xff);
  bytes += static_cast<char>(crc >> 8);
  return write_groups<5>(bytes, kBase32);
}

/// The bytes of a key's text, without the checksum, which must be right.
std::optional<std::string> read_checked(std::string_view text) {
  auto bytes = read_groups<5>(text, kBase32);
  if (!bytes || bytes->size() < 3) return std::nullopt;
  const std::string body = bytes->substr(0, bytes->size() - 2);
  if (with_checksum(body) != text) return std::nullopt;
  return body;
}

std::optional<std::string> read_public(std::string_view text) {
  const auto bytes = read_checked(text);
  if (!bytes || bytes->size() != 1 + kKeySize || !kind_of_prefix(static_cast<uint8_t>(bytes->front())))
    return std::nullopt;
  return bytes->substr(1);
}

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

const uint8_t* as_bytes(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

}  // namespace

char letter_of(KeyKind kind) {
  return kBase32[prefix_of(kind) >> 3];
}

Result<KeyPair> KeyPair::from_secret(KeyKind kind, const Bytes& secret) {
  const Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, secret.data(), secret.size()), EVP_PKEY_free);
  Bytes public_half{};
  size_t size = public_half.size();
  if (!key || EVP_PKEY_get_raw_public_key(key.get(), public_half.data(), &size) != 1) {
    return fail(Errc::System, "OpenSSL cannot make an Ed25519 key");
  }
  return KeyPair(kind, secret, public_half);
}

Result<KeyPair> KeyPair::make(KeyKind kind) {
  Bytes secret{};
  if (RAND_bytes(secret.data(), static_cast<int>(secret.size())) != 1) {
    return fail(Errc::System, "OpenSSL has no random bytes");
  }
  return from_secret(kind, secret);
}

// The prefix of a seed has two parts, `S` and the kind, of five bits each.
Result<KeyPair> KeyPair::from_seed(std::string_view seed) {
  const auto bytes = read_checked(seed);
  if (!bytes || bytes->size() != 2 + kKeySize) return fail(Errc::BadInput, "this is no seed of a key");
  const auto first = static_cast<uint8_t>((*bytes)[0]);
  const auto second = static_cast<uint8_t>((*bytes)[1]);
  const auto kind = kind_of_prefix(static_cast<uint8_t>((first & 7) << 5 | (second & 248) >> 3));
  if ((first & 248) != kSeedPrefix || !kind) return fail(Errc::BadInput, "this is no seed of a key");
  Bytes secret{};
  std::ranges::transform(bytes->substr(2), secret.begin(), [](char c) { return static_cast<uint8_t>(c); });
  return from_secret(*kind, secret);
}

std::string KeyPair::seed() const {
  const uint8_t prefix = prefix_of(kind_);
  std::string bytes;
  bytes += static_cast<char>(kSeedPrefix | prefix >> 5);
  bytes += static_cast<char>((prefix & 31) << 3);
  bytes.append(secret_.begin(), secret_.end());
  return with_checksum(std::move(bytes));
}

std::string KeyPair::public_key() const {
  std::string bytes(1, static_cast<char>(prefix_of(kind_)));
  bytes.append(public_.begin(), public_.end());
  return with_checksum(std::move(bytes));
}

std::string KeyPair::sign(std::string_view message) const {
  const Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, secret_.data(), secret_.size()), EVP_PKEY_free);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string signature(kSignatureSize, '\0');
  size_t size = signature.size();
  const bool is_signed = key && context &&
                         EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
                         EVP_DigestSign(context.get(), reinterpret_cast<uint8_t*>(signature.data()), &size,
                                        as_bytes(message), message.size()) == 1;
  GRAPNEL_CHECK(is_signed);
  return signature;
}

bool is_public_key(std::string_view text, KeyKind kind) {
  return !text.empty() && text.front() == letter_of(kind) && read_public(text).has_value();
}

bool is_signed_by(std::string_view public_key, std::string_view message, std::string_view signature) {
  const auto bytes = read_public(public_key);
  if (!bytes || signature.size() != kSignatureSize) return false;
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, as_bytes(*bytes), bytes->size()), EVP_PKEY_free);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return key && context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), as_bytes(signature), signature.size(), as_bytes(message), message.size()) == 1;
}

std::string base64url(std::string_view bytes) {
  return write_groups<6>(bytes, kBase64);
}

Result<std::string> from_base64url(std::string_view text) {
  auto bytes = read_groups<6>(text, kBase64);
  if (!bytes || base64url(*bytes) != text) return fail(Errc::BadInput, "this is no base64url text");
  return std::move(*bytes);
}

std::string random_hex(size_t bytes) {
  std::string raw(bytes, '\0');
  GRAPNEL_CHECK(RAND_bytes(reinterpret_cast<uint8_t*>(raw.data()), static_cast<int>(bytes)) == 1);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : raw) {
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return out;
}

}  // namespace grapnel::fleet
