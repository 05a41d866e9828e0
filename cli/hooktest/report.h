#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/hooktest/run_case.h"

namespace grapnel::cli {

using CaseResults = std::vector<CaseResult>;

/// For people: every case, and of those that failed what was expected where, and what happened.
std::string text_report(const CaseResults& results, const Console& console);
/// Test Anything Protocol, version 13.
std::string tap_report(const CaseResults& results);
/// JUnit's XML as CI servers read it: a suite for each file.
std::string junit_report(const CaseResults& results);
Json json_report(const CaseResults& results);

}  // namespace grapnel::cli
