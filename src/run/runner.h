#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/environment.h"
#include "dialect/payload.h"
#include "model/plan.h"
#include "model/registry.h"
#include "model/run_outcome.h"
#include "os/cancel.h"
#include "run/child.h"
#include "run/command_line.h"
#include "run/timed_call.h"
#include "run/warm_pool.h"
#include "run/worker_pool.h"

/// run: starts the hooks of an event, waits for them, and returns one `RunOutcome` for each of them.
///
/// The engine calls `run_stage` once for every stage of a plan. `run_stage` sorts the hooks of the stage by the kind of
/// their handler, and each kind runs in its own way:
///
///   command          a child process            child_for → run_children     command.cc, child.h, supervisor.h
///   worker           a process that stays       request_for → WorkerPool     worker_request.cc, worker.h
///   http             a POST in a thread         post_call → run_calls        http.cc, timed_call.h
///   prompt, agent    a model, asked in a thread judge_call → run_calls       judge.cc, timed_call.h
///   callback         a function of the host     run_callback                 callback.cc
///
/// The order of calls within one stage:
///
///   1. Callbacks run at once, one after another, in the calling thread.
///   2. `run_calls` starts the posts and the questions to models. If there are also children or workers, it waits for
///      them in a thread of its own, at the same time as step 3.
///   3. `run_children` starts the commands, sends the requests to workers (each of them a `Pollable`), and waits
///      for all of them in one poll loop in the calling thread.
///   4. The environment files that hooks left behind are read by a shell, which is another round of `run_children`.
///
/// Nothing in this folder decides what an outcome means: `src/decide` does that. An outcome only says how the hook
/// ended (`Ending`), what it printed and how long it took.
///
/// Time is kept in one way everywhere: a hook has one deadline, which starts when the hook starts. When it passes, or
/// when the host cancels the event, the hook is asked to stop, gets a short grace, and is then killed or left behind.
namespace grapnel {

/// Everything that the hooks of one event have in common.
struct RunContext {
  const Environment& env;  ///< what children inherit; secrets are already filtered out
  os::ProgramPaths& programs;
  std::vector<std::pair<std::string, std::string>> session_env;
  std::string default_dir;  ///< the working directory if the event names none
  ChildLimits limits;
  os::CancelToken cancel;
  std::stop_token stop;  ///< the same signal in the form that callbacks take
  const os::Calls& calls = os::real_calls();
  Supplements supplements;
  std::shared_ptr<HttpHookClient> http_client;  ///< null: `http` hooks cannot run
  WorkerPool* workers = nullptr;                ///< null: workers cannot run
  WarmPool* warm = nullptr;                     ///< null: every command is started for its event
  std::string earlier_context;        ///< context that earlier hooks added; some dialects append it to the prompt
  std::shared_ptr<Judge> judge = {};  ///< null: `prompt` and `agent` hooks cannot run
  /// The file because of which a hook runs, for events in which no argument names it: a file in a patch or in a shell
  /// command.
  std::map<const HookSpec*, std::string> matched_files = {};
  /// The files for `{files}` of each hook that has it. A hook that is not in here gets them later, from `put_files`.
  std::map<const HookSpec*, std::vector<std::string>> files = {};
};

/// The texts that hooks read from standard input. One event needs only one text per dialect and per spelling of the
/// event's name, so hooks share them.
class PayloadCache {
 public:
  std::shared_ptr<const std::string> get(const Event& event, const HookSpec& hook, const RunContext& context);
  void clear() { payloads_.clear(); }

 private:
  using Key = std::pair<const Dialect*, std::string>;  ///< and the spelling of the event's name
  std::map<Key, std::shared_ptr<const std::string>> payloads_;
};

/// Runs the hooks of one stage and returns when all of them have ended. The outcomes are in the order of the stage.
std::vector<RunOutcome> run_stage(const Registry& registry, const Stage& stage, const Event& event,
                                  const RunContext& context, PayloadCache& payloads);

/// The directory whose hook files declare the hook; for hooks of no project, the directory of the engine.
const std::string& project_of(const HookSpec& hook, const RunContext& context);

/// The working directory of a hook: the directory that the event names, in the field that the hook's dialect uses for
/// it.
std::string working_dir(const HookSpec& hook, const Event& event, const RunContext& context);

/// The process to start for a command hook and this event, or the process of a worker.
ChildSpec child_for(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads,
                    Check check = Check::BeforeStart);

/// Puts the files into the arguments of a child, in the place of `kFilesMark`.
void put_files(ChildSpec& child, const std::vector<std::string>& files);

/// How to ask a hook that is not a process: an `http` hook, or a hook that asks a model. Nothing for all other
/// handlers.
std::optional<TimedCall> call_for(const HookSpec& hook, const Event& event, const RunContext& context,
                                  PayloadCache& payloads);

/// The POST of an `http` hook, including its retries. It is repeated if there was no reply, or a status of 500 or
/// above.
TimedCall post_call(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads);

/// Identifies the process that a worker hook needs. Hooks with the same name and directory share one worker.
std::string worker_name(const HookSpec& hook);

/// The request that a worker hook sends for this event. It borrows all arguments, because it may have to start the
/// worker later.
WorkerRequest request_for(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads);
/// The same request without borrowing anything. It decides at once how the worker would be started.
WorkerRequest owning(WorkerRequest request);

/// Copies how a child was started (arguments, directory, size of the input) into its outcome.
void note_start(const ChildSpec& child, RunOutcome& outcome);

/// Calls a callback. Without a timeout it runs in this thread; with a timeout it runs in a thread of its own, which is
/// left behind when the time is up.
RunOutcome run_callback(const HookSpec& hook, const Event& event, const RunContext& context);

/// The question that a `prompt` or `agent` hook asks a model, as a call with the timeout of the hook. Needs a judge.
TimedCall judge_call(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads);

/// The prompt with the event filled in: in place of each `$ARGUMENTS`, or at the end if there is none. `\$` is a plain
/// dollar sign.
std::string fill_in_event(std::string_view prompt, std::string_view payload);

}  // namespace grapnel
