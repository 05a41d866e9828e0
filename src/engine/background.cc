#include "engine/background.h"

#include <algorithm>
#include <future>
#include <iterator>

#include "base/clock.h"
#include "base/text.h"
#include "engine/hook_info.h"
#include "engine/tell.h"
#include "run/supervisor.h"

namespace grapnel {

namespace {

constexpr size_t kMaxSaid = 400;

std::vector<RunOutcome> run_all(const BackgroundRun& run, const Limits& limits) {
  auto answered = std::async(run.calls.empty() ? std::launch::deferred : std::launch::async,
                             [&] { return run_calls(run.calls, 0, {}); });
  std::vector<RunOutcome> outcomes = run_children(run.children, 0, child_limits(limits), {});
  std::ranges::move(answered.get(), std::back_inserter(outcomes));
  return outcomes;
}

bool has_succeeded(const Ending& ending) {
  if (const auto* reply = std::get_if<Replied>(&ending)) return reply->status >= 200 && reply->status < 300;
  const auto* exited = std::get_if<Exited>(&ending);
  return exited != nullptr && exited->code == 0;
}

}  // namespace

Record record_of(const Event& event, const Registry& registry, std::string id) {
  Record record;
  record.id = std::move(id);
  record.time = format_timestamp(std::chrono::system_clock::now());
  record.event = event.kind();
  record.dialect = event.dialect_name();
  record.session_id = event.text(Field::SessionId);
  record.tool = event.text(Field::ToolName);
  record.tool_use_id = event.text(Field::ToolUseId);
  record.registry_digest = registry.digest;
  return record;
}

ChildLimits child_limits(const Limits& limits) {
  return {.max_output = limits.max_output, .term_grace = limits.term_grace, .drain_grace = limits.drain_grace};
}

void run_detached(const Registry& registry, const Event& event, const BackgroundRun& run, const Limits& limits,
                  const Watchers& watchers) {
  const std::vector<RunOutcome> outcomes = run_all(run, limits);
  Record record = record_of(event, registry, run.event_id);
  record.in_background = true;
  record.origin = Origin::Hook;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const HookSpec& hook = registry.hooks[run.hooks[i]];
    HookFate& fate = record.hooks.emplace_back();
    fate.name = hook.name;
    fate.source = hook.source_text();
    fate.kind = has_succeeded(outcomes[i].ending) ? HookFate::Kind::Ran : HookFate::Kind::Failed;
    fate.detail = describe(outcomes[i].ending);
    for (const Capture* said : {&outcomes[i].out, &outcomes[i].err}) {
      const std::string text(text::trim(text::to_valid_utf8(said->bytes)));
      if (!text.empty()) fate.detail += ": " + text::cap(text, kMaxSaid);
    }
    fate.took = outcomes[i].took;
    if (!watchers.observer) continue;
    HookRun seen = run_of(hook, outcomes[i], fate);
    seen.event_id = run.event_id;
    seen.event = event.kind();
    if (i < run.children.size() && run.children[i].stdin_bytes) seen.input = *run.children[i].stdin_bytes;
    tell([&] { watchers.observer->hook_finished(seen); });
  }
  if (watchers.records) watchers.records->record(record);
}

}  // namespace grapnel
