#include <gtest/gtest.h>

#include "fleet/servers/company.h"

// A cluster of three servers, as `init --node` makes it: each of them is killed in turn.

namespace grapnel::testing {
namespace {

const std::vector<std::string> kThreeNodes = {"--node",      "127.0.0.1:0", "--node",
                                              "127.0.0.1:0", "--node",      "127.0.0.1:0"};
constexpr int kNodes = 3;
constexpr int kRounds = 6;  // each server twice

TEST(FleetCluster, LosesNothingWhenEachServerIsKilled) {
  const Company company("", kThreeNodes);
  for (int node = 1; node <= kNodes; ++node) EXPECT_GT(company.node(node), 0);
  std::vector<std::unique_ptr<FleetMachine>> machines;
  for (int i = 0; i < 2; ++i) {
    machines.push_back(company.join());
    machines.back()->start();
  }
  for (int round = 0; round < kRounds; ++round) {
    for (const auto& machine : machines) add_records(*machine, 200);
    company.kill(company.node(1 + round % kNodes));
    if (round == 2) company.kill(company.collector());
    // Two servers are enough: what was written before and while one is away arrives without it.
    if (round == 0) expect_arrived(company, *machines.front());
    company.up();
  }
  for (const auto& machine : machines) {
    expect_arrived(company, *machine);
    EXPECT_EQ(machine->hashes().size(), size_t{kRounds} * 200);
  }
}

TEST(FleetCluster, KeepsPoliciesAndCutsOffOnEveryServer) {
  const Company company("", kThreeNodes);
  const auto machine = company.join();
  const auto other = company.join();
  ASSERT_EQ(company.fleet({"push", company.policy("no-push", "git push"), "--yes"}).status, 0);
  // Whichever server is gone, the policy is there.
  for (int node = 1; node <= kNodes; ++node) {
    company.kill(company.node(node));
    EXPECT_TRUE(becomes_true([&] {
      std::filesystem::remove_all(machine->state_dir() + "/fleet/policy");
      std::filesystem::remove(machine->state_dir() + "/fleet/policy.json");
      machine->fleet({"machine", "--once"});
      const Json status = Json::parse(machine->fleet({"status", "--json"}).out).value_or(Json());
      return status["policy"]["version"].as_integer() == 1;
    })) << node;
    company.up();
  }
  EXPECT_TRUE(becomes_true([&] { return company.fleet({"revoke", machine->name()}).status == 0; }));
  // It may try every server; all of them know.
  EXPECT_TRUE(becomes_true([&] {
    for (int i = 0; i < 2 * kNodes; ++i) {
      if (!machine->fleet({"flush", "--wait", "1ms"}).err.contains("uthoriz")) return true;
    }
    return false;
  }));
  add_records(*machine, 1);
  EXPECT_EQ(machine->fleet({"flush", "--wait", "3s"}).status, 1);
  add_records(*other, 1);
  expect_arrived(company, *other);
}

TEST(FleetCluster, OthersCannotJoinIt) {
  const Company company("", kThreeNodes);
  // The port for servers asks for the certificate that only they have.
  const std::string conf = company.world().dir().read("home/.config/grapnel/fleet/server/1/server.conf");
  EXPECT_TRUE(conf.contains("verify: true")) << conf;
  const auto begin = conf.find("listen: \"", conf.find("cluster {")) + 9;
  const std::string routes = conf.substr(begin, conf.find('"', begin) - begin);
  company.world().dir().put("thief.conf",
                            "server_name: thief\nlisten: \"127.0.0.1:-1\"\ncluster {\n  name: grapnel\n"
                            "  listen: \"127.0.0.1:-1\"\n  routes: [\"nats-route://" +
                                routes +
                                "\"]\n}\n"
                                "log_file: \"" +
                                (company.world().dir() / "thief.log") + "\"\n");
  // It ends with the pipe that nobody holds any more, or by the test's own hand.
  pid_t thief = ::fork();
  if (thief == 0) {
    ::execl("/usr/sbin/nats-server", "nats-server", "-c", (company.world().dir() / "thief.conf").c_str(), nullptr);
    ::_exit(127);
  }
  EXPECT_TRUE(becomes_true([&] {
    const std::string log = company.world().dir().read("thief.log");
    return log.contains("Route connection closed") || log.contains("TLS") || log.contains("Error trying to connect");
  }));
  EXPECT_FALSE(company.world().dir().read("thief.log").contains("Route connection created") &&
               company.world().dir().read("home/.config/grapnel/fleet/server/1/nats.log").contains("thief"));
  ::kill(thief, SIGKILL);
  ::waitpid(thief, nullptr, 0);
}

}  // namespace
}  // namespace grapnel::testing
