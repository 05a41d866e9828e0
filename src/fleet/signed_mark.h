#pragma once

#include <string>

#include "fleet/jwt.h"
#include "fleet/position.h"

/// A mark as it is on the server: the position, the statement (JWT) about the collector that wrote it, and its
/// signature. A machine forgets records that the mark has passed, so neither a server nor another role may move it.
namespace grapnel::fleet {

class MarkSigner {
 public:
  /// Fails: BadInput.
  static Result<MarkSigner> from(const Creds& creds);

  std::string sign(const std::string& machine, const Position& mark) const;

 private:
  MarkSigner(KeyPair key, std::string jwt) : key_(std::move(key)), jwt_(std::move(jwt)) {}

  KeyPair key_;
  std::string jwt_;
};

/// The mark in the text, if somebody signed it whom the key of the role signed. Fails: Refused.
Result<Position> open_mark(const std::string& text, const std::string& machine, const std::string& role_key, Time now);

}  // namespace grapnel::fleet
