#include "cli/delegated_task.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/agent_command.h"
#include "cli/command.h"
#include "cli/helper_program.h"
#include "os/cancel.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

/// A limit on what is read from standard input; a task holds at most one hook's request or question.
constexpr size_t kMaxTask = size_t{64} << 20;
/// `max_answer` limits the text inside an answer. The JSON around it may be larger: escaping turns one byte into up to
/// six (`\u0000`), and the object and a message need some room as well.
constexpr size_t kMaxAround = size_t{16} << 10;
constexpr size_t kMaxEscape = 6;
/// The program enforces the time limit itself; the extra time is for one that fails to do so.
constexpr std::chrono::seconds kSlack{2};

/// A row pairs an error code with its word in an answer. A code without a row becomes "unavailable" on the way.
struct CodeRow {
  Errc code;
  std::string_view word;
};
constexpr auto kCodes = std::to_array<CodeRow>({
    {Errc::Unavailable, "unavailable"},
    {Errc::Refused, "refused"},
    {Errc::LimitExceeded, "limit"},
    {Errc::BadInput, "input"},
    {Errc::NotFound, "not found"},
});

std::string_view word_for(Errc code) {
  const auto found = std::ranges::find(kCodes, code, &CodeRow::code);
  return found == kCodes.end() ? kCodes.front().word : found->word;
}

Errc code_for(std::string_view word) {
  const auto found = std::ranges::find(kCodes, word, &CodeRow::word);
  return found == kCodes.end() ? Errc::Unavailable : found->code;
}

Result<std::string> read_task() {
  std::string text;
  std::vector<char> buffer(size_t{64} << 10);  // not on the stack, which may be as small as that
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("cannot read the task");
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<size_t>(count));
    if (text.size() > kMaxTask) return fail(Errc::LimitExceeded, "the task is too long");
  }
}

/// Finds the task by its name, reads its description from standard input and runs it.
Result<Json> do_task(std::string_view name, std::span<const DelegatedTask> table, const Environment& env) {
  const auto found = std::ranges::find(table, name, &DelegatedTask::name);
  if (found == table.end()) return fail(Errc::BadInput, "there is no delegated task '" + std::string(name) + "'");
  auto text = read_task();
  if (!text) return std::unexpected(text.error());
  const auto task = Json::parse(std::move(*text));
  if (!task) return std::unexpected(task.error());
  return found->run(*task, env);
}

/// False when the answer could not be written; `grapnel` then sees an incomplete answer and a failed program.
bool write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

std::string write_task_answer(const Result<Json>& answer) {
  if (answer) return Json::object({{"done", *answer}}).dump();
  return Json::object({{"failed", Json::string(word_for(answer.error().code))},
                       {"message", Json::string(text::to_valid_utf8(answer.error().message))}})
      .dump();
}

Result<Json> read_task_answer(std::string_view text) {
  const auto answer = Json::parse(std::string(text));
  if (!answer || !answer->is_object()) return fail(Errc::Unavailable, "the answer to a delegated task cannot be read");
  if (const auto word = (*answer)["failed"].as_string()) {
    return fail(code_for(*word), (*answer)["message"].as_string().value_or(""));
  }
  return (*answer)["done"];
}

int run_delegated_task(std::string_view name, std::span<const DelegatedTask> table, const Environment& env) {
  return write_all(write_task_answer(do_task(name, table, env))) ? kOk : kInternal;
}

Result<Json> delegate_task(std::string_view name, const Json& task, const TaskLimits& limits, const Environment& env,
                           const std::stop_token& cancel) {
  const auto program = find_helper_program(env, kAgentProgram);
  if (!program) return std::unexpected(program.error());
  ChildSpec child;
  child.path = *program;
  child.argv = {std::string(kAgentProgram), std::string(kTaskOption), std::string(name)};
  child.env = env;
  child.stdin_bytes = std::make_shared<const std::string>(task.dump());
  child.timeout = limits.timeout + kSlack;
  // The engine cancels with a stop token, the supervisor with a descriptor that it can poll; this connects the two.
  const os::CancelSource source;
  const std::stop_callback forward(cancel, [&] { source.cancel(); });
  const ChildLimits held{.max_output = limits.max_answer * kMaxEscape + kMaxAround};
  const RunOutcome ended = run_children({&child, 1}, 1, held, source.token()).front();
  // A task that failed still exits with 0 and reports its error as JSON. Any other ending means that the program
  // crashed, was killed or could not do its work, and its standard error is the best explanation there is.
  const auto* exited = std::get_if<Exited>(&ended.ending);
  if (std::holds_alternative<Cancelled>(ended.ending)) return fail(Errc::Cancelled, "cancelled");
  if (exited == nullptr || exited->code != 0) {
    const std::string said(text::trim(text::to_valid_utf8(ended.err.bytes)));
    return fail(Errc::Unavailable, std::string(kAgentProgram) + ": " + describe(ended.ending) +
                                       (said.empty() ? "" : ": " + text::cap(said, 400)));
  }
  return read_task_answer(ended.out.bytes);
}

}  // namespace grapnel::cli
