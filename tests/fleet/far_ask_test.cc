#include "fleet/far_ask.h"

#include <gtest/gtest.h>

#include "fleet/roles.h"

namespace grapnel::fleet {
namespace {

constexpr auto kHour = std::chrono::hours(1);

/// Somebody whose statement the key of a role signed.
Creds user_of(const KeyPair& role_key, const std::string& name, Time expires) {
  const auto key = *KeyPair::make(KeyKind::User);
  return {user_jwt(role_key, "account", key.public_key(), name, expires - kHour, expires), key.seed()};
}

TEST(FarAsk, OnlyAnApproversAnswerToThisQuestionCounts) {
  const auto role = *KeyPair::make(KeyKind::Account);
  const auto other_role = *KeyPair::make(KeyKind::Account);
  const Time now = std::chrono::system_clock::now();
  const FarQuestion about{"laptop-1", "nonce", "digest"};
  const FarAnswer once{"once", "", ""};
  const Creds ann = user_of(role, "ann", now + kHour);
  const auto opened = open_answer(*sign_answer(once, about, ann), about, role.public_key(), now);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->answer, once);
  EXPECT_EQ(opened->by, "ann");

  const std::string real = *sign_answer({"deny", "", "Not today."}, about, ann);
  std::string changed = real;
  changed.replace(changed.find("\"deny\""), 6, "\"once\"");
  const Creds mallory{ann.jwt, user_of(other_role, "mallory", now + kHour).seed};
  struct Case {
    const char* note;
    std::string reply;
    const char* why;
  };
  const Case cases[] = {
      {"nothing", "", "no approver"},
      {"a text", "{}", "no approver"},
      {"another role", *sign_answer(once, about, user_of(other_role, "mallory", now + kHour)), "no approver"},
      {"credentials that have expired", *sign_answer(once, about, user_of(role, "ann", now - kHour)), "expired"},
      {"somebody else's statement", *sign_answer(once, about, mallory), "not for this question"},
      {"an answer that was changed", changed, "not for this question"},
      {"another machine's", *sign_answer(once, {"laptop-2", "nonce", "digest"}, ann), "not for this question"},
      {"a replay", *sign_answer(once, {"laptop-1", "before", "digest"}, ann), "not for this question"},
      {"another question was shown", *sign_answer(once, {"laptop-1", "nonce", "benign"}, ann), "not for this question"},
      {"a rule", *sign_answer({"rule", "", ""}, about, ann), "neither deny, once nor session"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto refused = open_answer(c.reply, about, role.public_key(), now);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::Refused);
    EXPECT_TRUE(refused.error().message.contains(c.why)) << refused.error().message;
  }
  EXPECT_FALSE(open_answer(real, about, "", now)) << "a machine that knows no approvers believes none";
}

}  // namespace
}  // namespace grapnel::fleet
