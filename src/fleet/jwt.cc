#include "fleet/jwt.h"

#include "base/error.h"
#include "base/text.h"
#include "fleet/subjects.h"
#include "trust/sha256.h"

namespace grapnel::fleet {

namespace {

int64_t seconds_of(Time time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

constexpr size_t kMaxName = 64;

}  // namespace

bool is_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return !name.empty() && name.size() <= kMaxName && name.find_first_not_of(kLetters) == std::string_view::npos;
}

// The id only has to be different for different claims.
std::string write_jwt(const KeyPair& issuer, const std::string& subject, const std::string& name, const Json& nats,
                      Time now, Time expires) {
  const Json header = Json::object({{"typ", Json::string("JWT")}, {"alg", Json::string("ed25519-nkey")}});
  Json claims = Json::object({{"iat", Json::number(seconds_of(now))},
                              {"iss", Json::string(issuer.public_key())},
                              {"name", Json::string(name)},
                              {"sub", Json::string(subject)},
                              {"exp", expires == Time{} ? Json() : Json::number(seconds_of(expires))},
                              {"nats", nats}});
  claims = claims.with("jti", Json::string(sha256_of(claims.dump())));
  const std::string body = base64url(header.dump()) + "." + base64url(claims.dump());
  return body + "." + base64url(issuer.sign(body));
}

Result<Json> read_jwt(const std::string& jwt) {
  const auto parts = text::split(jwt, '.');
  if (parts.size() != 3) return fail(Errc::BadInput, "this is no JWT");
  const auto claims = from_base64url(parts[1]);
  if (!claims) return std::unexpected(claims.error());
  return Json::parse(*claims);
}

Result<Json> verified_claims(const std::string& jwt, const std::string& issuer, Time now) {
  const size_t dot = jwt.rfind('.');
  const auto signature = from_base64url(dot == std::string::npos ? "" : jwt.substr(dot + 1));
  if (dot == std::string::npos || !signature || !is_signed_by(issuer, jwt.substr(0, dot), *signature))
    return fail(Errc::Refused, "the key of that role has not signed it");
  auto claims = read_jwt(jwt);
  if (!claims) return fail(Errc::Refused, claims.error().message);
  const Time expiry = expiry_of(*claims);
  if (expiry != Time{} && expiry <= now) return fail(Errc::Refused, "the credentials have expired");
  return claims;
}

Time expiry_of(const Json& claims) {
  return Time(std::chrono::seconds(claims["exp"].as_integer().value_or(0)));
}

std::string creds_text(const std::string& jwt, const std::string& seed) {
  return "-----BEGIN NATS USER JWT-----\n" + jwt + "\n------END NATS USER JWT------\n\n" +
         "-----BEGIN USER NKEY SEED-----\n" + seed + "\n------END USER NKEY SEED------\n";
}

Result<Creds> read_creds(const std::string& text) {
  std::vector<std::string> values;
  for (const std::string_view line : text::split(text, '\n')) {
    const std::string_view word = text::trim(line);
    if (!word.empty() && !word.starts_with('-')) values.emplace_back(word);
  }
  if (values.size() != 2) return fail(Errc::BadInput, "these are no credentials");
  return Creds{values[0], values[1]};
}

}  // namespace grapnel::fleet
