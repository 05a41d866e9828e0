#include "load.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "floor.h"
#include "subjects.h"
#include "workers.h"

namespace grapnel::bench {

namespace {

using Clock = std::chrono::steady_clock;

enum class Kind { Shell, Native, Rule, Worker, Nothing };
constexpr std::array kMix = {Kind::Shell, Kind::Nothing, Kind::Native, Kind::Rule,
                             Kind::Shell, Kind::Nothing, Kind::Native, Kind::Worker};

bool starts_process(Kind kind) {
  return kind == Kind::Shell || kind == Kind::Native;
}

/// Something that handles one event after another. Thread: any.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual void take(Kind kind) = 0;
};

class BareLoop final : public Subject {
 public:
  void take(Kind kind) override {
    if (starts_process(kind)) run_floor(kind == Kind::Shell ? shell_ : native_, input_);
    if (kind == Kind::Worker) ask_worker();
  }

 private:
  void ask_worker() const {
    thread_local const BareWorker worker(native_worker());
    worker.ask(line_);
  }

  const FloorJob shell_{{"/bin/sh", "-c", "exit 0"}};
  const FloorJob native_{{native_hook()}};
  const std::string input_{shell_call("claude").payload().raw()};
  const std::string line_ = R"({"id":"1","event":)" + input_ + "}\n";
};

class EngineLoop final : public Subject {
 public:
  EngineLoop() {
    const ScratchDir scratch;
    EngineOptions options;
    options.discovery.use_hook_files = false;
    options.discovery.reload_interval = std::chrono::milliseconds(-1);
    options.configs.push_back({"claude", "", settings_of("claude", {{"Bash", "exit 0"}, {"Read", native_hook()}})});
    options.configs.push_back(
        {"grapnel",
         scratch.write(
             "grapnel.yaml",
             "version: 1\nhooks:\n"
             "  - {name: rule, on: PreToolUse, when: {tool: edit, path: '**/.env*'}, deny: 'no'}\n"
             "  - {name: worker, on: PreToolUse, when: {tool: grep}, worker: {max_events: 1000000000, command: " +
                 native_worker()[0] + "}}\n"),
         {}});
    engine_ = Engine::create(std::move(options));
    if (!engine_->problems().empty()) std::abort();
  }

  void take(Kind kind) override {
    const size_t hooks = kind == Kind::Nothing || kind == Kind::Rule ? 0 : 1;
    if (engine_->fire(event_of(kind)).hooks.size() != hooks) std::abort();
  }

 private:
  const Event& event_of(Kind kind) const {
    switch (kind) {
      case Kind::Shell:
        return shell_;
      case Kind::Native:
        return native_;
      case Kind::Rule:
        return rule_;
      case Kind::Worker:
        return worker_;
      case Kind::Nothing:
        break;
    }
    return nothing_;
  }

  std::unique_ptr<Engine> engine_;
  const Event shell_ = shell_call("claude");
  const Event native_ = call_of("Read", "file_path", source_text(750));
  const Event rule_ = call_of("Edit", "file_path", "src/a.cc");
  const Event worker_ = call_of("Grep", "pattern", "x");
  const Event nothing_ = call_of("Glob", "pattern", "*");
};

/// The bare loop with what Grapnel guarantees for every hook: the best that an engine could reach.
class KeptLoop final : public Subject {
 public:
  void take(Kind kind) override {
    if (!starts_process(kind)) return engine_.take(kind);
    run_guarded(kind == Kind::Shell ? shell_ : native_, input_);
  }

 private:
  EngineLoop engine_;
  const FloorJob shell_{{"/bin/sh", "-c", "exit 0"}};
  const FloorJob native_{{native_hook()}};
  const std::string input_{shell_call("claude").payload().raw()};
};

std::unique_ptr<Subject> subject_of(LoadBy by) {
  switch (by) {
    case LoadBy::Floor:
      return std::make_unique<BareLoop>();
    case LoadBy::Kept:
      return std::make_unique<KeptLoop>();
    case LoadBy::Grapnel:
      break;
  }
  return std::make_unique<EngineLoop>();
}

struct Tally {
  size_t events = 0;
  size_t processes = 0;
  std::vector<int64_t> shell_nanos;
};

Tally loop_until(Subject& subject, Clock::time_point end, size_t offset) {
  Tally tally;
  for (size_t at = offset; Clock::now() < end; ++at) {
    const Kind kind = kMix[at % kMix.size()];
    const auto start = Clock::now();
    subject.take(kind);
    if (kind == Kind::Shell) tally.shell_nanos.push_back((Clock::now() - start).count());
    ++tally.events;
    if (starts_process(kind)) ++tally.processes;
  }
  return tally;
}

std::string to_json(const std::vector<Tally>& tallies, double seconds) {
  std::vector<int64_t> nanos;
  size_t processes = 0;
  for (const Tally& tally : tallies) {
    processes += tally.processes;
    nanos.insert(nanos.end(), tally.shell_nanos.begin(), tally.shell_nanos.end());
  }
  std::ranges::sort(nanos);
  const auto at = [&](double share) {
    return nanos[static_cast<size_t>(share * static_cast<double>(nanos.size() - 1))];
  };
  const auto [slowest, fastest] = std::ranges::minmax(tallies, {}, &Tally::processes);
  return R"({"rate":)" + std::to_string(static_cast<double>(processes) / seconds) + R"(,"p50":)" +
         std::to_string(at(0.5)) + R"(,"p99":)" + std::to_string(at(0.99)) + R"(,"slowest":)" +
         std::to_string(slowest.processes) + R"(,"fastest":)" + std::to_string(fastest.processes) + "}";
}

}  // namespace

std::string run_load(LoadBy by, size_t threads, std::chrono::milliseconds time) {
  const std::unique_ptr<Subject> subject = subject_of(by);
  for (const Kind kind : kMix) subject->take(kind);
  std::vector<Tally> tallies(threads);
  std::barrier ready(static_cast<ptrdiff_t>(threads) + 1);
  std::vector<std::thread> running;
  for (size_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      ready.arrive_and_wait();
      tallies[i] = loop_until(*subject, Clock::now() + time, i);
    });
  }
  ready.arrive_and_wait();
  const auto start = Clock::now();
  for (std::thread& thread : running) thread.join();
  return to_json(tallies, std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace grapnel::bench
