#include "scenarios.h"

#include <cstdlib>
#include <memory>
#include <vector>

#include <sys/stat.h>

#include "base/shell_word.h"
#include "call/commands.h"
#include "floor.h"
#include "homes.h"
#include "subjects.h"
#include "warm.h"
#include "workers.h"

namespace grapnel::bench {

namespace {

using Work = std::function<void()>;

constexpr size_t kBulk = 1000;
constexpr size_t kMegabyte = 1000000;
/// The small shell of Debian's klibc-utils: dash with a C library that starts at once.
constexpr const char* kSmallShell = "/usr/lib/klibc/bin/sh";
constexpr const char* kDecision = "rule-glob-deny/grapnel";
constexpr const char* kShellRule =
    "version: 1\nhooks:\n  - name: shell\n    on: PreToolUse\n    when: { tool: shell }\n    run: sh -c 'exit 0'\n";
constexpr const char* kShellTools = "Bash|run_shell_command";

/// Ten different hooks, because equal ones would be run once as duplicates.
std::vector<HookLine> ten(const std::string& command, const std::string& mark) {
  std::vector<HookLine> hooks;
  for (int i = 0; i < 10; ++i) hooks.push_back({kShellTools, command + mark + std::to_string(i)});
  return hooks;
}

Work fire(std::shared_ptr<Engine> engine, Event event, size_t hooks) {
  return [engine = std::move(engine), event = std::move(event), hooks] {
    if (engine->fire(event).hooks.size() != hooks) std::abort();
  };
}

Work fire_hooks(std::string_view dialect, const std::vector<HookLine>& hooks, size_t running, size_t bytes = 1000) {
  return fire(engine_of(dialect, hooks), shell_call(dialect, bytes), running);
}

Work fire_rule(std::string_view yaml, Event event, size_t hooks) {
  return fire(engine_of_rules(std::string(yaml)), std::move(event), hooks);
}

/// Starts from the payload's text, as a host does that reads it from a socket; parsing is included in the time.
Work read_and_fire(const std::string& command) {
  std::shared_ptr<Engine> engine = engine_of("claude", {{kShellTools, command}});
  return [engine, text = std::string(shell_call("claude", kMegabyte).payload().raw())] {
    if (engine->fire(*Event::from_native("claude", *Json::parse(text))).hooks.size() != 1) std::abort();
  };
}

Work floor_of(std::vector<std::string> argv, size_t bytes = 1000) {
  const auto job = std::make_shared<const FloorJob>(std::move(argv));
  return [job, input = std::string(shell_call("claude", bytes).payload().raw())] {
    if (run_floor(*job, input) != 0) std::abort();
  };
}

/// The floor with what Grapnel guarantees for every hook.
Work guarded_of(std::vector<std::string> argv) {
  const auto job = std::make_shared<const FloorJob>(std::move(argv));
  return [job, input = std::string(shell_call("claude").payload().raw())] {
    if (run_guarded(*job, input) != 0) std::abort();
  };
}

Work floors_of(std::vector<std::string> argv, size_t threads, size_t bytes = 1000) {
  const auto job = std::make_shared<const FloorJob>(std::move(argv));
  return [job, threads, input = std::string(shell_call("claude", bytes).payload().raw())] {
    run_floors(*job, 10, input, threads);
  };
}

std::vector<std::string> shell(const char* path, std::string command) {
  return {path, "-c", std::move(command)};
}

Work fire_worker(const std::vector<std::string>& argv) {
  std::string command;
  for (const std::string& word : argv) command += (command.empty() ? "" : " ") + shell_word(word);
  std::string yaml =
      "version: 1\nhooks:\n  - name: worker\n    on: PreToolUse\n    worker:\n      max_events: 1000000000\n";
  yaml += "      command: " + Json::string(command).dump() + "\n";
  const std::shared_ptr<Engine> engine = engine_of_rules(yaml, "/tmp");  // the engine keeps workers per project
  return [engine, event = shell_call("claude")] {
    if (engine->fire(event).hooks.at(0).kind != HookFate::Kind::Ran) std::abort();
  };
}

Work ask_bare(const std::vector<std::string>& argv) {
  const auto worker = std::make_shared<const BareWorker>(argv);
  std::string line = R"({"id":"1","event":)" + std::string(shell_call("claude").payload().raw()) + "}\n";
  return [worker, line = std::move(line)] { worker->ask(line); };
}

std::vector<std::string> fire_command(const std::string& grapnel) {
  return {grapnel, "fire", "--as", "claude"};
}

/// `grapnel fire`, from start to exit.
Work start_command(const std::string& grapnel, size_t rules, size_t directories, std::vector<std::string> env) {
  const auto home = std::make_shared<Home>();
  home->add_rules(rules);
  home->add_hook_directories(directories);
  const auto job = std::make_shared<const FloorJob>(fire_command(grapnel), home->env(std::move(env)));
  return [home, job, input = home->event()] {
    if (run_floor(*job, input) != 0) std::abort();
  };
}

/// Calls stat() once for each of that many files, all in directories of their own.
Work look_at(size_t files) {
  const auto home = std::make_shared<Home>();
  home->add_hook_directories(files);
  std::vector<std::string> paths = home->hook_files(files);
  return [home, paths = std::move(paths)] {
    struct stat found;
    for (const std::string& path : paths) {
      if (::stat(path.c_str(), &found) != 0) std::abort();
    }
  };
}

/// A server that runs as long as the object lives.
class Server {
 public:
  Server(const std::string& grapnel, const std::vector<std::string>& env)
      : stop_({grapnel, "serve", "--stop", "--yes"}, env) {
    if (run_floor(FloorJob({grapnel, "serve", "--background"}, env), "") != 0) std::abort();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { run_floor(stop_, ""); }

 private:
  FloorJob stop_;
};

Work start_served_command(const std::string& grapnel, size_t rules) {
  const auto home = std::make_shared<Home>();
  home->add_rules(rules);
  const auto server = std::make_shared<const Server>(grapnel, home->env());
  const auto job = std::make_shared<const FloorJob>(fire_command(grapnel), home->env());
  return [home, server, job, input = home->event()] {
    if (run_floor(*job, input) != 0) std::abort();
  };
}

using Table = std::map<std::string, Scenario>;

void add_in_process(Table& table) {
  for (const size_t count : {10UL, 1000UL, 10000UL}) {
    table["none-" + std::to_string(count) + "/grapnel"] = {
        kBulk, [count] { return fire_hooks("gemini", bystanders(count), 0); }};
  }
  table["rule-glob/grapnel"] = {100, [] { return fire_rule(kPathRule, call_of("Edit", "file_path", "src/a.cc"), 0); }};
  const auto decide = [] { return fire_rule(kPathRule, call_of("Edit", "file_path", ".env"), 1); };
  table[kDecision] = {100, decide};
  table["rule-glob-deny/grapnel-behind"] = {1, decide, "sh/floor"};
  table["rule-plain/grapnel"] = {100,
                                 [] { return fire_rule(kCommandRule, call_of("Bash", "command", kPlainCommand), 0); }};
  table["rule-parsed/grapnel"] = {
      20, [] { return fire_rule(kCommandRule, call_of("Bash", "command", kParsedCommand), 0); }};
  table["rule-parsed/floor"] = {20, [] {
                                  return [] {
                                    if (call::commands_of(kParsedCommand).commands.empty()) std::abort();
                                  };
                                }};
}

void add_hooks(Table& table) {
  table["sh/floor"] = {1, [] { return floor_of(shell("/bin/sh", "exit 0")); }};
  table["sh/guarded"] = {1, [] { return guarded_of(shell("/bin/sh", "exit 0")); }};
  table["native/guarded"] = {1, [] { return guarded_of({native_hook()}); }};
  table["sh/guarded-behind"] = {1, [] { return guarded_of(shell("/bin/sh", "exit 0")); }, kDecision};
  table["native/guarded-behind"] = {1, [] { return guarded_of({native_hook()}); }, kDecision};
  table["sh/grapnel"] = {1, [] { return fire_hooks("claude", {{kShellTools, "exit 0"}}, 1); }};
  for (const std::string sandbox : {"off", "contain", "guard"}) {
    table["sh-" + sandbox + "/grapnel"] = {1, [sandbox] {
                                             const std::string rule =
                                                 std::string(kShellRule) + "    sandbox: " + sandbox + "\n";
                                             return fire_rule(rule, call_of("Bash", "command", "ls"), 1);
                                           }};
  }
  table["small-sh/floor"] = {1, [] { return floor_of(shell(kSmallShell, "exit 0")); }};
  table["small-sh/grapnel"] = {
      1, [] {
        return fire(engine_of("claude", {{kShellTools, "exit 0"}}, {std::string("GRAPNEL_SHELL=") + kSmallShell}),
                    shell_call("claude"), 1);
      }};
  table["bash/floor"] = {1, [] { return floor_of(shell("/bin/bash", "exit 0")); }};
  table["bash/grapnel"] = {1, [] { return fire_hooks("gemini", {{kShellTools, "exit 0"}}, 1); }};
  table["native/floor"] = {1, [] { return floor_of({native_hook()}); }};
  table["native/grapnel"] = {1, [] { return fire_hooks("gemini", {{kShellTools, native_hook()}}, 1); }};
  table["registered-10000/grapnel"] = {1, [] {
                                         std::vector<HookLine> hooks = bystanders(9999);
                                         hooks.push_back({kShellTools, "exit 0"});
                                         return fire_hooks("gemini", hooks, 1);
                                       }};
}

void add_ten_hooks(Table& table) {
  for (const size_t threads : {1UL, 2UL}) {
    const std::string by = threads == 1 ? "/floor" : "/floor-2-threads";
    table["ten-sh" + by] = {1, [=] { return floors_of(shell("/bin/sh", "exit 0"), threads); }};
    table["ten-bash" + by] = {1, [=] { return floors_of(shell("/bin/bash", "exit 0"), threads); }};
    table["ten-native" + by] = {1, [=] { return floors_of({native_hook(), "1"}, threads); }};
    table["megabyte-ten" + by] = {1, [=] { return floors_of(shell("/bin/sh", "cat >/dev/null"), threads, kMegabyte); }};
  }
  table["ten-sh/grapnel"] = {1, [] { return fire_hooks("claude", ten("exit 0", " #"), 10); }};
  table["ten-bash/grapnel"] = {1, [] { return fire_hooks("gemini", ten("exit 0", " #"), 10); }};
  table["ten-native/grapnel"] = {1, [] { return fire_hooks("gemini", ten(native_hook(), " "), 10); }};
  table["megabyte-ten/grapnel"] = {1, [] { return fire_hooks("claude", ten("cat >/dev/null", " #"), 10, kMegabyte); }};
}

void add_large_payloads(Table& table) {
  table["megabyte-bash/grapnel"] = {
      1, [] { return fire_hooks("gemini", {{kShellTools, "cat >/dev/null"}}, 1, kMegabyte); }};
  table["megabyte-ten-bash/grapnel"] = {
      1, [] { return fire_hooks("gemini", ten("cat >/dev/null", " #"), 10, kMegabyte); }};
  table["megabyte/floor"] = {1, [] { return floor_of(shell("/bin/sh", "cat >/dev/null"), kMegabyte); }};
  table["megabyte/grapnel"] = {1, [] { return fire_hooks("claude", {{kShellTools, "cat >/dev/null"}}, 1, kMegabyte); }};
  table["megabyte-text/grapnel"] = {1, [] { return read_and_fire("cat >/dev/null"); }};
  table["megabyte-native/floor"] = {1, [] { return floor_of({native_hook()}, kMegabyte); }};
  table["megabyte-native/grapnel"] = {
      1, [] { return fire_hooks("claude", {{kShellTools, native_hook()}}, 1, kMegabyte); }};
}

void add_workers(Table& table) {
  for (const bool is_on_one_core : {false, true}) {
    const std::string by = is_on_one_core ? "-one-core" : "";
    const auto add = [&](const std::string& name, const std::vector<std::string>& argv) {
      table[name + by + "/floor"] = {10, [=] { return ask_bare(argv); }, "", is_on_one_core};
      table[name + by + "/grapnel"] = {10, [=] { return fire_worker(argv); }, "", is_on_one_core};
    };
    add("worker-native", native_worker());
    add("worker-python", python_worker());
  }
}

/// The wait is a scenario of its own, which is not timed.
void add_languages(Table& table) {
  for (const std::string language : {"sh", "python", "node"}) {
    for (const auto& [by, start] :
         {std::pair("/cold", Start::Cold), {"/warm", Start::Warm}, {"/worker", Start::Worker}}) {
      const auto hook = std::make_shared<std::unique_ptr<LanguageHook>>();
      const auto made = [=]() -> LanguageHook& {
        if (!*hook) *hook = std::make_unique<LanguageHook>(language, start);
        return **hook;
      };
      const std::string name = language + "-hook" + by;
      const std::string wait = name + "-waits";
      table[wait] = {1, [=] { return [=] { made().wait_until_ready(); }; }};
      table[name] = {1, [=] { return [=] { made().fire(); }; }, start == Start::Warm ? wait : ""};
    }
  }
}

void add_commands(Table& table, const std::string& grapnel) {
  table["true/floor"] = {1, [] { return floor_of({"/bin/true"}); }};
  const std::vector<std::string> alone = {"GRAPNEL_SERVE=off"};
  table["command-50/grapnel"] = {1, [=] { return start_command(grapnel, 50, 0, alone); }};
  table["command-1000-dirs/grapnel"] = {1, [=] { return start_command(grapnel, 0, 1000, alone); }};
  table["served-50/grapnel"] = {1, [=] { return start_served_command(grapnel, 50); }};
  table["look-1000/floor"] = {1, [] { return look_at(1000); }};
  table["start/engine"] = {1, [=] { return floor_of({grapnel + "-engine", "--version"}); }};
  table["start/python"] = {1, [] { return floor_of({"/usr/bin/python3", "-c", "pass"}); }};
  table["start/node"] = {1, [] { return floor_of({"/usr/bin/node", "-e", "0"}); }};
  table["start/gemini"] = {1, [] {
                             const char* package = std::getenv("BENCH_GEMINI");
                             return floor_of({"/usr/bin/node", "--input-type=module", "-e",
                                              "await import('" + std::string(package == nullptr ? "" : package) +
                                                  "/dist/src/hooks/index.js'); process.exit(0)"});
                           }};
}

}  // namespace

std::map<std::string, Scenario> scenarios(const std::string& grapnel) {
  Table table;
  add_in_process(table);
  add_hooks(table);
  add_ten_hooks(table);
  add_large_payloads(table);
  add_workers(table);
  add_languages(table);
  add_commands(table, grapnel);
  return table;
}

}  // namespace grapnel::bench
