#include <signal.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "fleet/servers/company.h"
#include "fleet/tls.h"

// A cluster of three servers, as `init --node` makes it: each of them is killed in turn.

namespace grapnel::testing {
namespace {

const std::vector<std::string> kThreeNodes = {"--node",      "127.0.0.1:0", "--node",
                                              "127.0.0.1:0", "--node",      "127.0.0.1:0"};
constexpr int kNodes = 3;
constexpr int kRounds = kNodes;

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

/// A server that wants to be one of the cluster, while the object lives.
class Thief {
 public:
  Thief(const TempDir& dir, const std::string& routes, const std::string& tls) {
    dir.put("thief.conf", "server_name: thief\nlisten: \"127.0.0.1:-1\"\ncluster {\n  name: grapnel\n" + tls +
                              "  listen: \"127.0.0.1:-1\"\n  routes: [\"nats-route://" + routes + "\"]\n}\n");
    const std::string conf = dir / "thief.conf";
    process_ = ::fork();
    if (process_ != 0) return;
    ::execl("/usr/sbin/nats-server", "nats-server", "-c", conf.c_str(), "-l", "/dev/null", nullptr);
    ::_exit(127);
  }
  Thief(const Thief&) = delete;
  Thief& operator=(const Thief&) = delete;
  ~Thief() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_;
};

TEST(FleetCluster, OthersCannotJoinIt) {
  const Company company("", kThreeNodes);
  const TempDir& dir = company.world().dir();
  const std::string server = "home/.config/grapnel/fleet/server/1/";
  const std::string conf = dir.read(server + "server.conf");
  const auto begin = conf.find("listen: \"", conf.find("cluster {")) + 9;
  const std::string routes = conf.substr(begin, conf.find('"', begin) - begin);
  // With a certificate of its own, which says the same names.
  const auto own = fleet::make_tls({"localhost", "127.0.0.1"});
  ASSERT_TRUE(own);
  dir.put("own.pem", own->certificate);
  dir.put("own.key", own->key);
  const std::string tls =
      "  tls { cert_file: \"" + (dir / "own.pem") + "\", key_file: \"" + (dir / "own.key") + "\", insecure: true }\n";
  struct Case {
    const char* note;
    std::string tls;
    const char* said;
  };
  for (const Case& one : {Case{"in the clear", "", "first record does not look like a TLS handshake"},
                          Case{"with another certificate", tls, "certificate signed by unknown authority"}}) {
    const Thief thief(dir, routes, one.tls);
    EXPECT_TRUE(becomes_true([&] { return dir.read(server + "nats.log").contains(one.said); })) << one.note;
  }
}

}  // namespace
}  // namespace grapnel::testing
