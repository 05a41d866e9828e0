#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <sys/wait.h>

#include "grapnel/engine.h"

#include "run/supervisor.h"
#include "run/worker_pool.h"

// Whole processes, in interleaved and shuffled rounds, so that every row meets the same noise. What counts are the
// ratios of one run: `grapnel fire` beside `/bin/true`, a hook run by the engine beside the same child started by hand
// (the floor), a worker's answer beside the same line through two bare pipes.
//
//   process_bench GRAPNEL ROUNDS OUT_DIR

extern char** environ;

namespace {

using Clock = std::chrono::steady_clock;
using Micros = std::chrono::duration<double, std::micro>;

/// The same argv by the cheapest portable means: three pipes, payload written, output drained, reaped.
void spawn_by_hand(const std::vector<std::string>& argv, const std::string& input) {
  int in[2], out[2], err[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) std::abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t pid = 0;
  if (::posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ) != 0) std::abort();
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  [[maybe_unused]] const ssize_t written = ::write(in[1], input.data(), input.size());  // it need not read
  ::close(in[1]);
  char buffer[4096];
  for (const int fd : {out[0], err[0]}) {
    while (::read(fd, buffer, sizeof buffer) > 0) {
    }
    ::close(fd);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
}

/// The cheapest worker there is: this program again.
constexpr const char* kEcho = "--echo";
const std::vector<std::string> kPythonEcho = {
    "/usr/bin/python3", "-c",
    "import json, sys\nfor line in sys.stdin:\n  print(json.dumps({'id': json.loads(line)['id']}), flush=True)"};

int echo_lines() {
  for (std::string line; std::getline(std::cin, line);) {
    const size_t from = line.find(R"("id":")") + 6;
    std::cout << R"({"id":")" << line.substr(from, line.find('"', from) - from) << "\"}" << std::endl;
  }
  return 0;
}

/// A process and two pipes, blocking: what no worker can be faster than.
class BarePipe {
 public:
  explicit BarePipe(const std::vector<std::string>& argv) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) std::abort();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    if (::posix_spawn(&pid_, words[0], &actions, nullptr, words.data(), environ) != 0) std::abort();
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  BarePipe(const BarePipe&) = delete;
  BarePipe& operator=(const BarePipe&) = delete;
  ~BarePipe() {
    ::close(to_);
    ::close(from_);
    ::waitpid(pid_, nullptr, 0);
  }

  void ask(const std::string& payload) const {
    const std::string line = R"({"id":"1","event":)" + payload + "}\n";
    if (::write(to_, line.data(), line.size()) < 0) std::abort();
    char buffer[4096];
    ssize_t n = 0;
    do {
      n = ::read(from_, buffer, sizeof buffer);
    } while (n > 0 && buffer[n - 1] != '\n');
  }

 private:
  pid_t pid_ = 0;
  int to_ = -1, from_ = -1;
};

/// The same line, as a hook's stage asks it.
void ask_worker(grapnel::WorkerPool& pool, const std::vector<std::string>& argv, const std::string& payload) {
  grapnel::WorkerRequest request;
  request.command = argv[0];
  request.start = [&]() -> grapnel::Result<grapnel::WorkerStart> {
    return grapnel::WorkerStart{{.path = argv[0], .argv = argv, .env = {}, .cwd = "/", .stdin_bytes = nullptr}, {}};
  };
  request.payload = std::make_shared<const std::string>(payload);
  request.timeout = std::chrono::seconds(60);
  request.idle = std::chrono::hours(1);
  std::vector<std::unique_ptr<grapnel::Waiting>> calls;
  calls.push_back(pool.call(std::move(request)));
  grapnel::run_children({}, 0, {}, {}, {}, calls);
  if (!std::holds_alternative<grapnel::Answered>(calls.front()->take_outcome().ending)) std::abort();
}

struct Row {
  std::string name;
  std::function<void()> run;
  std::vector<double> micros = {};
};

double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1))];
}

double median(const std::vector<double>& values) {
  return quantile(values, 0.5);
}

/// 95 % interval of the median ratio, by resampling whole rounds.
std::pair<double, double> ratio_interval(const Row& row, const Row& base, std::mt19937& random) {
  std::vector<double> ratios;
  std::uniform_int_distribution<size_t> pick(0, row.micros.size() - 1);
  for (int i = 0; i < 500; ++i) {
    std::vector<double> a, b;
    for (size_t k = 0; k < row.micros.size(); ++k) {
      const size_t round = pick(random);
      a.push_back(row.micros[round]);
      b.push_back(base.micros[round]);
    }
    ratios.push_back(median(a) / median(b));
  }
  return {quantile(ratios, 0.025), quantile(ratios, 0.975)};
}

std::unique_ptr<grapnel::Engine> engine_with(const std::string& command) {
  grapnel::EngineOptions options;
  options.use_hook_files = false;
  options.configs.push_back(
      {"clawd", "",
       *grapnel::Json::parse(R"({"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":")" + command +
                             R"("}]}]}})")});
  return grapnel::Engine::create(options);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == kEcho) return echo_lines();
  if (argc != 4) return std::fprintf(stderr, "usage: process_bench GRAPNEL ROUNDS OUT_DIR\n"), 2;
  std::signal(SIGPIPE, SIG_IGN);
  const std::string grapnel_path = argv[1];
  const int rounds = std::atoi(argv[2]);
  const std::filesystem::path out_dir = argv[3];
  const auto home = std::filesystem::temp_directory_path() / ("grapnel_bench_" + std::to_string(::getpid()));
  std::filesystem::create_directories(home / ".gemini");
  ::setenv("HOME", home.c_str(), 1);
  ::setenv("XDG_STATE_HOME", (home / "state").c_str(), 1);
  std::ofstream(home / ".gemini/settings.json")
      << R"({"hooks":{"BeforeTool":[{"matcher":"write_file","hooks":[{"type":"command","command":"/bin/true"}]}]}})";

  const std::string payload =
      R"({"hook_event_name":"BeforeTool","session_id":"s","cwd":"/","tool_name":"run_shell_command","tool_input":{"command":")" +
      std::string(900, 'x') + R"("}})";
  const std::string matching =
      R"({"hook_event_name":"BeforeTool","session_id":"s","cwd":"/","tool_name":"write_file","tool_input":{}})";
  const auto event = *grapnel::Event::from_native(
      "clawd",
      *grapnel::Json::parse(
          R"({"hook_event_name":"PreToolUse","session_id":"s","project_dir":"/","tool_name":"Bash","tool_input":{"command":")" +
          std::string(900, 'x') + R"("}})"));
  const auto shell_engine = engine_with("exit 0");
  const auto direct_engine = engine_with("/bin/true");

  const std::vector<std::string> echo = {std::filesystem::read_symlink("/proc/self/exe").string(), kEcho};
  const BarePipe bare_echo(echo), bare_python(kPythonEcho);
  grapnel::WorkerPool workers({});

  std::vector<Row> rows = {
      {"/bin/true", [&] { spawn_by_hand({"/bin/true"}, ""); }},
      {"grapnel fire, no match", [&] { spawn_by_hand({grapnel_path, "fire", "--as", "gemini"}, payload); }},
      {"grapnel fire, one hook", [&] { spawn_by_hand({grapnel_path, "fire", "--as", "gemini"}, matching); }},
      {"floor: sh -c 'exit 0'", [&] { spawn_by_hand({"sh", "-c", "exit 0"}, payload); }},
      {"engine: sh -c 'exit 0'", [&] { shell_engine->fire(event); }},
      {"floor: /bin/true, 1 KB in", [&] { spawn_by_hand({"/bin/true"}, payload); }},
      {"engine: /bin/true", [&] { direct_engine->fire(event); }},
      {"floor: a line through pipes, C++", [&] { bare_echo.ask(payload); }},
      {"worker: C++", [&] { ask_worker(workers, echo, payload); }},
      {"floor: a line through pipes, Python", [&] { bare_python.ask(payload); }},
      {"worker: Python", [&] { ask_worker(workers, kPythonEcho, payload); }},
  };
  const std::map<std::string, std::string> base = {{"grapnel fire, no match", "/bin/true"},
                                                   {"grapnel fire, one hook", "/bin/true"},
                                                   {"engine: sh -c 'exit 0'", "floor: sh -c 'exit 0'"},
                                                   {"engine: /bin/true", "floor: /bin/true, 1 KB in"},
                                                   {"worker: C++", "floor: a line through pipes, C++"},
                                                   {"worker: Python", "floor: a line through pipes, Python"}};

  std::mt19937 random(1);
  std::vector<size_t> order(rows.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int round = -5; round < rounds; ++round) {  // the first rounds only warm up
    std::ranges::shuffle(order, random);
    for (const size_t i : order) {
      const auto start = Clock::now();
      rows[i].run();
      const double took = Micros(Clock::now() - start).count();
      if (round >= 0) rows[i].micros.push_back(took);
    }
  }

  std::filesystem::create_directories(out_dir);
  std::ofstream table(out_dir / "process.md");
  std::ofstream json(out_dir / "process.json");
  table << "| configuration | n | median µs | p99 µs | ratio (95 %) | to |\n|---|---|---|---|---|---|\n";
  json << "[";
  for (const Row& row : rows) {
    char line[512];
    const auto to = base.find(row.name);
    std::string ratio = "–", of = "–";
    if (to != base.end()) {
      const Row& reference = *std::ranges::find(rows, to->second, &Row::name);
      const auto [low, high] = ratio_interval(row, reference, random);
      char text[64];
      std::snprintf(text, sizeof text, "%.2f (%.2f–%.2f)", median(row.micros) / median(reference.micros), low, high);
      ratio = text;
      of = reference.name;
    }
    std::snprintf(line, sizeof line, "| %s | %zu | %.0f | %.0f | %s | %s |\n", row.name.c_str(), row.micros.size(),
                  median(row.micros), quantile(row.micros, 0.99), ratio.c_str(), of.c_str());
    table << line;
    std::fputs(line, stdout);
    json << (&row == &rows.front() ? "" : ",") << "\n  {\"name\": \"" << row.name << "\", \"n\": " << row.micros.size()
         << ", \"median_us\": " << median(row.micros) << ", \"p99_us\": " << quantile(row.micros, 0.99) << "}";
  }
  json << "\n]\n";
  std::filesystem::remove_all(home);
  return 0;
}
