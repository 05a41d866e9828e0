#include "fleet/signed_mark.h"

#include "base/error.h"

namespace grapnel::fleet {

namespace {

std::string mark_text(const std::string& machine, const Position& mark) {
  return mark.to_json().with("grapnel", Json::string("mark")).with("machine", Json::string(machine)).dump();
}

}  // namespace

Result<MarkSigner> MarkSigner::from(const Creds& creds) {
  auto key = KeyPair::from_seed(creds.seed);
  if (!key) return std::unexpected(key.error());
  return MarkSigner(std::move(*key), creds.jwt);
}

std::string MarkSigner::sign(const std::string& machine, const Position& mark) const {
  return mark.to_json()
      .with("jwt", Json::string(jwt_))
      .with("signature", Json::string(base64url(key_.sign(mark_text(machine, mark)))))
      .dump();
}

Result<Position> open_mark(const std::string& text, const std::string& machine, const std::string& role_key, Time now) {
  const Json json = Json::parse(text).value_or(Json());
  const auto claims = verified_claims(json["jwt"].as_string().value_or(""), role_key, now);
  if (!claims) return fail(Errc::Refused, "the mark on the server is from somebody else: " + claims.error().message);
  const Position mark = Position::from_json(json);
  const auto signature = from_base64url(json["signature"].as_string().value_or(""));
  if (!signature || !is_signed_by((*claims)["sub"].as_string().value_or(""), mark_text(machine, mark), *signature))
    return fail(Errc::Refused, "the mark on the server was changed, or is that of another machine");
  return mark;
}

}  // namespace grapnel::fleet
