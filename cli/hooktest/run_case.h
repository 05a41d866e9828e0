#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/environment.h"
#include "cli/hooktest/expectation.h"
#include "cli/hooktest/find_fixtures.h"
#include "cli/hooktest/fixture.h"

namespace grapnel::cli {

/// An expectation that does not hold.
struct Mismatch {
  const Expectation* expectation = nullptr;
  std::string step;
  Json got;
};

/// A step that nothing is expected of, and what could be.
struct Unexpecting {
  const Step* step = nullptr;
  std::vector<std::pair<std::string, Json>> worth;
};

/// How a case ended.
struct CaseResult {
  const Fixture* fixture = nullptr;
  const Case* test = nullptr;
  std::string error;  ///< why it could not be run, or ""
  SourcePos error_at;
  std::vector<Mismatch> mismatches;
  std::vector<Unexpecting> unexpecting;
  std::chrono::microseconds took{0};

  bool passed() const { return error.empty() && mismatches.empty() && unexpecting.empty(); }
};

/// A case and where its hooks come from.
struct CaseToRun {
  const Fixture* fixture = nullptr;
  const Case* test = nullptr;
  ProjectUnderTest project;
  std::vector<std::string> named;  ///< directories whose hooks may run
};

/// Runs the events of each case, one after the other, each by an engine of its own as `grapnel fire` does. So many
/// cases as `threads` (at least 1) at a time; results come in the order of the cases.
std::vector<CaseResult> run_cases(const std::vector<CaseToRun>& runs, const Environment& env, size_t threads);

}  // namespace grapnel::cli
