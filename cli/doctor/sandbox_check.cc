#include "base/text.h"
#include "cli/doctor/doctor.h"
#include "os/tag.h"
#include "run/child_sandbox.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

/// Runs a shell that does nothing. The sandbox must be asked for: what a kernel says about itself is not always what it
/// does.
RunOutcome try_sandbox(const Sandbox& sandbox, const DoctorContext& patient) {
  ChildSpec child;
  child.path = "/bin/sh";
  child.argv = {"sh", "-c", ":"};
  child.env = patient.env;
  child.cwd = "/";
  child.timeout = std::chrono::seconds(5);
  child.sandbox = sandbox_for(sandbox, {patient.project, child.env, {}});
  return run_children(std::span(&child, 1), 1, {}, {}).front();
}

const HookSpec* first_with_sandbox(const Registry& registry) {
  for (const HookSpec& hook : registry.hooks) {
    if (hook.sandbox && hook.sandbox->is_restricting()) return &hook;
  }
  return nullptr;
}

}  // namespace

void check_sandboxes(const DoctorContext& patient, Findings& findings) {
  const HookSpec* hook = first_with_sandbox(patient.registry);
  const SourcePos at = hook == nullptr ? SourcePos{} : hook->source;
  const RunOutcome plain = try_sandbox({}, patient);
  if (plain.contained.means == os::to_string(os::Means::Group)) {
    findings.push_back(
        {"sandboxes",
         os::can_tag() ? Severity::Warning : Severity::Note,
         "what hooks start is only ended at their deadline if it stays in their process group",
         {},
         os::can_tag() ? "a limit of processor time for real-time processes (`ulimit -R`) is set here, or hooks start "
                         "hooks more than three levels deep, so what they start cannot be marked"
                       : "this build uses nothing but POSIX, which has no mark that all descendants keep",
         os::can_tag() ? "start the agent without that limit" : "use the build for Linux, if this is Linux"});
  }
  const RunOutcome guarded = try_sandbox(guard_sandbox(), patient);
  if (const auto* failed = std::get_if<NotStarted>(&guarded.ending)) {
    findings.push_back({"sandboxes", hook == nullptr ? Severity::Note : Severity::Error,
                        "hooks with a sandbox cannot run on this machine: " + failed->why, at,
                        hook == nullptr ? "a hook with `sandbox: guard` would fail, and deny what it guards"
                                        : "this hook fails every time, and denies what it guards",
                        "use Linux 5.13 or newer with Landlock, and a container that allows it; or write `required: "
                        "false`, and the hook runs without its sandbox"});
    return;
  }
  const int version = os::sandbox_means(os::real_calls()).landlock;
  if (version < os::kLandlockKnowsSignals) {
    findings.push_back({"sandboxes", Severity::Note,
                        "sandboxes work here with Landlock " + std::to_string(version) + "; newer kernels do more", at,
                        "what a hook in a sandbox starts is found by a mark and ended one by one, and only signals to "
                        "the agent and its parents are refused",
                        "Linux 6.12 keeps all signals inside, and ends everything in one step"});
  }
}

}  // namespace grapnel::cli
