// A crowd of machines against a real fleet: fleet_crowd OFFICE COUNT GRAPNEL POLICY
//   OFFICE   the home of those who run the fleet, which runs
//   COUNT    how many machines
//   POLICY   a directory that is pushed
// Prints a line of JSON.
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "cli/fleet/policy_home.h"
#include "fleet/central_store.h"
#include "fleet/servers/crowd.h"
#include "fleet/subjects.h"
#include "os/files.h"
#include "os/patience.h"

namespace {

using namespace grapnel;
using Clock = std::chrono::steady_clock;

int64_t ms_since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "fleet_crowd: %s\n", why.c_str());
  std::exit(1);
}

void run(const std::string& command) {
  if (std::system(command.c_str()) != 0) give_up(command);
}

/// One machine's policy, as the program of a machine keeps it.
struct Follower {
  std::optional<cli::PolicyHome> home;
  cli::MachineHome::State state;
  std::atomic<bool> has_it = false;

  void look(cli::Courier& courier) {
    const auto now = home->refresh(courier, state);
    if (now && now->current) has_it = true;
  }
};

/// Every machine looks when it hears of the policy, checks it and writes it. From the first that hears to the last that
/// has it. Who missed the notice, because the connection was just broken, looks after a while, as machines do.
int64_t push(testing::Crowd& crowd, std::vector<Follower>& followers, const cli::FleetHome::State& office,
             const std::string& command) {
  constexpr std::chrono::seconds kWhile{10};
  std::atomic<int64_t> heard_at = 0;
  const auto begin = Clock::now();
  for (size_t i = 0; i < crowd.size(); ++i) {
    Follower& follower = followers[i];
    testing::Crowd::Member& member = crowd.at(i);
    follower.home.emplace(cli::MachineHome(Environment({"HOME=" + member.directory})));
    follower.state = {office.address, member.name, std::string(cli::kDefaultChannel), "now"};
    const auto heard = member.courier->subscribe(fleet::policy_notice(cli::kDefaultChannel), "",
                                                 [&, &courier = *member.courier](const auto&) {
                                                   int64_t none = 0;
                                                   heard_at.compare_exchange_strong(none, ms_since(begin));
                                                   follower.look(courier);
                                                 });
    if (!heard) give_up("a machine cannot listen");
  }
  crowd.for_each([](testing::Crowd::Member& member) { static_cast<void>(member.courier->flush(testing::kLong)); });
  run(command);
  auto looked = Clock::now();
  const bool is_done = testing::becomes_true([&] {
    const bool is_time = Clock::now() - looked > kWhile;
    if (is_time) looked = Clock::now();
    size_t missing = 0;
    for (size_t i = 0; i < followers.size(); ++i) {
      if (followers[i].has_it) continue;
      ++missing;
      if (is_time) followers[i].look(*crowd.at(i).courier);
    }
    return missing == 0;
  });
  if (!is_done) give_up("the policy did not reach all");
  return ms_since(begin) - heard_at;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) give_up("OFFICE COUNT GRAPNEL POLICY");
  const std::string home = argv[1], grapnel = argv[3], policy = argv[4];
  const std::string at_office = "HOME=" + home + " " + grapnel + " fleet ";
  const cli::FleetHome office(Environment({"HOME=" + home}));
  const auto state = office.load();
  if (!state) give_up(state.error().message);
  std::vector<Follower> followers(std::strtoul(argv[2], nullptr, 10));  // its connections end before them
  testing::Crowd crowd(office.directory(), followers.size());

  auto begin = Clock::now();
  if (const auto connected = crowd.connect(); !connected) give_up(connected.error().message);
  const int64_t connected_ms = ms_since(begin);

  constexpr int kRecords = 20;
  crowd.write(kRecords);
  begin = Clock::now();
  if (!crowd.ship()) give_up("records did not arrive");
  const int64_t shipped_ms = ms_since(begin);

  const int64_t pushed_ms = push(crowd, followers, *state, at_office + "push " + policy + " --yes > /dev/null");

  crowd.write(1);
  const std::string pid = os::read_file(office.server_path("nats.pid"), 32).value_or("");
  begin = Clock::now();
  ::kill(static_cast<pid_t>(std::strtol(pid.c_str(), nullptr, 10)), SIGKILL);
  if (!testing::becomes_true([&] { return crowd.count_connected() < crowd.size(); })) give_up("the server stays");
  run(at_office + "up > /dev/null");
  if (!testing::becomes_true([&] { return crowd.count_connected() == crowd.size(); })) give_up("not all came back");
  const int64_t back_ms = ms_since(begin);
  if (!crowd.ship()) give_up("records did not arrive after the kill");
  std::printf(
      "{\"connected_ms\":%ld,\"records\":%zu,\"shipped_ms\":%ld,\"pushed_ms\":%ld,\"back_ms\":%ld,\"arrived_ms\":%ld}"
      "\n",
      connected_ms, crowd.size() * kRecords, shipped_ms, pushed_ms, back_ms, ms_since(begin));
  return 0;
}
