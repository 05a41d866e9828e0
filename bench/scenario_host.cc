#include <sched.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "load.h"
#include "scenarios.h"
#include "subjects.h"

// A host for interleaved rounds: `rounds.py` sends it one line for each request, as it does to the drivers of the
// peers.
//
//   scenario_host GRAPNEL [BALLAST_MB]   answers `SCENARIO SAMPLES` with nanoseconds, one number for each sample, and
//                                        `load floor|kept|grapnel THREADS MILLISECONDS` with a JSON object
//   scenario_host --memory HOOKS         fires an event in an engine with that many hooks; prints resident kilobytes

namespace {

using namespace grapnel::bench;
using Clock = std::chrono::steady_clock;

/// Makes the heap of this host large: writes to every page.
std::vector<char> ballast(size_t megabytes) {
  return std::vector<char>(megabytes << 20, 1);
}

/// Keeps this thread and the processes that it starts on one core, always the same one.
class OneCore {
 public:
  OneCore() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    int core = CPU_SETSIZE - 1;
    while (core > 0 && !CPU_ISSET(core, &before_)) --core;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;
  ~OneCore() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

class Host {
 public:
  explicit Host(const std::string& grapnel) : table_(scenarios(grapnel)) {}

  std::string sample(const std::string& name, size_t samples) {
    const auto found = table_.find(name);
    if (found == table_.end()) return "unknown";
    std::optional<OneCore> one_core;
    if (found->second.is_on_one_core) one_core.emplace();
    const Scenario& scenario = found->second;
    const std::function<void()>& work = work_of(name);
    std::string out;
    for (size_t i = 0; i < samples; ++i) {
      if (!scenario.follows.empty()) work_of(scenario.follows)();
      out += std::to_string(time(work, scenario.batch)) + " ";
    }
    return out;
  }

 private:
  const std::function<void()>& work_of(const std::string& name) {
    std::function<void()>& work = ready_[name];
    if (!work) work = table_.at(name).prepare();
    return work;
  }

  static double time(const std::function<void()>& work, size_t batch) {
    const auto start = Clock::now();
    for (size_t i = 0; i < batch; ++i) work();
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    return static_cast<double>(took.count()) / static_cast<double>(batch);
  }

  std::map<std::string, Scenario> table_;
  std::map<std::string, std::function<void()>> ready_;
};

int answer_lines(Host& host) {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string name, by;
    size_t count = 0, milliseconds = 0;
    words >> name;
    if (name == "load") {
      words >> by >> count >> milliseconds;
      const LoadBy who = by == "floor" ? LoadBy::Floor : by == "kept" ? LoadBy::Kept : LoadBy::Grapnel;
      std::cout << run_load(who, count, std::chrono::milliseconds(milliseconds)) << std::endl;
    } else {
      words >> count;
      std::cout << host.sample(name, count) << std::endl;
    }
  }
  return 0;
}

int print_memory(size_t hooks) {
  std::vector<HookLine> lines = bystanders(hooks - 1);
  lines.push_back({"run_shell_command", "exit 0"});
  const auto engine = engine_of("gemini", lines);
  if (engine->fire(shell_call("gemini")).hooks.size() != 1) std::abort();
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::printf("%ld\n", std::strtol(line.c_str() + 6, nullptr, 10)) < 0;
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  if (argc == 3 && std::strcmp(argv[1], "--memory") == 0) return print_memory(std::strtoul(argv[2], nullptr, 10));
  if (argc < 2) return std::fputs("usage: scenario_host GRAPNEL [BALLAST_MB] | --memory HOOKS\n", stderr), 2;
  const std::vector<char> heap = ballast(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0);
  Host host(argv[1]);
  return answer_lines(host);
}
