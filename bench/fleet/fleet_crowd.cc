// A crowd of machines against a real fleet: fleet_crowd OFFICE COUNT GRAPNEL POLICY
//   OFFICE   the home of those who run the fleet, which runs
//   COUNT    how many machines
//   POLICY   a directory that is pushed
// Prints a line of JSON.
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

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

  /// Fetches it, checks the signature and the digest, and forgets it: what the network and the server have to do.
  void fetch(cli::Courier& courier) {
    const auto policy = cli::fetch_policy(courier, state.channel);
    if (!policy || policy->manifests.empty()) return;
    const auto manifest = fleet::open_manifest(policy->manifests.front(), state.address.policy_keys);
    if (manifest && cli::fetch_bundle(courier, *manifest)) has_it = true;
  }

  /// All of what a machine does.
  void keep(cli::Courier& courier) {
    const auto now = home->refresh(courier, state);
    if (now && now->current) has_it = true;
  }
};
using Look = void (Follower::*)(cli::Courier&);

struct Pushed {
  int64_t heard_ms = 0;  ///< from the first machine that hears of it to the last
  int64_t done_ms = 0;   ///< and to the last that has it
};

/// A thousand machines, and what they do when they hear of a policy.
class Followers {
 public:
  Followers(testing::Crowd& crowd, const cli::FleetHome::State& office) : crowd_(crowd), followers_(crowd.size()) {
    for (size_t i = 0; i < crowd.size(); ++i) {
      testing::Crowd::Member& member = crowd.at(i);
      followers_[i].home.emplace(cli::MachineHome(Environment({"HOME=" + member.directory})));
      followers_[i].state = {office.address, member.name, std::string(cli::kDefaultChannel), "now"};
    }
  }

  Followers(const Followers&) = delete;
  Followers& operator=(const Followers&) = delete;
  /// Connections call its functions, so they end first.
  ~Followers() {
    crowd_.for_each([](testing::Crowd::Member& member) { member.courier.reset(); });
  }

  void listen() {
    for (size_t i = 0; i < crowd_.size(); ++i) {
      const auto hears =
          crowd_.at(i).courier->subscribe(fleet::policy_notice(cli::kDefaultChannel), "", [this, i](const auto&) {
            const int64_t now = ms_since(begin_);
            int64_t none = 0;
            first_heard_.compare_exchange_strong(none, now);
            last_heard_ = std::max<int64_t>(last_heard_, now);
            (followers_[i].*look_)(*crowd_.at(i).courier);
          });
      if (!hears) give_up("a machine cannot listen");
    }
    crowd_.for_each([](testing::Crowd::Member& member) { static_cast<void>(member.courier->flush(testing::kLong)); });
  }

  /// Who missed the notice, because the connection was just broken, looks after a while, as machines do.
  Pushed push(Look look, const std::string& command) {
    constexpr std::chrono::seconds kWhile{10};
    look_ = look;
    first_heard_ = last_heard_ = 0;
    for (Follower& follower : followers_) follower.has_it = false;
    begin_ = Clock::now();
    run(command);
    auto looked = Clock::now();
    const bool is_done = testing::becomes_true([&] {
      const bool is_time = Clock::now() - looked > kWhile;
      if (is_time) looked = Clock::now();
      size_t missing = 0;
      for (size_t i = 0; i < followers_.size(); ++i) {
        if (followers_[i].has_it) continue;
        ++missing;
        if (is_time) (followers_[i].*look)(*crowd_.at(i).courier);
      }
      return missing == 0;
    });
    if (!is_done) give_up("the policy did not reach all");
    return {last_heard_ - first_heard_, ms_since(begin_) - first_heard_};
  }

 private:
  testing::Crowd& crowd_;
  std::vector<Follower> followers_;
  Look look_ = &Follower::keep;
  Clock::time_point begin_ = Clock::now();
  std::atomic<int64_t> first_heard_ = 0, last_heard_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) give_up("OFFICE COUNT GRAPNEL POLICY");
  const std::string home = argv[1], grapnel = argv[3], policy = argv[4];
  const std::string at_office = "HOME=" + home + " " + grapnel + " fleet ";
  const cli::FleetHome office(Environment({"HOME=" + home}));
  const auto state = office.load();
  if (!state) give_up(state.error().message);
  testing::Crowd crowd(office.directory(), std::strtoul(argv[2], nullptr, 10));
  Followers followers(crowd, *state);

  auto begin = Clock::now();
  if (const auto connected = crowd.connect(); !connected) give_up(connected.error().message);
  const int64_t connected_ms = ms_since(begin);

  constexpr int kRecords = 20;
  crowd.write(kRecords);
  begin = Clock::now();
  if (!crowd.ship()) give_up("records did not arrive");
  const int64_t shipped_ms = ms_since(begin);

  const std::string command = at_office + "push " + policy + " --yes > /dev/null";
  followers.listen();
  const Pushed fetched = followers.push(&Follower::fetch, command);
  const Pushed kept = followers.push(&Follower::keep, command);

  crowd.write(1);
  const std::string pid = os::read_file(office.server_path("nats.pid"), 32).value_or("");
  begin = Clock::now();
  const std::string program = "/proc/" + std::to_string(std::strtol(pid.c_str(), nullptr, 10)) + "/exe";
  ::kill(static_cast<pid_t>(std::strtol(pid.c_str(), nullptr, 10)), SIGKILL);
  const auto is_gone = [&] {
    std::error_code error;
    return !std::filesystem::exists(program, error) && crowd.count_connected() < crowd.size();
  };
  if (!testing::becomes_true(is_gone)) give_up("the server stays");
  run(at_office + "up > /dev/null");
  if (!testing::becomes_true([&] { return crowd.count_connected() == crowd.size(); })) give_up("not all came back");
  const int64_t back_ms = ms_since(begin);
  if (!crowd.ship()) give_up("records did not arrive after the kill");
  const int64_t arrived_ms = ms_since(begin);
  const auto number = [](int64_t value) { return Json::number(value); };
  std::printf("%s\n", Json::object({{"connected_ms", number(connected_ms)},
                                    {"records", number(static_cast<int64_t>(crowd.size()) * kRecords)},
                                    {"shipped_ms", number(shipped_ms)},
                                    {"heard_ms", number(fetched.heard_ms)},
                                    {"fetched_ms", number(fetched.done_ms)},
                                    {"kept_ms", number(kept.done_ms)},
                                    {"back_ms", number(back_ms)},
                                    {"arrived_ms", number(arrived_ms)}})
                          .dump()
                          .c_str());
  return 0;
}
