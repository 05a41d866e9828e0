#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/hooktest/run_case.h"

/// The results of a test run in several formats.
namespace grapnel::cli {

/// For people: every case, and for failed ones what was expected, where, and what happened instead.
std::string text_report(const CaseResults& results, const Console& console);
/// Test Anything Protocol, version 13.
std::string tap_report(const CaseResults& results);
/// JUnit XML as CI servers read it, with one suite for each file.
std::string junit_report(const CaseResults& results);
/// For scripts.
Json json_report(const CaseResults& results);

}  // namespace grapnel::cli
