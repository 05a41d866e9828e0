#include "fleet/keys.h"

#include <gtest/gtest.h>

#include "fleet/jwt.h"
#include "fleet/roles.h"
#include "fleet/tls.h"

namespace grapnel::fleet {
namespace {

/// A pair that the makers of NATS publish in their documentation of nkeys, so that our text form is theirs.
constexpr std::string_view kSeed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
constexpr std::string_view kPublic = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

TEST(Keys, AreTheSameAsThoseOfNats) {
  const auto key = KeyPair::from_seed(kSeed);
  ASSERT_TRUE(key);
  EXPECT_EQ(key->seed(), kSeed);
  EXPECT_EQ(key->public_key(), kPublic);
}

TEST(Keys, ComeBackFromTheirSeed) {
  for (const KeyKind kind : {KeyKind::Operator, KeyKind::Account, KeyKind::User}) {
    const auto key = KeyPair::make(kind);
    ASSERT_TRUE(key);
    EXPECT_EQ(key->seed().substr(0, 2), std::string("S") + letter_of(kind));
    EXPECT_TRUE(is_public_key(key->public_key(), kind));
    const auto again = KeyPair::from_seed(key->seed());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->public_key(), key->public_key());
    EXPECT_EQ(again->kind(), kind);
  }
}

TEST(Keys, RefuseWhatIsNoSeed) {
  std::string mistyped(kSeed);
  mistyped[20] = mistyped[20] == 'A' ? 'B' : 'A';
  for (const std::string& text :
       {std::string(), std::string("SU"), mistyped, std::string(kPublic), std::string("SU é")}) {
    EXPECT_FALSE(KeyPair::from_seed(text)) << text;
  }
  EXPECT_FALSE(is_public_key(kPublic, KeyKind::Account));
  EXPECT_FALSE(is_public_key(kSeed, KeyKind::User));
}

TEST(Keys, SignForOneMessageAndOneKey) {
  const auto key = KeyPair::make(KeyKind::Operator);
  const auto other = KeyPair::make(KeyKind::Operator);
  const std::string signature = key->sign("message");
  EXPECT_TRUE(is_signed_by(key->public_key(), "message", signature));
  EXPECT_FALSE(is_signed_by(key->public_key(), "massage", signature));
  EXPECT_FALSE(is_signed_by(other->public_key(), "message", signature));
  EXPECT_FALSE(is_signed_by(key->public_key(), "message", signature.substr(1)));
  EXPECT_FALSE(is_signed_by("", "message", signature));
}

TEST(Keys, WriteBytesAsText) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""}, {"f", "Zg"}, {"fo", "Zm8"}, {"foo", "Zm9v"}, {"\xff\xfe\xfd", "__79"}, {std::string(1, '\0'), "AA"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(base64url(bytes), text);
    EXPECT_EQ(from_base64url(text).value_or("?"), bytes);
  }
  for (const char* text : {"Zg==", "Z", "Zh", "a b"}) EXPECT_FALSE(from_base64url(text)) << text;
}

TEST(Jwt, SaysWhoMaySpeakAsWhom) {
  const auto role = KeyPair::make(KeyKind::Account);
  const auto user = KeyPair::make(KeyKind::User);
  const Time now = std::chrono::system_clock::now();
  const std::string jwt = user_jwt(*role, "AACCOUNT", user->public_key(), "laptop-1", now, now + std::chrono::hours(1));
  const auto claims = read_jwt(jwt);
  ASSERT_TRUE(claims);
  EXPECT_EQ((*claims)["iss"].as_string(), role->public_key());
  EXPECT_EQ((*claims)["sub"].as_string(), user->public_key());
  EXPECT_EQ((*claims)["name"].as_string(), "laptop-1");
  EXPECT_EQ((*claims)["nats"]["issuer_account"].as_string(), "AACCOUNT");
  EXPECT_GT(expiry_of(*claims), now);
  // What stands between the dots is signed as it stands there.
  const size_t dot = jwt.rfind('.');
  EXPECT_TRUE(is_signed_by(role->public_key(), jwt.substr(0, dot), *from_base64url(jwt.substr(dot + 1))));
}

TEST(Jwt, IsReadBackFromAFileOfCredentials) {
  const auto creds = read_creds(creds_text("a.b.c", "SUSEED"));
  ASSERT_TRUE(creds);
  EXPECT_EQ(creds->jwt, "a.b.c");
  EXPECT_EQ(creds->seed, "SUSEED");
  EXPECT_FALSE(read_creds("a.b.c"));
}

TEST(Roles, HaveNoRightToWriteWhereOthersReadTrust) {
  // No role may administer streams, and a machine may publish nothing that is not its own.
  for (const RoleRow& role : all_roles()) {
    for (const std::string_view subject : role.may_publish) {
      EXPECT_FALSE(subject == ">" || subject.starts_with("$SYS") || subject == "$JS.API.>")
          << role.name << " " << subject;
      const bool is_own = subject.contains("{{name()}}") || subject.starts_with("$JS.API.DIRECT.GET.");
      if (role.name == "machine") EXPECT_TRUE(is_own) << subject;
    }
  }
  // Whatever a machine may publish outside of its account is an export.
  for (const std::string_view subject : find_role("machine")->may_publish) {
    std::string pattern(subject);
    if (const size_t at = pattern.find("{{name()}}"); at != std::string::npos) pattern.replace(at, 10, "*");
    EXPECT_TRUE(std::ranges::any_of(all_exports(), [&](const ExportRow& row) { return row.subject == pattern; }))
        << pattern;
  }
}

TEST(Tls, MakesACertificateThatNamesTheHosts) {
  const auto files = make_tls({"localhost", "127.0.0.1", "nats.example"});
  ASSERT_TRUE(files);
  EXPECT_TRUE(files->authority.starts_with("-----BEGIN CERTIFICATE-----"));
  EXPECT_TRUE(files->certificate.starts_with("-----BEGIN CERTIFICATE-----"));
  EXPECT_TRUE(files->key.starts_with("-----BEGIN PRIVATE KEY-----"));
  EXPECT_NE(files->authority, files->certificate);
  EXPECT_FALSE(make_tls({"bad\nhost,otherName:x"}));
}

}  // namespace
}  // namespace grapnel::fleet
