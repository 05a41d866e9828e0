#include "fleet/manifest.h"

#include <gtest/gtest.h>

namespace grapnel::fleet {
namespace {

const KeyPair& policy_key() {
  static const KeyPair key = *KeyPair::make(KeyKind::Operator);
  return key;
}

Manifest manifest(int64_t version, int64_t percent = 100) {
  return {.channel = "stable",
          .version = version,
          .bundle = "digest-" + std::to_string(version),
          .bundle_bytes = 10,
          .name = "rules",
          .percent = percent,
          .issued = "2026-01-01T00:00:00.000Z",
          .expires = "2026-02-01T00:00:00.000Z"};
}

MachineView view() {
  return {.machine = "laptop-1",
          .channel = "stable",
          .trusted_keys = {policy_key().public_key()},
          .current = manifest(5),
          .highest = 5,
          .now = "2026-01-10T00:00:00.000Z"};
}

ChannelPolicy policy_of(const std::vector<SignedManifest>& manifests) {
  return ChannelPolicy::parse(ChannelPolicy{manifests}.to_text());
}

TEST(Manifest, ComesBackAsItWasSigned) {
  const SignedManifest one = sign_manifest(manifest(7, 30), policy_key());
  const auto again = open_manifest(SignedManifest::from_json(one.to_json()), {policy_key().public_key()});
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, manifest(7, 30));
}

TEST(Manifest, IsRefusedUnlessItIsNewAndForThisMachine) {
  const KeyPair thief = *KeyPair::make(KeyKind::Operator);
  SignedManifest changed = sign_manifest(manifest(6), policy_key());
  changed.text.replace(changed.text.find("digest-6"), 8, "digest-9");
  SignedManifest stolen_name = sign_manifest(manifest(6), thief);
  stolen_name.key = policy_key().public_key();
  Manifest other_channel = manifest(6), expired = manifest(6), same_version = manifest(5);
  other_channel.channel = "canary";
  expired.expires = "2026-01-09T00:00:00.000Z";
  same_version.bundle = "digest-of-something-else";
  struct Case {
    const char* note;
    SignedManifest manifest;
    const char* why;
  };
  const std::vector<Case> cases = {
      {"changed after signing", changed, "signature is wrong"},
      {"signed by somebody else", sign_manifest(manifest(6), thief), "does not trust"},
      {"signed by somebody else, in our name", stolen_name, "signature is wrong"},
      {"of another channel", sign_manifest(other_channel, policy_key()), "for the channel canary"},
      {"expired", sign_manifest(expired, policy_key()), "expired at"},
      {"older: a replay", sign_manifest(manifest(4), policy_key()), "not newer"},
      {"of the same version, but another bundle", sign_manifest(same_version, policy_key()), "not newer"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    const Choice choice = choose_manifest(policy_of({one.manifest}), view());
    EXPECT_FALSE(choice.manifest);
    ASSERT_EQ(choice.refusals.size(), 1U);
    EXPECT_TRUE(choice.refusals.front().contains(one.why)) << choice.refusals.front();
  }
}

TEST(Manifest, NewerOneIsChosen) {
  const Choice choice = choose_manifest(policy_of({sign_manifest(manifest(6), policy_key())}), view());
  EXPECT_EQ(choice.manifest, manifest(6));
  EXPECT_TRUE(choice.refusals.empty());
}

TEST(Manifest, CurrentOneStays) {
  const Choice choice = choose_manifest(policy_of({sign_manifest(manifest(5), policy_key())}), view());
  EXPECT_EQ(choice.manifest, manifest(5));
  EXPECT_TRUE(choice.refusals.empty());
}

TEST(Manifest, AnUnreadablePolicyChangesNothing) {
  for (const char* text : {"", "{}", "[]", "null", R"({"manifests":[{}]})", R"({"manifests":"x"})"}) {
    EXPECT_FALSE(choose_manifest(ChannelPolicy::parse(text), view()).manifest) << text;
  }
}

TEST(Manifest, ReachesAShareOfTheMachinesAndKeepsThem) {
  size_t few = 0, many = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string machine = "machine-" + std::to_string(i);
    const bool is_early = is_among(machine, manifest(6, 10));
    few += is_early ? 1 : 0;
    many += is_among(machine, manifest(6, 50)) ? 1 : 0;
    // Whoever has it keeps it when the share grows.
    if (is_early) EXPECT_TRUE(is_among(machine, manifest(6, 50))) << machine;
    EXPECT_TRUE(is_among(machine, manifest(6, 100)));
    EXPECT_FALSE(is_among(machine, manifest(6, 0)));
  }
  EXPECT_NEAR(static_cast<double>(few), 200, 60);
  EXPECT_NEAR(static_cast<double>(many), 1000, 120);
}

TEST(Manifest, OthersStayWithTheOneForEverybody) {
  MachineView machine = view();
  machine.current = manifest(5);
  const ChannelPolicy policy =
      policy_of({sign_manifest(manifest(7, 0), policy_key()), sign_manifest(manifest(6), policy_key())});
  EXPECT_EQ(choose_manifest(policy, machine).manifest, manifest(6));
}

}  // namespace
}  // namespace grapnel::fleet
