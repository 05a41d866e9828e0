#pragma once

#include <chrono>
#include <span>
#include <stop_token>
#include <string_view>

#include "grapnel/error.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// Delegated tasks: `grapnel` starts `grapnel-agent` to do them, because only that program links a network library.
///
///   grapnel-agent --task NAME < task.json > answer.json
///
///   answer = {"done": …} | {"failed": "refused" | "unavailable" | …, "message": "…"}
///
/// The task is sent on standard input, where no other process can read it; a command line would be visible to all. The
/// program is supervised like any child of a hook.
namespace grapnel::cli {

inline constexpr std::string_view kTaskOption = "--task";

struct TaskLimits {
  std::chrono::milliseconds timeout{0};
  size_t max_answer = 0;  ///< bytes
};

/// Runs one task and waits for its end. Fails: with the error of the task; NotFound when the program is not installed,
/// Unavailable when it did not answer.
Result<Json> delegate_task(std::string_view name, const Json& task, const TaskLimits& limits, const Environment& env,
                           const std::stop_token& cancel);

/// A row of the table in `grapnel-agent`: a task and the function that does it.
struct DelegatedTask {
  std::string_view name;
  Result<Json> (*run)(const Json& task, const Environment& env);
};

/// Reads the task from standard input, does it and writes the answer. Returns the exit status of the program.
int run_delegated_task(std::string_view name, std::span<const DelegatedTask> table, const Environment& env);

/// The result in an answer. Fails: with the error of the task.
Result<Json> read_task_answer(std::string_view text);
std::string write_task_answer(const Result<Json>& answer);

}  // namespace grapnel::cli
