#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "subjects.h"
#include "workers.h"

// Sends a million events through one engine, whose memory must not grow. `make soak` runs it.
//
//   growth_bench [EVENTS]
//
// The events are mixed as in a long session: most match no hook, rules answer many, and now and then a process is
// started or a worker is asked. The resident memory after a tenth of the events is compared with that at the end. The
// allocator keeps a varying number of free pages, so some growth is tolerated.

namespace {

using namespace grapnel;
using namespace grapnel::bench;

constexpr long kSlackKb = 512;

long resident_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

std::unique_ptr<Engine> mixed_engine() {
  const ScratchDir scratch;
  EngineOptions options;
  options.discovery.use_hook_files = false;
  options.discovery.reload_interval = std::chrono::milliseconds(-1);
  options.configs.push_back({"claude", "", settings_of("claude", {{"Bash", native_hook()}})});
  options.configs.push_back(
      {"grapnel",
       scratch.write("grapnel.yaml",
                     "version: 1\nhooks:\n"
                     "  - {name: secrets, on: PreToolUse, when: {tool: edit, path: '**/.env*'}, deny: 'no'}\n"
                     "  - {name: push, on: PreToolUse, when: {tool: fetch, input: {/url: '*example*'}}, ask: 'sure?'}\n"
                     "  - {name: worker, on: PreToolUse, when: {tool: grep}, worker: " +
                         native_worker()[0] + "}\n"),
       {}});
  auto engine = Engine::create(std::move(options));
  if (!engine->problems().empty()) std::abort();
  return engine;
}

/// Sessions and calls start and end, as they do in a host that runs for weeks.
Event event_number(size_t n) {
  struct Row {
    size_t every;
    const char* tool;
    const char* key;
    const char* value;
  };
  static constexpr Row kRows[] = {{997, "Bash", "command", "make test"},          {101, "Grep", "pattern", "x"},
                                  {7, "Edit", "file_path", "app/.env"},           {5, "Edit", "file_path", "src/a.cc"},
                                  {3, "WebFetch", "url", "https://example.com/"}, {1, "Glob", "pattern", "*"}};
  const Row& row = *std::ranges::find_if(kRows, [&](const Row& r) { return n % r.every == 0; });
  return Event(EventKind::PreToolUse,
               Json::object({{"session_id", Json::string("session-" + std::to_string(n / 20000))},
                             {"tool_use_id", Json::string("use-" + std::to_string(n))},
                             {"tool_name", Json::string(row.tool)},
                             {"tool_input", Json::object({{row.key, Json::string(row.value)}})}}));
}

}  // namespace

int main(int argc, char** argv) {
  const size_t events = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  const auto engine = mixed_engine();
  long early = 0;
  for (size_t n = 1; n <= events; ++n) {
    engine->fire(event_number(n));
    if (n == events / 10) early = resident_kb();
    if (n % 20000 == 19999) {
      engine->fire(Event(EventKind::SessionEnd,
                         Json::object({{"session_id", Json::string("session-" + std::to_string(n / 20000))}})));
    }
  }
  const long late = resident_kb();
  std::printf("growth: %ld KB after %zu events, %ld KB after %zu\n", early, events / 10, late, events);
  if (late <= early + kSlackKb) return 0;
  std::printf("growth: more than %ld KB were added\n", kSlackKb);
  return 1;
}
