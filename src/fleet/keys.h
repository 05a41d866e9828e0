#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "grapnel/error.h"

/// Ed25519 keys in the text form of NATS ("nkeys"), in which servers, accounts and users are named.
///
/// A key is 32 bytes. As text it is base32 of a prefix that says what the key is for, the bytes, and a CRC-16: `U…` is
/// the public key of a user, `SU…` the seed from which both halves are made.
namespace grapnel::fleet {

enum class KeyKind : uint8_t { Operator, Account, User };

/// The letter with which public keys of the kind begin: `O`, `A`, `U`.
char letter_of(KeyKind kind);

class KeyPair {
 public:
  /// A new key. Fails: System when there is no randomness.
  static Result<KeyPair> make(KeyKind kind);
  /// Reads a seed, such as `SUAM…`. Fails: BadInput.
  static Result<KeyPair> from_seed(std::string_view seed);

  KeyKind kind() const { return kind_; }
  /// The secret text.
  std::string seed() const;
  std::string public_key() const;
  /// The 64 bytes of an Ed25519 signature.
  std::string sign(std::string_view message) const;

 private:
  using Bytes = std::array<uint8_t, 32>;
  KeyPair(KeyKind kind, const Bytes& secret, const Bytes& public_half)
      : kind_(kind), secret_(secret), public_(public_half) {}
  static Result<KeyPair> from_secret(KeyKind kind, const Bytes& secret);

  KeyKind kind_;
  Bytes secret_;
  Bytes public_;
};

/// Whether the text is a public key of that kind.
bool is_public_key(std::string_view text, KeyKind kind);

/// Whether the signature was made over this message with the secret half of the public key.
bool is_signed_by(std::string_view public_key, std::string_view message, std::string_view signature);

std::string base64url(std::string_view bytes);
/// Fails: BadInput.
Result<std::string> from_base64url(std::string_view text);

/// So many random bytes as lower-case hex.
std::string random_hex(size_t bytes);

}  // namespace grapnel::fleet
