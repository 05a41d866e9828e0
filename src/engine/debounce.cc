#include "engine/debounce.h"

#include <algorithm>
#include <thread>

#include <sys/stat.h>

#include "engine/distrust.h"
#include "engine/eligibility.h"
#include "engine/stage_hooks.h"
#include "engine/take_answer.h"
#include "rule/files.h"
#include "session/deferred.h"

namespace grapnel {

namespace {

bool takes_files(const HookSpec& hook) {
  return hook.command() != nullptr && hook.command()->takes_files;
}

/// Events that are about a tool call or about a file have their own files; the others are about the turn.
std::vector<std::string> files_at(EventRun& run, const HookSpec& hook) {
  call::ToolCall& subject = run.conditions.subject(hook);
  const bool has_own = run.event.get(Field::ToolName) || run.event.get(Field::ToolPath);
  return has_own ? rule::files_for(hook, subject) : rule::touched_files_for(hook, subject);
}

std::string count_of(size_t files) {
  return std::to_string(files) + (files == 1 ? " file" : " files");
}

/// For the record: what the hook waits for.
std::string waiting_text(const HookSpec& hook, size_t files) {
  const std::string until = hook.debounce.until_turn_ends
                                ? "the turn ends"
                                : "it was quiet for " + std::to_string(hook.debounce.quiet.count()) + " ms";
  return "put off until " + until + " (debounce)" + (files == 0 ? "" : ", with " + count_of(files));
}

}  // namespace

std::vector<std::string> existing_files(const std::set<std::string>& files) {
  std::vector<std::string> out;
  for (const std::string& file : files) {
    struct stat found{};
    if (::lstat(file.c_str(), &found) == 0) out.push_back(file);
  }
  return out;
}

std::optional<std::string> reason_to_wait(EventRun& run, uint32_t index) {
  const HookSpec& hook = run.hook(index);
  const bool is_put_off = hook.debounce.is_set() && !run.session.id.empty() &&
                          !hook.settles_at().test(static_cast<size_t>(run.original.kind()));
  if (!is_put_off && !takes_files(hook)) return std::nullopt;
  const std::vector<std::string> files = files_at(run, hook);
  if (takes_files(hook) && files.empty()) return "it needs files, and there is none for it";
  if (is_put_off) {
    const auto needs_waiter = collect(hook, files, run.session.id, run.context.sessions);
    if (needs_waiter && *needs_waiter) run.running.waiting.push_back(index);
    if (needs_waiter) return waiting_text(hook, files.size());
    // The session's state cannot be written. Running too often is better than never.
  }
  std::vector<std::string> existing = existing_files({files.begin(), files.end()});
  if (takes_files(hook) && existing.empty()) return "its files no longer exist";
  run.running.files[&hook] = std::move(existing);
  return std::nullopt;
}

std::vector<uint32_t> due_hooks(const Snapshot& snapshot, const Event& event, const Plan& plan,
                                SessionStore& sessions) {
  std::vector<uint32_t> due;
  if (plan.settling.empty()) return due;
  const std::string session = event.text(Field::SessionId);
  // Qwen Code reports an empty prompt after each result of a tool. The turn goes on then.
  const bool goes_on = event.kind() == EventKind::UserPromptSubmit && event.text(Field::Prompt).empty();
  if (session.empty() || goes_on) return due;
  const auto state = sessions.load(session);
  if (!state || state->deferred.empty()) return due;
  // Nothing comes after the end of the session, so whoever waits has to hurry.
  const bool is_last = event.kind() == EventKind::SessionEnd;
  std::ranges::copy_if(plan.settling, std::back_inserter(due),
                       [&](uint32_t index) { return is_due(snapshot.registry.hooks[index], *state, is_last); });
  return due;
}

void run_due(EventRun& run, const std::vector<uint32_t>& due) {
  std::vector<ReadyHook> ready;
  for (const uint32_t index : due) {
    const HookSpec& hook = run.hook(index);
    if (auto why = reason_to_skip(run, hook)) {
      skip_hook(run, hook, std::move(*why));
      continue;
    }
    const auto collected = take_deferred(hook, run.session.id, run.context.sessions);
    if (!collected) continue;  // another event has taken it meanwhile
    std::vector<std::string> files = existing_files(*collected);
    if (takes_files(hook) && files.empty()) {
      skip_hook(run, hook, "its files no longer exist");
      continue;
    }
    run.running.files[&hook] = std::move(files);
    run.running.settling.insert(&hook);
    // An agent that ends does not wait for its hooks for long.
    const bool is_awaited = !hook.async && run.original.kind() != EventKind::SessionEnd;
    if (is_awaited) {
      ready.push_back({index, {.answer = call::Certainty::Yes}});
    } else {
      run.running.unwaited.push_back(index);
    }
  }
  if (ready.empty()) return;
  std::vector<RunOutcome> outcomes = run_ready(run, ready, 0);
  take_answers(run, ready, outcomes);
  advance_event(run);
}

EventKind kind_for(const EventRun& run, const HookSpec& hook) {
  if (!run.running.settling.contains(&hook)) return run.original.kind();
  const auto kinds = all_event_kinds();
  const auto own = std::ranges::find_if(kinds, [&](EventKind kind) { return hook.listens_to(kind); });
  return own == kinds.end() ? run.original.kind() : *own;
}

void soften_late_answer(const EventRun& run, const HookSpec& hook, Effects& effects) {
  const bool is_late = run.running.settling.contains(&hook) && run.original.kind() != EventKind::Stop;
  if (!is_late || effects.verdict < Verdict::Ask) return;
  effects.verdict = Verdict::Pass;
  effects.context.insert(effects.context.end(), effects.reasons.begin(), effects.reasons.end());
  effects.reasons.clear();
}

std::optional<std::set<std::string>> wait_for_quiet(const QuietWait& wait, SessionStore& sessions) {
  int64_t until = now_ms() + wait.quiet.count();
  while (until != 0) {
    const int64_t left = until - now_ms();
    if (left > 0) std::this_thread::sleep_for(std::chrono::milliseconds(left));
    Look look = take_if_quiet(wait.hook_key, wait.session_id, sessions);
    if (look.files) return std::move(look.files);
    until = look.look_again_ms;
  }
  return std::nullopt;
}

}  // namespace grapnel
