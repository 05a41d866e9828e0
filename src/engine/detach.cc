#include "engine/detach.h"

#include <algorithm>

#include "engine/debounce.h"
#include "engine/distrust.h"
#include "engine/eligibility.h"
#include "engine/recording.h"
#include "engine/stage_hooks.h"
#include "session/hook_history.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

/// Wraps the child in a shell that starts it in the background and ends at once. Then the hook survives the end of the
/// host. The shell first reads all of the input, because the host's end of the pipe may be gone when the hook reads.
void leave_behind(ChildSpec& child) {
  constexpr const char* kScript = "d=$(cat); printf '%s\\n' \"$d\" | \"$@\" >/dev/null 2>&1 &";
  std::vector<std::string> argv = {"sh", "-c", kScript, "sh", child.path};
  argv.insert(argv.end(), child.argv.begin() + 1, child.argv.end());
  child.argv = std::move(argv);
  child.path = "/bin/sh";
}

/// Hooks that are not children. They are collected apart, because `BackgroundRun::hooks` lists children first.
struct Asked {
  std::vector<uint32_t> called;
  std::vector<uint32_t> questioned;
};

/// Adds one hook. Returns false for a kind of hook that cannot run in the background.
bool add_to_background(EventRun& run, uint32_t index, BackgroundRun& out, Asked& asked) {
  const HookSpec& hook = run.hook(index);
  PayloadCache& payloads = run.running.payloads;
  if (hook.command() != nullptr) {
    out.hooks.push_back(index);
    out.children.push_back(child_for(hook, run.event, run_context(run), payloads));
    if (hook.detach) leave_behind(out.children.back());
  } else if (hook.worker() != nullptr) {
    asked.questioned.push_back(index);
    out.questions.push_back(owning(request_for(hook, run.event, run_context(run), payloads)));
  } else if (auto call = call_for(hook, run.event, run_context(run), payloads)) {
    asked.called.push_back(index);
    out.calls.push_back(std::move(*call));
  } else {
    return false;
  }
  return true;
}

}  // namespace

namespace {

/// A run that waits for quiet. Its files are not known yet, so `kFilesMark` stays in its arguments.
BackgroundRun waiting_run(EventRun& run, uint32_t index) {
  const HookSpec& hook = run.hook(index);
  run.running.files.erase(&hook);
  BackgroundRun out{.event_id = run.id, .record = {}, .hooks = {index}, .children = {}, .calls = {}, .questions = {}};
  out.children.push_back(child_for(hook, run.event, run_context(run), run.running.payloads));
  out.wait = QuietWait{.session_id = run.session.id,
                       .hook_key = session_key(hook),
                       .quiet = hook.debounce.quiet,
                       .takes_files = hook.command()->takes_files,
                       .trusted_as = {}};
  if (const auto pinned = run.running.started_as.find(&hook); pinned != run.running.started_as.end()) {
    out.wait->trusted_as = pinned->second;
  }
  return out;
}

/// Whether a worker of the fleet runs the hook. Its job has to be in a record, so without records it runs here.
bool wants_job(const EventRun& run, const HookSpec& hook) {
  return hook.is_job && hook.command() != nullptr && run.context.options.recording.sink != nullptr;
}

/// The id follows from the event and the hook, so it is the same however often the record is read.
WantedJob job_of(const EventRun& run, const HookSpec& hook) {
  constexpr size_t kIdLength = 32;
  return {.id = sha256_of(run.id + "\n" + hook.name).substr(0, kIdLength),
          .hook = hook.name,
          .payload = run.progress.rewrites > 0 ? run.event.payload() : Json()};
}

/// Why an async hook does not start now; it may have to wait, too.
std::optional<std::string> reason_not_to_start(EventRun& run, uint32_t index) {
  if (auto why = reason_to_skip(run, run.hook(index))) return why;
  return reason_to_wait(run, index);
}

}  // namespace

std::vector<BackgroundRun> detach_hooks(EventRun& run, const std::vector<uint32_t>& hooks) {
  if (hooks.empty() && run.running.unwaited.empty() && run.running.waiting.empty()) return {};
  BackgroundRun out{.event_id = run.id, .record = {}, .hooks = {}, .children = {}, .calls = {}, .questions = {}};
  BackgroundRun jobs{.event_id = run.id, .record = {}, .hooks = {}, .children = {}, .calls = {}, .questions = {}};
  jobs.is_job = true;
  Asked asked;
  const auto start = [&](uint32_t index) {
    const HookSpec& hook = run.hook(index);
    const bool is_job = wants_job(run, hook);
    run.progress.add_fate(hook, HookFate::Kind::Detached, is_job ? "async: a job for the fleet" : "async");
    if (is_job) run.progress.jobs.push_back(job_of(run, hook));
    if (add_to_background(run, index, is_job ? jobs : out, asked)) run.session.history.add(hook, Verdict::Pass, false);
  };
  const bool goes_on = run.progress.effects.verdict != Verdict::Deny && !run.progress.effects.stop;
  for (const uint32_t index : hooks) {
    const HookSpec& hook = run.hook(index);
    const rule::Match match = run.conditions.ask(hook);
    // A hook whose condition does not hold gets no fate here. `record_event` adds one with the reason.
    if (!rule::is_enough(match.answer, rule::quantifier_of(hook))) continue;
    note_matched_file(run, hook, match);
    if (auto why = goes_on || hook.debounce.is_set() ? reason_not_to_start(run, index) : "an earlier hook denied") {
      skip_hook(run, hook, std::move(*why));
    } else {
      start(index);
    }
  }
  // What was collected earlier has happened, whatever becomes of this event.
  std::ranges::for_each(run.running.unwaited, start);
  // `run_detached` relies on this order: children, calls, worker requests.
  out.hooks.insert(out.hooks.end(), asked.called.begin(), asked.called.end());
  out.hooks.insert(out.hooks.end(), asked.questioned.begin(), asked.questioned.end());
  std::vector<BackgroundRun> runs;
  if (!out.hooks.empty()) runs.push_back(std::move(out));
  if (!jobs.hooks.empty()) runs.push_back(std::move(jobs));
  for (const uint32_t index : run.running.waiting) runs.push_back(waiting_run(run, index));
  // Only this record can be written when the hooks have ended: the engine may be gone by then.
  for (BackgroundRun& one : runs) one.record = record_of(run.original, run.snapshot, run.context, run.id);
  return runs;
}

}  // namespace grapnel
