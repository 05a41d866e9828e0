#include <algorithm>

#include "base/error.h"
#include "run/program_files.h"
#include "run/runner.h"
#include "trust/pinned_files.h"
#include "trust/trust_store.h"

/// What a worker hook needs from the pool: the name of its process, how to start it, and the files it consists of.
namespace grapnel {

namespace {

/// The stamps are taken before the files are read for the digest: if a file changes in between, the next event sees
/// another stamp and replaces the worker. The digest of a trusted worker is checked again here, because its files may
/// have changed since its hook was loaded.
Result<WorkerStart> start_of(const HookSpec& hook, const std::string& project_dir, ChildSpec child) {
  const std::string project = canonical_directory(project_dir);
  const std::string dir = canonical_directory(child.cwd);
  FileStamps files = stamps_of(files_of_program(hook, project, child));
  WorkerStart out{std::move(child), std::move(files)};
  if (hook.trust == Trust::Trusted && pinned_digest(hook, project, dir) != hook.digest) {
    return fail(Errc::Refused, "untrusted: it changed after it was trusted");
  }
  return out;
}

}  // namespace

/// Everything that makes two processes different is part of the name, including the digest of the hook: a hook that
/// changes gets a new worker. The parts are separated by zero bytes, which words and variables cannot contain.
std::string worker_name(const HookSpec& hook) {
  const WorkerHandler& worker = *hook.worker();
  std::string name;
  name.reserve(hook.dialect->name.size() + worker.start.command.size() + hook.digest.size() + 48);
  name += hook.dialect->name;
  const auto add = [&](std::string_view part) { (name += '\0') += part; };
  add(worker.start.command);
  add(worker.start.args ? std::to_string(worker.start.args->size()) : "");
  if (worker.start.args) std::ranges::for_each(*worker.start.args, add);
  for (const auto& [variable, value] : worker.start.env) add(variable + "=" + value);
  add(std::to_string(worker.idle.count()));
  add(std::to_string(worker.max_events));
  add(hook.digest);
  add(hook.project);
  if (hook.sandbox) add(describe(*hook.sandbox));
  return name;
}

WorkerRequest request_for(const HookSpec& hook, const Event& event, const RunContext& context, PayloadCache& payloads) {
  WorkerRequest request;
  request.command = worker_name(hook);
  request.directory = working_dir(hook, event, context);
  request.start = [&] { return start_of(hook, project_of(hook, context), child_for(hook, event, context, payloads)); };
  request.payload = payloads.get(event, hook, context);
  request.timeout = hook.timeout;
  request.idle = hook.worker()->idle;
  request.max_events = hook.worker()->max_events;
  return request;
}

WorkerRequest owning(WorkerRequest request) {
  // The background run outlives the arguments that the function refers to, so it is called now.
  request.start = [start = request.start()] { return start; };
  return request;
}

}  // namespace grapnel
