#include "fleet/far_ask.h"

#include "base/error.h"
#include "fleet/keys.h"

namespace grapnel::fleet {

namespace {

/// What is signed. As JSON, no two answers have the same text.
std::string signed_text(const FarAnswer& answer, const FarQuestion& about) {
  return Json::object({{"grapnel", Json::string("answer")},
                       {"machine", Json::string(about.machine)},
                       {"nonce", Json::string(about.nonce)},
                       {"digest", Json::string(about.digest)},
                       {"answer", Json::string(answer.answer)},
                       {"pattern", Json::string(answer.pattern)},
                       {"reason", Json::string(answer.reason)}})
      .dump();
}

}  // namespace

Result<std::string> sign_answer(const FarAnswer& answer, const FarQuestion& about, const Creds& creds) {
  const auto key = KeyPair::from_seed(creds.seed);
  if (!key) return std::unexpected(key.error());
  return Json::object({{"answer", Json::string(answer.answer)},
                       {"pattern", Json::string(answer.pattern)},
                       {"reason", Json::string(answer.reason)},
                       {"jwt", Json::string(creds.jwt)},
                       {"signature", Json::string(base64url(key->sign(signed_text(answer, about))))}})
      .dump();
}

Result<OpenedAnswer> open_answer(const std::string& reply, const FarQuestion& about, const std::string& role_key,
                                 Time now) {
  const Json json = Json::parse(reply).value_or(Json());
  const auto text = [&](const char* name) { return json[name].as_string().value_or(""); };
  const auto claims = verified_claims(text("jwt"), role_key, now);
  if (!claims) return fail(Errc::Refused, "an answer came from somebody who is no approver: " + claims.error().message);
  const FarAnswer answer{text("answer"), text("pattern"), text("reason")};
  const std::string user = (*claims)["sub"].as_string().value_or("");
  const auto signature = from_base64url(text("signature"));
  if (!signature || !is_signed_by(user, signed_text(answer, about), *signature))
    return fail(Errc::Refused, "an answer was not for this question");
  if (answer.answer != "deny" && answer.answer != "once" && answer.answer != "session")
    return fail(Errc::Refused, "an answer was neither deny, once nor session");
  return OpenedAnswer{answer, (*claims)["name"].as_string().value_or("")};
}

}  // namespace grapnel::fleet
