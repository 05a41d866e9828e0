#pragma once

#include <chrono>
#include <span>
#include <stop_token>
#include <string_view>

#include "grapnel/error.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// Errands: what `grapnel` has `grapnel-agent` do, since only that program links a network library.
///
///   grapnel-agent --errand NAME < task.json > answer.json
///
///   answer = {"done": …} | {"failed": "refused" | "unavailable" | …, "message": "…"}
///
/// The task is on standard input, where nobody else can read it. The program is supervised like any child of a hook.
namespace grapnel::cli {

inline constexpr std::string_view kErrandOption = "--errand";

struct ErrandLimits {
  std::chrono::milliseconds timeout{0};
  size_t max_answer = 0;  ///< bytes
};

/// One errand from start to end. Fails: as the errand did; NotFound when the program is not installed, Unavailable when
/// it did not answer.
Result<Json> send_errand(std::string_view name, const Json& task, const ErrandLimits& limits, const Environment& env,
                         const std::stop_token& cancel);

/// A row of the table on the other side.
struct Errand {
  std::string_view name;
  Result<Json> (*run)(const Json& task, const Environment& env);
};

/// Reads the task, does it and writes the answer; the exit status of the program.
int run_errand(std::string_view name, std::span<const Errand> table, const Environment& env);

/// What was answered. Fails: as the errand did.
Result<Json> read_errand_answer(std::string_view text);
std::string write_errand_answer(const Result<Json>& answer);

}  // namespace grapnel::cli
