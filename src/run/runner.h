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
#include "run/worker_pool.h"

/// run: a stage of planned hooks into outcomes, one file per kind of handler.
namespace grapnel {

/// What every hook of an event shares.
struct RunContext {
  const Environment& env;  ///< base of the children's environment, already filtered
  os::ProgramPaths& programs;
  std::vector<std::pair<std::string, std::string>> session_env;
  std::string default_dir;  ///< where to run when the event names no directory
  ChildLimits limits;
  os::CancelToken cancel;
  std::stop_token stop;  ///< the same, as callbacks take it
  const os::Calls& calls = os::real_calls();
  Supplements supplements;
  std::shared_ptr<HttpHookClient> http_client;  ///< nothing: posts are not sent
  WorkerPool* workers = nullptr;                ///< nothing: workers cannot run
  std::string earlier_context;  ///< what earlier hooks added for the model, for dialects that show it behind the prompt
  std::shared_ptr<Judge> judge = {};  ///< may be none
  /// The file that made a hook run, where the event has no argument that names one: of a patch, of a shell command.
  std::map<const HookSpec*, std::string> matched_files = {};
};

/// Stdin texts of one event, made once per dialect and spelling and shared by all hooks that read it.
class PayloadCache {
 public:
  std::shared_ptr<const std::string> get(const Event& event, const HookSpec& hook, const RunContext& context);
  void clear() { payloads_.clear(); }

 private:
  using Key = std::pair<const Dialect*, std::string>;  ///< with how it spells the event
  std::map<Key, std::shared_ptr<const std::string>> payloads_;
};

/// Runs the hooks of one stage; outcomes in the stage's order.
std::vector<RunOutcome> run_stage(const Registry& registry, const Stage& stage, const Event& event,
                                  const RunContext& context, PayloadCache& payloads);

/// Where a hook runs: the directory the event names, as the hook's dialect reads it.
std::string working_dir(const HookSpec& hook, const Event& event, const RunContext& context);

/// The child a command hook would be for this event, or the one a worker would be started as.
ChildSpec child_for(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads,
                    Check check = Check::BeforeStart);

/// How a hook that is no child of ours is asked about this event; nothing for handlers that are not asked so.
std::optional<TimedCall> call_for(const HookSpec& hook, const Event& event, const RunContext& context,
                                  PayloadCache& payloads);

/// The post of an `http` hook, with its tries: no reply and a status of 500 and above are worth another.
TimedCall post_call(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads);

/// Names what a worker hook starts: the same for hooks that can share a worker.
std::string worker_name(const HookSpec& hook);

/// What a worker hook asks for this event. Borrows all it is given, to start the worker when it must.
WorkerRequest request_for(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads);
/// The same request, borrowing nothing.
WorkerRequest owning(WorkerRequest request);

/// Writes down how a child was started.
void note_start(const ChildSpec& child, RunOutcome& outcome);

/// Calls a callback: in this thread, or with a timeout in one of its own, which is left behind when time is up.
RunOutcome run_callback(const HookSpec& hook, const Event& event, const RunContext& context);

/// The question of a prompt or agent hook, as a call that may take as long as the hook. Needs a judge.
TimedCall judge_call(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads);

/// The prompt with the event in it: in place of each `$ARGUMENTS` that no backslash stands before, or else behind it.
std::string fill_in_event(std::string_view prompt, std::string_view payload);

}  // namespace grapnel
