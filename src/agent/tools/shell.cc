#include <algorithm>
#include <string>
#include <variant>

#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "base/environment.h"
#include "os/cancel.h"
#include "os/resolve.h"
#include "run/child_sandbox.h"
#include "run/refusals.h"
#include "run/supervisor.h"

namespace grapnel::agent {

namespace {

using std::chrono::milliseconds;

/// Bytes kept of each stream. This is much more than the model gets, so that `cut_middle` still has the end of the
/// output.
constexpr size_t kMaxCapture = size_t{8} << 20;

constexpr const char* kShellSchema = R"({
  "type": "object",
  "properties": {
    "command": {"type": "string", "minLength": 1, "description": "The command line, for bash"},
    "timeout": {"type": "integer", "minimum": 1, "description": "Milliseconds after which the command is stopped"},
    "cwd": {"type": "string", "description": "Directory to run in; the workspace's root by default"},
    "description": {"type": "string", "description": "What it does, in a few words, for the person watching"}
  },
  "required": ["command"]
})";

/// The child process for a call. The model can shorten the context's timeout, but not extend it.
/// In a sandbox it gets a temporary directory of its own.
ChildSpec child_for(const Json& input, const ToolContext& context, std::string cwd) {
  Environment env = Environment::of_process();
  for (const auto& [name, value] : context.env) env.set(name, value);
  const auto bash = os::find_executable("bash", env.get("PATH"), cwd);
  milliseconds timeout = context.timeout;
  if (const auto wanted = input["timeout"].as_integer(); wanted && *wanted < timeout.count()) {
    timeout = milliseconds(*wanted);
  }
  ChildSpec child{.path = bash.value_or("/bin/sh"),
                  .argv = {bash ? "bash" : "sh", "-c", text_argument(input, "command")},
                  .env = std::move(env),
                  .cwd = std::move(cwd),
                  .stdin_bytes = nullptr,
                  .timeout = timeout};
  if (context.sandbox == nullptr) return child;
  child.is_contained = !context.sandbox->is_off;
  child.leftovers = context.sandbox->leftovers;
  child.sandbox = sandbox_for(*context.sandbox, {context.workspace->root(), child.env, {}});
  if (child.sandbox && child.sandbox->temporary) child.env.set("TMPDIR", child.sandbox->temporary->path());
  return child;
}

/// Runs the command under the supervisor that also runs hooks. It knows cancel tokens only, hence the translation.
RunOutcome run(const ChildSpec& spec, const std::stop_token& stop) {
  const os::CancelSource cancel;
  const std::stop_callback on_stop(stop, [&] { cancel.cancel(); });
  const ChildLimits limits{.max_output = kMaxCapture};
  return std::move(run_children(std::span(&spec, 1), 1, limits, cancel.token()).front());
}

/// One stream without its final line feeds, and with a note if it was longer than `kMaxCapture`.
std::string text_of(const Capture& capture) {
  std::string out = capture.bytes;
  while (out.ends_with('\n')) out.pop_back();
  if (capture.dropped > 0) out += "\n[" + std::to_string(capture.dropped) + " more bytes were not kept]";
  return out;
}

/// The streams get headings only if both have output; otherwise there is nothing to tell apart.
std::string text_of(const RunOutcome& outcome) {
  const std::string out = text_of(outcome.out);
  const std::string err = text_of(outcome.err);
  if (out.empty() || err.empty()) return out + err;
  return "stdout:\n" + out + "\n\nstderr:\n" + err;
}

/// Any exit code but 0 is a failure, so that PostToolUseFailure hooks see it.
ToolFailure failure_of(const Ending& ending) {
  if (std::holds_alternative<TimedOut>(ending)) return ToolFailure::TimedOut;
  if (std::holds_alternative<Cancelled>(ending)) return ToolFailure::Interrupted;
  const auto* exited = std::get_if<Exited>(&ending);
  return exited != nullptr && exited->code == 0 ? ToolFailure::None : ToolFailure::Failed;
}

/// The result for hooks, which need the streams and the exit code separately. A command that a signal or the timeout
/// ended has no exit code.
Json data_of(const RunOutcome& outcome, size_t max_output) {
  const auto* exited = std::get_if<Exited>(&outcome.ending);
  return Json::object({{"exit_code", exited == nullptr ? Json::null() : Json::number(int64_t{exited->code})},
                       {"stdout", Json::string(cut_middle(outcome.out.bytes, max_output))},
                       {"stderr", Json::string(cut_middle(outcome.err.bytes, max_output))}});
}

/// What the model has to know about the sandbox, so that it does not try the same again.
std::string sandbox_note(const RunOutcome& outcome) {
  const HookContainment& contained = outcome.contained;
  if (!contained.not_enforced.empty()) return "\n[It ran without the sandbox: " + contained.not_enforced + "]";
  const std::vector<std::string> refused = refusals_of(outcome);
  if (refused.empty()) return "";
  return "\n[The command ran in a sandbox: " + contained.sandbox + ". It was refused: " + refused.front() +
         ". Trying again will not help; say what you need, and the person can allow it.]";
}

ToolResult run_shell(const Json& input, const ToolContext& context) {
  auto cwd = path_argument(input, "cwd", context);
  if (!cwd) return failure(cwd.error());
  const RunOutcome outcome = run(child_for(input, context, *std::move(cwd)), context.cancel);
  ToolResult result = answer(text_of(outcome), context, data_of(outcome, context.max_output));
  result.failure = failure_of(outcome.ending);
  if (!result.success()) {
    // Added after the output was cut, so that the model always reads how the command ended.
    result.text = describe(outcome.ending) + (result.text.empty() ? "" : "\n" + result.text);
  } else if (result.text.empty()) {
    result.text = "(no output)";
  }
  result.text += sandbox_note(outcome);
  return result;
}

}  // namespace

Tool make_shell_tool() {
  return make_tool(ToolKind::Shell,
                   "Runs a command line with bash in the workspace and returns its output and exit code. No state "
                   "carries over to the next call, so chain commands that belong together. It has no input and no "
                   "terminal.",
                   kShellSchema, run_shell);
}

}  // namespace grapnel::agent
