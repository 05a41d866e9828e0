#include <benchmark/benchmark.h>

#include "grapnel/engine.h"

#include "config/settings_file.h"
#include "decide/combine.h"
#include "decide/interpret.h"
#include "dialect/answer.h"
#include "dialect/payload.h"
#include "rule/answer.h"
#include "shell/parse.h"

// What each stage costs inside the process. Compare rows of one run; absolute values belong to the machine.

namespace grapnel {
namespace {

/// A settings object with `count` hooks, each on a tool of its own.
Json settings_with(int64_t count) {
  std::vector<Json> groups;
  for (int64_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    groups.push_back(
        Json::object({{"matcher", Json::string("^tool_" + n + "$")},
                      {"hooks", Json::array({Json::object({{"type", Json::string("command")},
                                                           {"command", Json::string("./hook-" + n)}})})}}));
  }
  return Json::object({{"hooks", Json::object({{"BeforeTool", Json::array(groups)}})}});
}

std::unique_ptr<Engine> engine_with(Json settings) {
  EngineOptions options;
  options.use_hook_files = false;
  options.env = std::vector<std::string>{"PATH=/usr/bin:/bin", "HOME=/nonexistent"};
  options.configs.push_back({"gemini", "", std::move(settings)});
  return Engine::create(options);
}

Event tool_event(size_t input_bytes = 100) {
  return *Event::from_native(
      "gemini",
      Json::object({{"hook_event_name", Json::string("BeforeTool")},
                    {"session_id", Json::string("0b5c6d1e-session")},
                    {"cwd", Json::string("/home/user/project")},
                    {"tool_name", Json::string("run_shell_command")},
                    {"tool_input", Json::object({{"command", Json::string(std::string(input_bytes, 'x'))}})}}));
}

HookSpec gemini_hook() {
  HookSpec hook;
  hook.name = "hook";
  hook.dialect = &kGeminiDialect;
  return hook;
}

void discover_settings(benchmark::State& state) {
  const std::string text = settings_with(state.range(0)).dump(JsonStyle::Pretty);
  for (auto _ : state) {
    benchmark::DoNotOptimize(read_settings(text, {&kGeminiDialect, Scope::User, "settings.json"}));
  }
}
BENCHMARK(discover_settings)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);

void fire_without_match(benchmark::State& state) {
  const auto engine = engine_with(settings_with(state.range(0)));
  const Event event = tool_event();
  for (auto _ : state) benchmark::DoNotOptimize(engine->fire(event));
}
BENCHMARK(fire_without_match)->Arg(10)->Arg(1000)->Arg(10000);

void fire_without_any_hook(benchmark::State& state) {
  const auto engine = engine_with(Json::object());
  const Event event = tool_event();
  for (auto _ : state) benchmark::DoNotOptimize(engine->fire(event));
}
BENCHMARK(fire_without_any_hook);

void fire_callback(benchmark::State& state) {
  const auto engine = engine_with(Json::object());
  const auto registered = engine->register_callback({.name = "c",
                                                     .events = {EventKind::PreToolUse},
                                                     .call = [](const Event&, std::stop_token) { return Effects{}; }});
  if (!registered) state.SkipWithError("not registered");
  const Event event = tool_event();
  for (auto _ : state) benchmark::DoNotOptimize(engine->fire(event));
}
BENCHMARK(fire_callback);

void read_payload(benchmark::State& state) {
  const std::string text(tool_event(static_cast<size_t>(state.range(0))).payload().raw());
  for (auto _ : state) benchmark::DoNotOptimize(Event::from_native("gemini", *Json::parse(text)));
}
BENCHMARK(read_payload)->Arg(1000)->Arg(1000000);

void translate_payload(benchmark::State& state) {
  const Event event = tool_event(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(payload_for(event, kClawdDialect, {}));
}
BENCHMARK(translate_payload)->Arg(1000)->Arg(1000000);

void interpret_deny(benchmark::State& state) {
  const HookSpec hook = gemini_hook();
  RunOutcome outcome;
  outcome.ending = Exited{0};
  outcome.out.bytes = R"({"decision":"deny","reason":"File writing blocked by security policy"})";
  for (auto _ : state) benchmark::DoNotOptimize(interpret(hook, EventKind::PreToolUse, outcome));
}
BENCHMARK(interpret_deny);

Condition ask_for(Question question) {
  Condition out;
  out.op = Condition::Op::Ask;
  out.question = std::move(question);
  return out;
}

/// One rule's condition, asked of an event of its own.
void ask_rule(benchmark::State& state, const Condition& condition, const Event& event) {
  const rule::Surroundings around{.project_dir = "/usr", .home = "/root"};
  for (auto _ : state) {
    rule::Subject subject(event, around);
    benchmark::DoNotOptimize(rule::answer(condition, subject, rule::Quantifier::Some));
  }
}

Event call_of(std::string_view tool, std::string_view key, std::string_view value) {
  return Event(EventKind::PreToolUse, Json::object({{"tool_name", Json::string(tool)},
                                                    {"cwd", Json::string("/usr")},
                                                    {"tool_input", Json::object({{key, Json::string(value)}})}}));
}

void ask_path_glob(benchmark::State& state) {
  const Condition condition = ask_for(PathQuestion{{*Matcher::compile("**/.env*", MatchSyntax::Glob)}});
  ask_rule(state, condition, call_of("Edit", "file_path", state.range(0) == 0 ? ".env" : "lib/os-release"));
}
BENCHMARK(ask_path_glob)->Arg(0)->Arg(1);  // found as it is written; looked up on the disk

const std::string kPlainCommand = "git push --force origin main";
const std::string kParsedCommand = "cd \"$HOME\" && git push --force origin main > /dev/null 2>&1 || echo 'not pushed'";

void ask_command(benchmark::State& state) {
  const Condition condition = ask_for(CommandQuestion{{{"git", "push"}}, {"--force"}, {}});
  ask_rule(state, condition, call_of("Bash", "command", state.range(0) == 0 ? kPlainCommand : kParsedCommand));
}
BENCHMARK(ask_command)->Arg(0)->Arg(1);  // plain words; the grammar

void parse_command(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shell::parse(state.range(0) == 0 ? kPlainCommand : kParsedCommand));
}
BENCHMARK(parse_command)->Arg(0)->Arg(1);

void combine_ten(benchmark::State& state) {
  Effects one;
  one.verdict = Verdict::Ask;
  one.reasons = {{"hook", "a reason of middling length"}};
  for (auto _ : state) {
    Effects all;
    for (int i = 0; i < 10; ++i) all = combine(std::move(all), one);
    benchmark::DoNotOptimize(finalize(std::move(all), EventKind::PreToolUse, {}));
  }
}
BENCHMARK(combine_ten);

void write_answer_deny(benchmark::State& state) {
  const Event event = tool_event();
  Decision decision;
  decision.effects.verdict = Verdict::Deny;
  decision.effects.reasons = {{"hook", "no"}};
  for (auto _ : state) benchmark::DoNotOptimize(write_answer(decision, event, kGeminiDialect));
}
BENCHMARK(write_answer_deny);

void record_line(benchmark::State& state) {
  Record record;
  record.id = "019a-0123456789abcdef";
  record.time = "2026-01-02T03:04:05.678Z";
  record.dialect = "gemini";
  record.hooks = {
      {"hook", "settings.json:7", HookFate::Kind::Ran, "exit 0", Verdict::Deny, std::chrono::microseconds(1200)}};
  for (auto _ : state) benchmark::DoNotOptimize(record.to_json().dump());
}
BENCHMARK(record_line);

}  // namespace
}  // namespace grapnel
