#include <gtest/gtest.h>

#include "fleet/manifest.h"
#include "fleet/servers/company.h"
#include "fleet/subjects.h"
#include "os/files.h"

// A policy reaches machines through real servers, and nothing but a policy does.

namespace grapnel::testing {
namespace {

/// What the machine says of itself, once it is so.
bool becomes(const FleetMachine& machine, const std::function<bool(const Json&)>& condition) {
  return becomes_true([&] { return condition(Json::parse(machine.fleet({"status", "--json"}).out).value_or(Json())); });
}

int64_t version_of(const Json& status) {
  return status["policy"]["version"].as_integer().value_or(0);
}

bool has_version(const FleetMachine& machine, int64_t version) {
  return becomes(machine, [&](const Json& status) { return version_of(status) == version; });
}

/// Whether the machine's hooks deny the command.
bool denies(const FleetMachine& machine, const std::string& command) {
  const Json input = Json::object({{"hook_event_name", Json::string("BeforeTool")},
                                   {"tool_name", Json::string("run_shell_command")},
                                   {"tool_input", Json::object({{"command", Json::string(command)}})}});
  auto& world = const_cast<FleetMachine&>(machine).world();
  return world.run({"fire", "--as", "gemini"}, input.dump(), {"GRAPNEL_SERVE=off"}).denies();
}

TEST(FleetPolicy, HoldsEverywhereAndComesBack) {
  const Company company;
  const auto machine = company.join();
  machine->start();
  EXPECT_FALSE(denies(*machine, "git push"));
  const Ended pushed = company.fleet({"push", company.policy("no-push", "git push"), "--yes"});
  ASSERT_EQ(pushed.status, 0) << pushed;
  EXPECT_TRUE(pushed.out.contains("1 case passed")) << pushed;
  EXPECT_TRUE(has_version(*machine, 1));
  EXPECT_TRUE(denies(*machine, "git push"));

  ASSERT_EQ(company.fleet({"push", company.policy("no-rm", "rm"), "--yes"}).status, 0);
  EXPECT_TRUE(has_version(*machine, 2));
  EXPECT_TRUE(denies(*machine, "rm x"));
  EXPECT_FALSE(denies(*machine, "git push"));

  const Ended back = company.fleet({"rollback", "--yes"});
  ASSERT_EQ(back.status, 0) << back;
  EXPECT_TRUE(has_version(*machine, 3));
  EXPECT_TRUE(denies(*machine, "git push"));
  EXPECT_FALSE(denies(*machine, "rm x"));

  // The last good one holds without a server, and nobody below can switch it off.
  company.kill(company.server());
  EXPECT_TRUE(denies(*machine, "git push"));
  EXPECT_NE(machine->world().run({"disable", "no-push", "--yes"}).status, 0);
  EXPECT_TRUE(denies(*machine, "git push"));
}

TEST(FleetPolicy, ShowsWhatItWouldHaveDenied) {
  const Company company;
  const auto machine = company.join();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(denies(*machine, "git push"));
  EXPECT_FALSE(denies(*machine, "git status"));
  ASSERT_EQ(machine->flush().status, 0);
  const std::string policy = company.policy("no-push", "git push");
  const Ended asked = company.fleet({"push", policy});
  EXPECT_EQ(asked.status, 1) << "nobody said yes: " << asked;
  EXPECT_TRUE(
      asked.out.contains("Of the 4 events of the last 24 hours it would have denied 3 (3 were not denied then)"))
      << asked;
  EXPECT_TRUE(asked.out.contains("on 1 machine.")) << asked;
  EXPECT_TRUE(asked.out.contains("  no-push denied 3 (3 new) on 1 machine, as git push\n")) << asked;
  const Ended pushed = company.fleet({"push", policy, "--yes", "--json"});
  const Json replay = Json::parse(pushed.out).value_or(Json())["replay"];
  EXPECT_EQ(replay["would_deny"].as_integer(), 3) << pushed;
  EXPECT_FALSE(replay["cut"].as_bool().value_or(true)) << pushed;
  EXPECT_EQ(replay["rules"].at(0)["rule"].as_string(), "no-push") << pushed;
  EXPECT_EQ(replay["rules"].at(0)["newly_denied"].as_integer(), 3) << pushed;
}

TEST(FleetPolicy, IsNotPushedIfItsTestsFail) {
  const Company company;
  const std::string policy = company.policy("no-push", "git push");
  company.world().dir().put("policies/no-push/grapnel.yaml", "version: 1\nhooks: []\n");
  const Ended pushed = company.fleet({"push", policy, "--yes"});
  EXPECT_NE(pushed.status, 0) << pushed;
  EXPECT_TRUE(company.fleet({"rollback", "--yes"}).err.contains("no policy yet"));
}

TEST(FleetPolicy, ReachesAShareOfAChannelFirst) {
  const Company company;
  std::vector<std::unique_ptr<FleetMachine>> machines;
  for (int i = 0; i < 4; ++i) {
    machines.push_back(company.join());
    machines.back()->start();
  }
  const auto canary = company.join({"--channel", "canary"});
  canary->start();
  ASSERT_EQ(company.fleet({"push", company.policy("first", "git push"), "--yes"}).status, 0);
  for (const auto& machine : machines) EXPECT_TRUE(has_version(*machine, 1));
  ASSERT_EQ(company.fleet({"push", company.policy("second", "rm"), "--yes", "--percent", "50"}).status, 0);
  // The others get the first one anew, as version 2.
  for (const auto& machine : machines) {
    fleet::Manifest manifest;
    EXPECT_TRUE(becomes(*machine, [&](const Json& status) { return version_of(status) >= 2; }));
    const Json status = Json::parse(machine->fleet({"status", "--json"}).out).value_or(Json());
    EXPECT_EQ(denies(*machine, "rm x"), version_of(status) == 3);
    EXPECT_EQ(denies(*machine, "git push"), version_of(status) == 2);
  }
  ASSERT_EQ(company.fleet({"promote", "--yes"}).status, 0);
  for (const auto& machine : machines) {
    EXPECT_TRUE(has_version(*machine, 4));
    EXPECT_TRUE(denies(*machine, "rm x"));
  }
  EXPECT_FALSE(denies(*canary, "rm x")) << "another channel";
  ASSERT_EQ(company.fleet({"promote", "--to", "canary", "--yes"}).status, 0);
  EXPECT_TRUE(has_version(*canary, 1));
  EXPECT_TRUE(denies(*canary, "rm x"));
}

TEST(FleetPolicy, OfSomebodyWhoHasTheServerIsRefused) {
  const Company company;
  const auto machine = company.join();
  machine->start();
  ASSERT_EQ(company.fleet({"push", company.policy("first", "git push"), "--yes"}).status, 0);
  ASSERT_EQ(company.fleet({"push", company.policy("second", "rm"), "--yes"}).status, 0);
  ASSERT_TRUE(has_version(*machine, 2));
  const auto thief = company.connect("operator");
  ASSERT_TRUE(thief);
  const std::string subject = fleet::policy_subject("stable");
  const auto stored = [&] {
    const auto found = thief->request(fleet::direct_get(fleet::kPolicyBucket, subject), "", kLong);
    return found ? fleet::ChannelPolicy::parse(found->body) : fleet::ChannelPolicy{};
  };
  const fleet::ChannelPolicy good = stored();
  ASSERT_EQ(good.manifests.size(), 1U);
  ASSERT_FALSE(good.history.empty());
  const auto key = *fleet::KeyPair::make(fleet::KeyKind::Operator);
  fleet::SignedManifest forged = fleet::sign_manifest({.channel = "stable", .version = 9, .expires = "2999"}, key);
  fleet::SignedManifest changed = good.manifests.front();
  changed.text.replace(changed.text.find("\"version\":2"), 11, "\"version\":9");
  // Really signed ones, in the wrong place or at the wrong time.
  ASSERT_EQ(company.fleet({"promote", "--to", "canary", "--yes"}).status, 0);
  const auto canary =
      thief->request(fleet::direct_get(fleet::kPolicyBucket, fleet::policy_subject("canary")), "", kLong);
  const fleet::SignedManifest other_channel = fleet::ChannelPolicy::parse(canary->body).manifests.front();
  const fleet::KeyPair policy_key = company.key("policy");
  const fleet::SignedManifest expired =
      fleet::sign_manifest({.channel = "stable", .version = 9, .expires = "2020-01-01"}, policy_key);
  const fleet::SignedManifest without_bundle = fleet::sign_manifest(
      {.channel = "stable", .version = 9, .bundle = std::string(64, 'a'), .bundle_bytes = 10, .expires = "2999"},
      policy_key);
  struct Case {
    const char* note;
    fleet::SignedManifest manifest;
    const char* why;
  };
  const std::vector<Case> cases = {
      {"a forged one", forged, "does not trust"},
      {"a changed one", changed, "signature is wrong"},
      {"a replay of version 1", good.history.front(), "not newer"},
      {"of another channel", other_channel, "for the channel canary"},
      {"an expired one", expired, "expired at"},
      {"one whose bundle is withheld", without_bundle, "missing on the server"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    ASSERT_TRUE(cli::store_message(*thief, subject, fleet::ChannelPolicy{{one.manifest}}.to_text(), kLong));
    ASSERT_TRUE(thief->publish(fleet::policy_notice("stable"), "9"));
    EXPECT_TRUE(becomes(*machine, [&](const Json& status) {
      return status["policy_refusals"].at(0).as_string().value_or("").contains(one.why);
    }));
    EXPECT_TRUE(has_version(*machine, 2));
    EXPECT_TRUE(denies(*machine, "rm x"));
  }
  // Everybody who looks sees it.
  EXPECT_TRUE(becomes_true([&] { return company.fleet({"status", "--json"}).out.contains("missing on the server"); }));
  ASSERT_TRUE(cli::store_message(*thief, subject, good.to_text(), kLong));
  ASSERT_TRUE(thief->publish(fleet::policy_notice("stable"), "2"));
  EXPECT_TRUE(becomes(*machine, [&](const Json& status) { return status["policy_refusals"].size() == 0; }));
}

TEST(FleetPolicy, ThatNobodyRenewsIsSeen) {
  const Company company;
  const auto machine = company.join();
  ASSERT_EQ(company.fleet({"push", company.policy("short", "rm"), "--yes", "--expires", "3s"}).status, 0);
  ASSERT_TRUE(becomes_true([&] {
    machine->fleet({"machine", "--once"});
    return denies(*machine, "rm x") ||
           company.fleet({"push", company.policy("short", "rm"), "--yes", "--expires", "3s"}).status != 0;
  }));
  EXPECT_TRUE(
      becomes(*machine, [&](const Json& status) { return status["policy_expired"].as_bool().value_or(false); }));
  EXPECT_TRUE(denies(*machine, "rm x")) << "it still holds";
  EXPECT_TRUE(machine->fleet({"status"}).out.contains("expired: it still holds"));
}

TEST(FleetPolicy, IsPutBackIfItIsChangedOnTheMachine) {
  const Company company;
  const auto machine = company.join();
  ASSERT_EQ(company.fleet({"push", company.policy("first", "rm"), "--yes"}).status, 0);
  ASSERT_TRUE(becomes_true([&] {
    machine->fleet({"machine", "--once"});
    return denies(*machine, "rm x");
  }));
  const std::string rules = machine->state_dir() + "/fleet/policy/now/grapnel.yaml";
  ASSERT_TRUE(os::write_file_atomic(rules, "version: 1\nhooks: []\n", 0644));
  EXPECT_FALSE(denies(*machine, "rm x"));
  machine->fleet({"machine", "--once"});
  EXPECT_TRUE(denies(*machine, "rm x"));
  EXPECT_TRUE(machine->fleet({"status"}).out.contains("were changed here"));
}

}  // namespace
}  // namespace grapnel::testing
