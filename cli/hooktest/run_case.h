#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/environment.h"
#include "cli/hooktest/expectation.h"
#include "cli/hooktest/find_fixtures.h"
#include "cli/hooktest/fixture.h"

/// Runs the cases of test files and collects how they ended. What to do with a mismatch is up to the caller: report it
/// (report.h) or write it into the file (update.h).
namespace grapnel::cli {

/// An expectation that does not hold.
struct Mismatch {
  const Expectation* expectation = nullptr;
  std::string step;
  Json got;
  std::string note = {};  ///< what explains the difference, or ""
};

/// A step without expectations, and what it could expect.
struct Unexpecting {
  const Step* step = nullptr;
  std::vector<std::pair<std::string, Json>> worth;
};

/// How a case ended.
struct CaseResult {
  const Fixture* fixture = nullptr;
  const Case* test = nullptr;
  std::string error;  ///< why the case could not be run, or ""
  SourcePos error_at;
  std::vector<Mismatch> mismatches;
  std::vector<Unexpecting> unexpecting;
  std::chrono::microseconds took{0};
  std::set<std::string> with_processes = {};  ///< hooks that started a program

  /// A step without expectations does not pass either: a test that expects nothing proves nothing.
  bool passed() const { return error.empty() && mismatches.empty() && unexpecting.empty(); }
};

/// A case and where its hooks come from.
struct CaseToRun {
  const Fixture* fixture = nullptr;
  const Case* test = nullptr;
  ProjectUnderTest project;
  std::vector<std::string> named;  ///< the directories whose hooks may run
};

/// Runs the events of each case in order, each with an engine of its own, as `grapnel fire` does. Up to `threads` cases
/// (at least 1) run at a time. The results are in the order of the cases. `sandboxes` narrow hooks further
/// (`SafetyOptions::sandboxes`).
using CaseResults = std::vector<CaseResult>;
CaseResults run_cases(const std::vector<CaseToRun>& runs, const Environment& env, size_t threads,
                      const std::map<std::string, std::string>& sandboxes = {});

}  // namespace grapnel::cli
