#include "run/runner.h"

#include <algorithm>
#include <future>

#include "run/env_file.h"
#include "run/parallel_spawn.h"
#include "run/supervisor.h"

namespace grapnel {

namespace {

/// The event as hooks of this dialect see it: in some dialects, the context that earlier hooks added is appended to the
/// prompt.
Event shown_to(const Dialect& dialect, const Event& event, const RunContext& context) {
  const EventRow* row = dialect.find_event(event.kind());
  if (row == nullptr || !row->running.context_joins_prompt || context.earlier_context.empty()) return event;
  return with_field(event, Field::Prompt, Json::string(event.text(Field::Prompt) + "\n\n" + context.earlier_context));
}

}  // namespace

std::shared_ptr<const std::string> PayloadCache::get(const Event& event, const HookSpec& hook,
                                                     const RunContext& context) {
  const Dialect& dialect = *hook.dialect;
  std::shared_ptr<const std::string>& payload = payloads_[{&dialect, hook.event_name}];
  if (!payload) {
    payload = shared_payload_for(shown_to(dialect, event, context), dialect, context.supplements, hook.event_name);
  }
  return payload;
}

namespace {

/// The environment files of one stage, each with the index of its hook in the stage. They are read after all children
/// have ended, by shells that run at the same time.
class EnvFiles {
 public:
  /// Gives the hook a file, if its dialect has one for this event. False if it has none.
  bool add(const HookSpec& hook, EventKind kind, const RunContext& context, ChildSpec& child, size_t place) {
    const EventRow* row = hook.dialect->find_event(kind);
    if (row == nullptr || row->running.env_file.empty()) return false;
    // In a sandbox this is the directory of the hook's own.
    const std::string_view set = child.sandbox ? child.env.get("TMPDIR") : context.env.get("TMPDIR");
    files_.emplace_back(place, EnvFile(row->running.env_file, set.empty() ? "/tmp" : std::string(set), child));
    return true;
  }

  /// Reads the files that hooks wrote, and puts the variables into the outcomes of the hooks.
  void read(const RunContext& context, std::vector<RunOutcome>& outcomes) const {
    std::vector<ChildSpec> readers;
    std::vector<const std::pair<size_t, EnvFile>*> written;
    for (const auto& file : files_) {
      auto reader = file.second.reader();
      if (!reader) continue;
      readers.push_back(std::move(*reader));
      written.push_back(&file);
    }
    if (readers.empty()) return;
    const auto ended = run_children(readers, 0, context.limits, context.cancel, {.calls = context.calls});
    for (size_t i = 0; i < ended.size(); ++i) written[i]->second.take(ended[i], outcomes[written[i]->first]);
  }

 private:
  std::vector<std::pair<size_t, EnvFile>> files_;
};

}  // namespace

std::optional<TimedCall> call_for(const HookSpec& hook, const Event& event, const RunContext& context,
                                  PayloadCache& payloads) {
  if (std::holds_alternative<HttpHandler>(hook.handler)) return post_call(hook, event, context, payloads);
  if (hook.asks_judge() && context.judge) return judge_call(hook, event, context, payloads);
  return std::nullopt;
}

namespace {

/// Whether a signal ended the program, or what a shell had started for it: the shell's exit code is 128 and the signal.
/// A signal that we sent has another ending.
bool was_killed(const Ending& ending) {
  constexpr int kLastSignal = 64;
  if (const auto* exited = std::get_if<Exited>(&ending)) return exited->code > 128 && exited->code <= 128 + kLastSignal;
  return std::holds_alternative<Signaled>(ending);
}

/// The command hooks of one stage. They are started without a check whether the kernel can start the program, since
/// nearly always it can. Those that fail for that reason are started a second time, see `start_again`.
class Children {
 public:
  Children(const Event& event, const RunContext& context, PayloadCache& payloads)
      : event_(event), context_(context), payloads_(payloads) {}

  void add(const HookSpec& hook, size_t place) {
    ChildSpec& child = specs_.emplace_back(child_for(hook, event_, context_, payloads_, Check::ByStarting));
    const bool has_file = env_files_.add(hook, event_.kind(), context_, child, place);
    if (hook.warm && has_file) {
      child.cold = "this event gives it a file of its own";
    } else if (hook.warm && context_.warm != nullptr) {
      context_.warm->prepare(hook, project_of(hook, context_), child);
    }
    hooks_.push_back({&hook, place});
  }
  bool empty() const { return specs_.empty(); }

  void run(size_t max_parallel, std::span<const std::unique_ptr<Pollable>> others, std::vector<RunOutcome>& outcomes) {
    // Without a limit, several threads may start the children. A limit needs one loop that counts them.
    auto ended = max_parallel == 0 ? run_in_shares(specs_, context_.limits, context_.cancel, context_.calls, others)
                                   : run_children(specs_, max_parallel, context_.limits, context_.cancel,
                                                  {.calls = context_.calls}, others);
    for (size_t i = 0; i < ended.size(); ++i) {
      const auto* failed = std::get_if<NotStarted>(&ended[i].ending);
      if (failed != nullptr && is_for_shell(failed->sys)) start_again(i, ended[i]);
      if (specs_[i].started && was_killed(ended[i].ending)) start_cold(i, ended[i]);
      outcomes[hooks_[i].place] = std::move(ended[i]);
      note_start(specs_[i], outcomes[hooks_[i].place]);
    }
    env_files_.read(context_, outcomes);
  }

 private:
  struct Hook {
    const HookSpec* spec;
    size_t place;
  };

  /// Starts a hook again whose first start failed: with a shell, or from the place where the program is now. This
  /// happens so rarely that the hooks may run one after another.
  void start_again(size_t i, RunOutcome& outcome) {
    context_.programs.forget();
    ChildSpec checked = child_for(*hooks_[i].spec, event_, context_, payloads_, Check::BeforeStart);
    // The second look led to the same program, so it would fail in the same way.
    if (checked.argv == specs_[i].argv && checked.path == specs_[i].path) return;
    specs_[i].path = std::move(checked.path);
    specs_[i].argv = std::move(checked.argv);
    outcome = std::move(
        run_children({&specs_[i], 1}, 1, context_.limits, context_.cancel, {.calls = context_.calls}).front());
  }

  /// A process that had waited was killed, perhaps because it waited: for want of memory, or by somebody who found it.
  /// Its answer is lost, so the hook gets what is left of its time for another one.
  void start_cold(size_t i, RunOutcome& outcome) {
    ChildSpec& child = specs_[i];
    child.started.reset();
    child.cold = "the process that waited was killed";
    child.timeout -= std::min(child.timeout, std::chrono::duration_cast<std::chrono::milliseconds>(outcome.took));
    const auto took = outcome.took;
    outcome =
        std::move(run_children({&child, 1}, 1, context_.limits, context_.cancel, {.calls = context_.calls}).front());
    outcome.took += took;
  }

  const Event& event_;
  const RunContext& context_;
  PayloadCache& payloads_;
  std::vector<ChildSpec> specs_;
  std::vector<Hook> hooks_;
  EnvFiles env_files_;
};

}  // namespace

std::vector<RunOutcome> run_stage(const Registry& registry, const Stage& stage, const Event& event,
                                  const RunContext& context, PayloadCache& payloads) {
  // Each kind of hook is collected with its index in the stage, because the kinds run side by side but the outcomes
  // must come back in the order of the stage.
  std::vector<RunOutcome> outcomes(stage.hooks.size());
  Children children(event, context, payloads);
  std::vector<TimedCall> calls;
  std::vector<size_t> call_places;
  std::vector<std::unique_ptr<Pollable>> questions;
  std::vector<size_t> asking;
  for (size_t i = 0; i < stage.hooks.size(); ++i) {
    const HookSpec& hook = registry.hooks[stage.hooks[i]];
    if (hook.command() != nullptr) {
      children.add(hook, i);
    } else if (hook.worker() != nullptr && context.workers != nullptr) {
      questions.push_back(context.workers->call(request_for(hook, event, context, payloads)));
      asking.push_back(i);
    } else if (std::holds_alternative<CallbackHandler>(hook.handler)) {
      outcomes[i] = run_callback(hook, event, context);
    } else if (auto call = call_for(hook, event, context, payloads)) {
      calls.push_back(std::move(*call));
      call_places.push_back(i);
    } else if (hook.asks_judge()) {
      outcomes[i].ending = NotStarted{"there is no model to ask", 0};
    } else {
      const auto* other = std::get_if<UnavailableHandler>(&hook.handler);
      const std::string type = hook.worker() != nullptr ? "worker" : other != nullptr ? other->type : "";
      outcomes[i].ending = NotStarted{"hooks of type '" + type + "' cannot run here", 0};
    }
  }
  std::future<std::vector<RunOutcome>> answered;
  if (!calls.empty()) {
    // `run_calls` blocks, and so does the loop of the children. If both have work, the calls wait in a thread of their
    // own; otherwise `deferred` runs them here, in `answered.get()`.
    const bool is_alone = children.empty() && questions.empty();
    answered = std::async(is_alone ? std::launch::deferred : std::launch::async,
                          [&] { return run_calls(calls, stage.max_parallel, context.cancel); });
  }
  children.run(stage.max_parallel, questions, outcomes);
  for (size_t i = 0; i < asking.size(); ++i) outcomes[asking[i]] = questions[i]->take_outcome();
  if (!answered.valid()) return outcomes;
  std::vector<RunOutcome> answers = answered.get();
  for (size_t i = 0; i < answers.size(); ++i) outcomes[call_places[i]] = std::move(answers[i]);
  return outcomes;
}

}  // namespace grapnel
