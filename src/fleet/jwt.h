#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "fleet/keys.h"

/// The signed statements (JWT) by which a NATS server knows operators, accounts and users.
namespace grapnel::fleet {

using Time = std::chrono::system_clock::time_point;

/// Signs the claims of `subject`. `nats` is the member of that name. An epoch as `expires` means never.
std::string write_jwt(const KeyPair& issuer, const std::string& subject, const std::string& name, const Json& nats,
                      Time now, Time expires = {});

/// The claims of a statement, not verified. Fails: BadInput.
Result<Json> read_jwt(const std::string& jwt);

/// The claims of a statement that this key signed and that has not expired. Fails: Refused.
Result<Json> verified_claims(const std::string& jwt, const std::string& issuer, Time now);

/// When it expires; an epoch if never.
Time expiry_of(const Json& claims);

/// The file that clients of NATS read: the statement about a user, and the user's seed.
std::string creds_text(const std::string& jwt, const std::string& seed);
/// Its two parts. Fails: BadInput.
struct Creds {
  std::string jwt;
  std::string seed;
};
Result<Creds> read_creds(const std::string& text);

}  // namespace grapnel::fleet
