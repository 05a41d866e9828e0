/// What an event costs in C++: JSON in, JSON out, as the packages for other languages do it. Prints nanoseconds per
/// event, for one that nobody wants and for one with a callback.
#include <chrono>
#include <cstdio>

#include "grapnel/engine.h"

using namespace grapnel;

namespace {

constexpr int kEvents = 50'000;
constexpr const char* kPayload = R"({"tool_name": "Bash", "tool_input": {"command": "git status"}})";

/// The best of five rounds, which the other programs of the machine disturb least.
long measure(Engine& engine) {
  long best = 0;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kEvents; ++i) {
      const auto event = Event::from_native("canonical", *Json::parse(kPayload), "PreToolUse");
      if (engine.fire(*event).to_json().dump().empty()) std::abort();
    }
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    const long each = static_cast<long>(took.count() / kEvents);
    if (best == 0 || each < best) best = each;
  }
  return best;
}

}  // namespace

int main() {
  auto engine = Engine::create({.discovery = {.use_hook_files = false}});
  const long nobody = measure(*engine);
  const auto registered = engine->register_callback({.name = "x",
                                                     .events = {EventKind::PreToolUse},
                                                     .call = [](const Event&, std::stop_token) { return Effects{}; }});
  if (!registered) return 1;
  std::printf("%ld %ld\n", nobody, measure(*engine));
}
