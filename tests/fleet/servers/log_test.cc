#include <signal.h>

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "fleet/servers/company.h"

// Rows equal records: whatever is killed, frozen, full or lost, every record has one row in the end.

namespace grapnel::testing {
namespace {

std::vector<std::string> databases() {
  const char* const postgres = std::getenv("GRAPNEL_TEST_POSTGRES");
  return postgres == nullptr ? std::vector<std::string>{""} : std::vector<std::string>{"", postgres};
}

class FleetLog : public ::testing::TestWithParam<std::string> {};

TEST_P(FleetLog, KillsLoseNothing) {
  const Company company(GetParam());
  std::vector<std::unique_ptr<FleetMachine>> machines;
  for (int i = 0; i < 3; ++i) {
    machines.push_back(company.join());
    machines.back()->start();
  }
  // Nobody waits for anything, so whatever happens at the moment is interrupted.
  for (int round = 0; round < 12; ++round) {
    for (const auto& machine : machines) add_records(*machine, 150);
    if (round % 4 == 0) company.kill(company.server());
    if (round % 4 == 1 && company.collector() > 0) company.kill(company.collector());
    if (round % 4 != 3) company.up();
    FleetMachine& victim = *machines[static_cast<size_t>(round) % machines.size()];
    victim.kill();
    victim.start();
  }
  for (const auto& machine : machines) {
    expect_arrived(company, *machine);
    EXPECT_EQ(machine->hashes().size(), 12U * 150);
  }
}

TEST_P(FleetLog, CursorAndServerDataMayBeLost) {
  const Company company(GetParam());
  const auto machine = company.join();
  add_records(*machine, 300);
  expect_arrived(company, *machine);
  // The machine forgets how far it was.
  std::filesystem::remove(machine->state_dir() + "/fleet/mark.json");
  add_records(*machine, 300);
  expect_arrived(company, *machine);
  // The server loses its whole disk, with all streams and marks.
  company.kill(company.server());
  std::filesystem::remove_all(company.home("server/store"));
  company.up();
  add_records(*machine, 300);
  expect_arrived(company, *machine);
}

TEST_P(FleetLog, EverythingIsSentAgainIfTheStoreIsLost) {
  const Company company(GetParam());
  const auto machine = company.join();
  add_records(*machine, 500);
  expect_arrived(company, *machine);
  company.kill(company.collector());
  {
    const auto sql = fleet::open_sql(GetParam().empty() ? company.home("central.db") : GetParam());
    ASSERT_TRUE(sql);
    for (const char* table : {"records", "runs", "marks"})
      ASSERT_TRUE((*sql)->run(std::string("DELETE FROM ") + table));
  }
  company.up();
  add_records(*machine, 1);
  expect_arrived(company, *machine);
  EXPECT_EQ(company.store().count().value_or(0), 501);
}

INSTANTIATE_TEST_SUITE_P(Databases, FleetLog, ::testing::ValuesIn(databases()));

TEST(FleetMachines, DecideWhileTheServerIsFrozen) {
  const Company company;
  const auto machine = company.join();
  machine->world().configure_hook("echo no >&2; exit 2");
  machine->start();
  ASSERT_EQ(::kill(company.server(), SIGSTOP), 0);
  for (int i = 0; i < 5; ++i) {
    const Ended fired = machine->world().fire_alone();
    EXPECT_TRUE(fired.denies()) << fired;
  }
  EXPECT_EQ(machine->fleet({"flush", "--wait", "100ms"}).status, 1) << "they wait here";
  ASSERT_EQ(::kill(company.server(), SIGCONT), 0);
  expect_arrived(company, *machine);
  EXPECT_EQ(machine->hashes().size(), 5U);
}

/// The network that a decision touches, as the kernel sees it: `strace` says every such call.
std::string network_calls_of(const FleetMachine& machine, World& world) {
  const std::string log = world.dir() / "calls";
  const Ended fired = world.run_program(
      "/usr/bin/strace", {"-f", "-qq", "-e", "trace=%network", "-o", log, GRAPNEL_COMMAND, "fire", "--as", "gemini"},
      tool_call(), {"GRAPNEL_SERVE=off", "ASAN_OPTIONS=detect_leaks=0"});
  EXPECT_TRUE(fired.denies()) << machine.name() << ": " << fired;
  return world.dir().read("calls");
}

// What is not asked cannot be waited for, however the server is.
TEST(FleetMachines, DecideWithoutTheNetwork) {
  const Company company;
  const auto machine = company.join();
  machine->world().configure_hook("echo no >&2; exit 2");
  machine->start();
  const std::string before = network_calls_of(*machine, machine->world());
  ASSERT_EQ(::kill(company.server(), SIGSTOP), 0);
  const std::string frozen = network_calls_of(*machine, machine->world());
  ASSERT_EQ(::kill(company.server(), SIGCONT), 0);
  for (const std::string& calls : {before, frozen}) EXPECT_FALSE(calls.contains("AF_INET")) << calls;
  // The way of looking works: what does use the network is seen.
  machine->kill();
  const std::string log = machine->world().dir() / "calls";
  machine->world().run_program("/usr/bin/strace",
                               {"-f", "-qq", "-e", "trace=%network", "-o", log, GRAPNEL_COMMAND, "fleet", "flush"}, "",
                               {"ASAN_OPTIONS=detect_leaks=0"});
  EXPECT_TRUE(machine->world().dir().read("calls").contains("AF_INET"));
}

// Half an hour and more of what a busy machine does, in two files.
TEST(FleetMachines, KeepHistoryForAServerThatIsAway) {
  const Company company;
  const auto machine = company.join();
  company.kill(company.server());
  machine->start();
  add_records(*machine, 3000);
  machine->journal().rotate("records.000001.jsonl");
  add_records(*machine, 3000);
  company.up();
  expect_arrived(company, *machine);
  EXPECT_EQ(machine->hashes().size(), 6000U);
}

TEST(FleetMachines, WaitWhileTheStreamIsFull) {
  const Company company;
  const auto machine = company.join();
  company.kill(company.collector());
  // It takes two batches of a machine and no more; the rest has to wait in the journal.
  const auto admin = company.connect_as_account("fleet");
  ASSERT_TRUE(admin);
  const auto info = admin->request("$JS.API.STREAM.INFO.REC_1", "", kLong);
  ASSERT_TRUE(info);
  const Json config = (*Json::parse(info->body))["config"].with("max_msgs_per_subject", Json::number(int64_t{2}));
  const auto changed = admin->request("$JS.API.STREAM.UPDATE.REC_1", config.dump(), kLong);
  ASSERT_TRUE(changed);
  ASSERT_FALSE(changed->body.contains("error")) << changed->body;
  std::string long_text;
  for (int i = 0; i < 100; ++i) long_text += "word " + std::to_string(i) + " ";
  for (int i = 0; i < 1500; ++i) machine->journal().add(long_text);
  const Ended flushed = machine->fleet({"flush", "--wait", "2s"});
  EXPECT_EQ(flushed.status, 1);
  EXPECT_TRUE(flushed.err.contains("maximum messages per subject")) << flushed;
  company.up();
  expect_arrived(company, *machine);
}

TEST(FleetMachines, SendWhatCiWroteBeforeItEnds) {
  const Company company;
  const Ended token = company.fleet({"token"});
  FleetMachine machine;
  // In CI the token is in a variable, and nothing keeps running.
  machine.world().set("GRAPNEL_FLEET_TOKEN=" + token.out.substr(0, token.out.find('\n')));
  Ended joined;
  ASSERT_TRUE(becomes_true([&] { return (joined = machine.fleet({"join", "--no-start"})).status == 0; })) << joined;
  machine.world().configure_hook("exit 0");
  EXPECT_EQ(machine.world().fire_alone().status, 0);
  expect_arrived(company, machine);
  const Ended log = company.fleet({"log", "--json"});
  const Json line = Json::parse(log.out.substr(0, log.out.find('\n'))).value_or(Json());
  EXPECT_EQ(line["machine"].as_string(), machine.name()) << log;
  const std::string id = line["record"]["id"].as_string().value_or("");
  const Ended why = company.fleet({"why", id.substr(0, 8)});
  EXPECT_TRUE(why.out.contains("machine   " + machine.name())) << why;
  EXPECT_TRUE(why.out.contains("exit 0")) << "the configuration has travelled too: " << why;
}

TEST(FleetMachines, AreOneMachineAndLeave) {
  const Company company;
  const auto machine = company.join();
  EXPECT_EQ(machine->fleet({"join", "grapnel-nonsense"}).status, 2);
  const Ended token = company.fleet({"token"});
  EXPECT_EQ(machine->fleet({"join", token.out.substr(0, token.out.size() - 1)}).status, 2)
      << "it is in a fleet already";
  machine->start();
  EXPECT_TRUE(becomes_true([&] { return company.fleet({"status"}).out.contains(machine->name()); }));
  EXPECT_EQ(machine->fleet({"leave", "--yes"}).status, 0);
  EXPECT_EQ(machine->fleet({"status"}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(machine->state_dir() + "/fleet"));
}

}  // namespace
}  // namespace grapnel::testing
