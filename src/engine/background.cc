#include "engine/background.h"

#include <algorithm>
#include <future>
#include <iterator>

#include "base/clock.h"
#include "base/text.h"
#include "engine/call_host.h"
#include "engine/debounce.h"
#include "engine/eligibility.h"
#include "engine/hook_info.h"
#include "engine/leftovers.h"
#include "run/runner.h"
#include "run/supervisor.h"

namespace grapnel {

namespace {

constexpr size_t kMaxSaid = 400;  // bytes of a hook's output that go into the record

/// Runs children, calls and worker requests at the same time. Returns the outcomes in the order of `run.hooks`:
/// children first, then calls, then worker requests.
std::vector<RunOutcome> run_all(const BackgroundRun& run, const Limits& limits, WorkerPool& workers) {
  // Without calls, `deferred` saves the thread: the empty list is then "run" by `get` below.
  auto answered = std::async(run.calls.empty() ? std::launch::deferred : std::launch::async,
                             [&] { return run_calls(run.calls, 0, {}); });
  std::vector<std::unique_ptr<Pollable>> questions;
  for (const WorkerRequest& question : run.questions) questions.push_back(workers.call(question));
  std::vector<RunOutcome> outcomes = run_children(run.children, 0, child_limits(limits), {}, {}, questions);
  std::ranges::move(answered.get(), std::back_inserter(outcomes));
  for (const auto& question : questions) outcomes.push_back(question->take_outcome());
  return outcomes;
}

/// The input of the hook at this place in `run.hooks`; null for calls, which keep no copy of theirs.
std::shared_ptr<const std::string> input_of(const BackgroundRun& run, size_t place) {
  if (place < run.children.size()) return run.children[place].stdin_bytes;
  const size_t before = run.children.size() + run.calls.size();
  return place < before ? nullptr : run.questions[place - before].payload;
}

/// No answer is interpreted here, so success means a normal end: exit code 0, a 2xx status, or a worker's answer.
bool has_succeeded(const Ending& ending) {
  if (std::holds_alternative<Answered>(ending)) return true;
  if (const auto* reply = std::get_if<Replied>(&ending)) return reply->status >= 200 && reply->status < 300;
  const auto* exited = std::get_if<Exited>(&ending);
  return exited != nullptr && exited->code == 0;
}

/// The second record of an event. The first one already has the payload.
Record later_record(const BackgroundRun& run) {
  Record record = run.record;
  record.time = format_timestamp(std::chrono::system_clock::now());
  record.payload = Json();
  record.subjects = Json();
  record.in_background = true;
  record.origin = Origin::Hook;
  return record;
}

}  // namespace

bool prepare_after_quiet(const Snapshot& snapshot, BackgroundRun& run, const Watchers& watchers,
                         SessionStore& sessions) {
  const auto collected = wait_for_quiet(*run.wait, sessions);
  if (!collected) return false;
  const std::vector<std::string> files = existing_files(*collected);
  std::string why;
  if (run.wait->takes_files && files.empty()) why = "its files no longer exist";
  if (run.wait->trusted_as && !run.wait->trusted_as->is_untouched()) why = kChangedSinceTrusted;
  put_files(run.children.front(), files);
  if (why.empty()) return true;
  Record record = later_record(run);
  record.hooks.push_back(skipped_fate(snapshot.registry.hooks[run.hooks.front()], why));
  if (watchers.records) watchers.records->record(record);
  return false;
}

void run_detached(const Snapshot& snapshot, const Event& event, const BackgroundRun& run, const Limits& limits,
                  const Watchers& watchers, WorkerPool& workers) {
  std::vector<RunOutcome> outcomes = run_all(run, limits, workers);
  Record record = later_record(run);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const HookSpec& hook = snapshot.registry.hooks[run.hooks[i]];
    HookFate& fate = record.hooks.emplace_back();
    fate.name = hook.name;
    fate.source = hook.source_text();
    fate.kind = has_succeeded(outcomes[i].ending) ? HookFate::Kind::Ran : HookFate::Kind::Failed;
    fate.detail = describe(outcomes[i].ending);
    for (const Capture* said : {&outcomes[i].out, &outcomes[i].err}) {
      const std::string text(text::trim(text::to_valid_utf8(said->bytes)));
      if (!text.empty()) fate.detail += ": " + text::cap(text, kMaxSaid);
    }
    if (i < run.children.size()) note_start(run.children[i], outcomes[i]);
    fate.trace = trace_of(outcomes[i]);
    fate.contained = containment_of(outcomes[i]);
    if (!fate.contained.left.empty() && !fate.contained.ended_leftovers) {
      add_leftovers(watchers.leftovers, hook.name, fate.contained.left);
    }
    fate.took = outcomes[i].took;
    // Observers see these hooks, too, only later than the hooks that the event waited for.
    if (!watchers.observer) continue;
    HookRun seen = run_of(hook, outcomes[i], fate);
    seen.event_id = run.event_id;
    seen.event = event.kind();
    if (const auto input = input_of(run, i)) seen.input = *input;
    call_host([&] { watchers.observer->hook_finished(seen); });
  }
  if (watchers.records) watchers.records->record(record);
}

}  // namespace grapnel
