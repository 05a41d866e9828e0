#include <gtest/gtest.h>

#include "cli/nats_version.h"
#include "fleet/servers/company.h"

// What people see who look at a fleet.

namespace grapnel::testing {
namespace {

// An answer of NATS is at most 4 MiB, which is what so many machines say about themselves.
TEST(FleetLook, ListsTenThousandMachines) {
  const Company company;
  const Json state = Json::parse(R"({"version":"0.1.0","channel":"stable","waiting_bytes":0,"waiting_jobs":0,"lost":0,
      "policy":{"channel":"stable","version":12,"name":"house","bundle":"...","expires":"2027-01-01T00:00:00.000Z"},
      "policy_expired":false,"policy_was_changed_here":false,"policy_refusals":[]})")
                         .value_or(Json())
                         .with("padding", Json::string(std::string(100, 'x')));
  constexpr size_t kMany = 10'000;
  std::map<std::string, fleet::CentralStore::Said> said;
  for (size_t i = 0; i < kMany; ++i) said["machine-" + std::to_string(i)] = {state, "2026-01-02T03:04:05.678Z"};
  ASSERT_TRUE(company.store().note_machines(said));
  // It is more than a test keeps of an output.
  const std::string command = std::string(GRAPNEL_COMMAND) + " fleet status --json > " + company.home("status.json");
  const Ended status = company.world().run_program("/bin/sh", {"-c", command});
  EXPECT_EQ(status.status, 0) << status.err;
  std::set<std::string> listed;
  for (const Json& one : Json::parse(company.world().dir().read("home/.config/grapnel/fleet/status.json"))
                             .value_or(Json())["machines"]
                             .elements())
    listed.insert(one["machine"].as_string().value_or(""));
  EXPECT_EQ(listed.size(), kMany);
}

// Whoever looks, in the office or on a machine, hears of a server that should be replaced, and of a program that is
// off.
TEST(FleetLook, NamesWhatShouldBeLookedAfter) {
  const Company company;
  const auto machine = company.join();
  const auto doctor = [&](const std::string& what) {
    const Ended said = machine->world().run({"doctor", "--json"});
    for (const Json& one : Json::parse(said.out).value_or(Json())["findings"].elements()) {
      if (one["check"].as_string() == "fleet" && one["what"].as_string().value_or("").contains(what)) return true;
    }
    return false;
  };
  EXPECT_TRUE(doctor("the program for it does not run"));
  EXPECT_TRUE(machine->fleet({"status"}).out.contains("Its program does not run"));
  const Json status = Json::parse(company.fleet({"status", "--json"}).out).value_or(Json());
  const Json server = status["servers"].at(0);
  const auto version = server["version"].as_string();
  ASSERT_TRUE(version && version->starts_with("2.")) << status.dump();
  const std::string trouble = cli::trouble_with_server(*version);
  EXPECT_EQ(server["trouble"].as_string().value_or(""), trouble);
  machine->start();
  if (!trouble.empty()) {
    EXPECT_TRUE(becomes_true([&] { return doctor(trouble); }));
    EXPECT_TRUE(company.fleet({"status"}).out.contains(trouble));
  }
  EXPECT_TRUE(becomes_true([&] { return !doctor("the program for it does not run"); }));
  EXPECT_FALSE(machine->fleet({"status"}).out.contains("Its program does not run"));
  // What is no question of a machine is answered with what to do.
  EXPECT_TRUE(machine->fleet({"log"}).err.contains("token --role reader"));
}

}  // namespace
}  // namespace grapnel::testing
