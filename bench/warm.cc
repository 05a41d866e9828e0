#include "warm.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "engine/resident.h"
#include "engine/thread_pool.h"
#include "subjects.h"

namespace grapnel::bench {

namespace {

struct Language {
  const char* command;
  const char* file;
  const char* hook;
  const char* worker;
};

const Language& language_of(std::string_view name) {
  static const std::map<std::string_view, Language> kLanguages = {
      {"sh",
       {"sh", "hook.sh", "read -r event\n",
        "while read -r line; do id=${line#*'\"id\":\"'}; echo \"{\\\"id\\\":\\\"${id%%'\"'*}\\\"}\"; done\n"}},
      {"python",
       {"/usr/bin/python3", "hook.py", "import json, sys\nevent = json.load(sys.stdin)\n",
        "import json, sys\nfor line in sys.stdin:\n  print(json.dumps({'id': json.loads(line)['id']}), flush=True)\n"}},
      {"node",
       {"/usr/bin/node", "hook.mjs",
        "import { readFileSync } from 'node:fs';\nconst event = JSON.parse(readFileSync(0, 'utf8'));\n",
        "import { createInterface } from 'node:readline';\nfor await (const line of createInterface({ input: "
        "process.stdin }))\n"
        "  console.log(JSON.stringify({ id: JSON.parse(line).id }));\n"}},
  };
  return kLanguages.at(name);
}

/// How long our children have had the processor, in nanoseconds: the first number of `schedstat`.
std::map<std::string, std::string> times_of_children() {
  std::map<std::string, std::string> out;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    for (std::string pid; children >> pid;) std::ifstream("/proc/" + pid + "/schedstat") >> out[pid];
  }
  return out;
}

}  // namespace

struct LanguageHook::State {
  ScratchDir scripts;
  ThreadPool background{1};
  std::unique_ptr<Engine> engine;
  Event event = shell_call("claude");
  bool is_warm = false;
};

LanguageHook::LanguageHook(std::string_view name, Start start) : state_(new State) {
  const Language& language = language_of(name);
  const bool is_worker = start == Start::Worker;
  const std::string script = state_->scripts.write(language.file, is_worker ? language.worker : language.hook);
  const std::string command = std::string(language.command) + " " + script;
  std::string yaml = "version: 1\nhooks:\n  - name: hook\n    on: PreToolUse\n";
  yaml += (is_worker ? "    worker: " : "    run: ") + command + "\n";
  if (start == Start::Warm) yaml += "    warm: true\n";
  state_->engine = engine_of_rules(yaml, "/tmp");
  state_->is_warm = start == Start::Warm;
  if (!state_->is_warm) return;
  keep_warm(*state_->engine, std::make_shared<WarmSeats>(1),
            [this](std::function<void()> work) { state_->background.post(std::move(work)); });
  fire();
}

LanguageHook::~LanguageHook() = default;

void LanguageHook::fire() {
  if (state_->engine->fire(state_->event).hooks.at(0).kind != HookFate::Kind::Ran) std::abort();
}

void LanguageHook::wait_until_ready() const {
  constexpr std::chrono::milliseconds kLook{10};
  const auto is_waiting = [&] {
    const WarmCounts counts = warm_counts(*state_->engine);
    return counts.waiting == 1 && counts.pending == 0;
  };
  while (state_->is_warm && !is_waiting()) std::this_thread::sleep_for(kLook);
  for (auto before = times_of_children();;) {
    std::this_thread::sleep_for(kLook);
    auto now = times_of_children();
    if (now == before) return;
    before.swap(now);
  }
}

}  // namespace grapnel::bench
