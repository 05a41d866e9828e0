#include "paths.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "grapnel/record.h"

#include "call/commands.h"
#include "decide/combine.h"
#include "decide/interpret.h"
#include "dialect/answer.h"
#include "dialect/payload.h"
#include "discover/discover.h"
#include "discover/formats/rule_file.h"
#include "discover/formats/settings_file.h"
#include "plan/planner.h"
#include "record/stored_record.h"
#include "subjects.h"
#include "workers.h"

namespace grapnel::bench {

namespace {

using Work = std::function<void()>;

/// Keeps the compiler from removing the computation of an unused value.
template <typename T>
void use(const T& value) {
  asm volatile("" : : "r,m"(&value) : "memory");
}

Work discover_settings(size_t count) {
  return [text = settings_of("gemini", bystanders(count)).dump(JsonStyle::Pretty)] {
    use(read_settings(text, {&kGeminiDialect, Scope::User, "settings.json"}));
  };
}

Work discover_rules(size_t count) {
  std::string text = "version: 1\nhooks:\n";
  for (size_t i = 0; i < count; ++i) {
    text += "  - {name: rule-" + std::to_string(i) + ", on: PreToolUse, when: {tool: write, path: '**/dir" +
            std::to_string(i) + "/*.py'}, deny: 'no'}\n";
  }
  return [text] { use(read_rules(text, {Scope::User, "grapnel.yaml", {}})); };
}

/// A registry with the planner that refers to it, and an event.
struct Planned {
  explicit Planned(const std::vector<HookLine>& hooks)
      : registry(registry_of(hooks)), planner(registry), event(shell_call("gemini")) {}

  static Registry registry_of(const std::vector<HookLine>& hooks) {
    DiscoverOptions options;
    options.use_standard_places = false;
    options.objects.push_back({"gemini", settings_of("gemini", hooks)});
    return discover(options).registry;
  }

  Registry registry;
  Planner planner;
  Event event;
};

Work plan(size_t bystander_count, bool is_wanted) {
  std::vector<HookLine> hooks = bystanders(bystander_count);
  if (is_wanted) hooks.push_back({"run_shell_command|write_file", "./hook"});
  return [planned = std::make_shared<Planned>(hooks)] { use(planned->planner.plan(planned->event)); };
}

Work read_payload(size_t bytes) {
  return [text = std::string(shell_call("gemini", bytes).payload().raw())] {
    use(Event::from_native("gemini", *Json::parse(text)));
  };
}

Work write_payload(size_t bytes, const Dialect& to) {
  return [event = shell_call("gemini", bytes), &to] { use(payload_for(event, to, {})); };
}

Work interpret_output(std::string out, int exit_code) {
  HookSpec hook;
  hook.name = "hook";
  hook.dialect = &kGeminiDialect;
  RunOutcome outcome;
  outcome.ending = Exited{exit_code};
  outcome.out.bytes = std::move(out);
  return [hook, outcome] { use(interpret(hook, EventKind::PreToolUse, outcome)); };
}

Work combine_ten() {
  Effects one;
  one.verdict = Verdict::Ask;
  one.reasons = {{"hook", "a reason of middling length"}};
  return [one] {
    Effects all;
    for (int i = 0; i < 10; ++i) all = combine(std::move(all), one);
    use(finalize(std::move(all), EventKind::PreToolUse, {}));
  };
}

Work answer_deny() {
  Decision decision;
  decision.effects.verdict = Verdict::Deny;
  decision.effects.reasons = {{"hook", "no"}};
  return [decision, event = shell_call("gemini")] { use(write_answer(decision, event, kGeminiDialect)); };
}

Work fire(std::shared_ptr<Engine> engine, Event event) {
  return [engine = std::move(engine), event = std::move(event)] { use(engine->fire(event)); };
}

Work fire_unmatched(size_t count) {
  return fire(engine_of("gemini", bystanders(count)), shell_call("gemini"));
}

Work fire_rule(std::string_view yaml, Event event) {
  return fire(engine_of_rules(std::string(yaml)), std::move(event));
}

Work fire_callback() {
  std::shared_ptr<Engine> engine = engine_of("gemini", {});
  const auto done = engine->register_callback({.name = "c",
                                               .events = {EventKind::PreToolUse},
                                               .call = [](const Event&, std::stop_token) { return Effects{}; }});
  return done ? fire(std::move(engine), shell_call("gemini")) : Work();
}

Work parse(std::string_view command) {
  return [command] { use(call::commands_of(command)); };
}

Record sample_record() {
  Record record;
  record.id = "019a-0123456789abcdef";
  record.time = "2026-01-02T03:04:05.678Z";
  record.event = EventKind::PreToolUse;
  record.dialect = "gemini";
  record.payload = shell_call("gemini").payload();
  record.hooks = {
      {"hook", "settings.json:7", HookFate::Kind::Ran, "exit 0", Verdict::Deny, std::chrono::microseconds(1200)}};
  return record;
}

Work record_line() {
  return [record = sample_record()] { use(record.to_json().dump()); };
}

/// What a record of an event costs that fifty rules looked at: secrets in it are masked.
Work record_rules() {
  Record record = sample_record();
  const HookFate unmet{"rule", "grapnel.yaml:3", HookFate::Kind::Skipped,
                       "no match: tool \"Bash\" is none of write, edit"};
  record.hooks.assign(50, unmet);
  return [record, mask = Mask()] { use(fit_for_storage(record, mask, KeepPayloads::Digest).hooks.size()); };
}

Work record_file() {
  const auto scratch = std::make_shared<ScratchDir>();
  const std::shared_ptr<RecordSink> sink = make_file_record_sink(scratch->path());
  return [scratch, sink, record = sample_record()] { sink->record(record); };
}

Work ask_worker(std::vector<std::string> argv) {
  const auto worker = std::make_shared<DirectWorker>(std::move(argv));
  return [worker, payload = std::make_shared<const std::string>(shell_call("gemini").payload().raw())] {
    worker->ask(payload);
  };
}

}  // namespace

std::span<const Path> paths() {
  static const std::vector<Path> table = {
      {"discover/settings-10", [] { return discover_settings(10); }},
      {"discover/settings-1000", [] { return discover_settings(1000); }, false},
      {"discover/rules-50", [] { return discover_rules(50); }},
      {"plan/none-of-10", [] { return plan(10, false); }},
      {"plan/one-of-1000", [] { return plan(1000, true); }},
      {"translate/in-1k", [] { return read_payload(1000); }},
      {"translate/in-1m", [] { return read_payload(1000000); }, false},
      {"translate/out-same-1k", [] { return write_payload(1000, kGeminiDialect); }},
      {"translate/out-other-1k", [] { return write_payload(1000, kClawdDialect); }},
      {"translate/out-other-1m", [] { return write_payload(1000000, kClawdDialect); }, false},
      {"interpret/silence", [] { return interpret_output("", 0); }},
      {"interpret/deny", [] { return interpret_output(R"({"decision":"deny","reason":"Not in this project."})", 0); }},
      {"combine/ten", [] { return combine_ten(); }},
      {"answer/deny", [] { return answer_deny(); }},
      {"fire/no-hooks", [] { return fire_unmatched(0); }},
      {"fire/none-of-10", [] { return fire_unmatched(10); }},
      {"fire/none-of-1000", [] { return fire_unmatched(1000); }},
      {"fire/none-of-10000", [] { return fire_unmatched(10000); }, false},
      {"fire/callback", [] { return fire_callback(); }},
      {"rule/glob-no", [] { return fire_rule(kPathRule, call_of("Edit", "file_path", "no/such/file.cc")); }},
      {"rule/glob-deny", [] { return fire_rule(kPathRule, call_of("Edit", "file_path", ".env")); }},
      {"rule/plain-no", [] { return fire_rule(kCommandRule, call_of("Bash", "command", kPlainCommand)); }},
      {"rule/parsed-no", [] { return fire_rule(kCommandRule, call_of("Bash", "command", kParsedCommand)); }},
      {"parse/plain", [] { return parse(kPlainCommand); }},
      {"parse/parsed", [] { return parse(kParsedCommand); }},
      {"record/line", [] { return record_line(); }},
      {"record/rules-50", [] { return record_rules(); }},
      {"record/file", [] { return record_file(); }, false},
      {"worker/native", [] { return ask_worker(native_worker()); }, false},
      {"worker/python", [] { return ask_worker(python_worker()); }, false},
  };
  return table;
}

}  // namespace grapnel::bench
