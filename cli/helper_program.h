#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "cli/command.h"

/// Starts our other programs, `grapnel-agent`, `grapnel-journal` and `grapnel-ui`.
///
/// They are separate programs because they link large libraries (network, SQLite, HTTP), which would slow down the
/// start of `grapnel` at every event.
namespace grapnel::cli {

/// The path of one of our programs: in the directory of this program, or else in PATH. Fails: NotFound.
Result<std::string> find_helper_program(const Environment& env, std::string_view program);

/// How one of our programs ended, and what it printed.
struct HelperAnswer {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs one of our programs several times at once, with these words. Fails: NotFound when it is not installed;
/// Unavailable when one does not end by itself in time.
Result<std::vector<HelperAnswer>> ask_helper_program(const Environment& env, std::string_view program,
                                                     const std::vector<std::vector<std::string>>& words,
                                                     std::chrono::milliseconds patience);

/// Runs one of our programs and returns what it prints. Fails: NotFound when it is not installed; Unavailable, with its
/// error message, when it fails or takes too long.
Result<std::string> run_helper_program(const Environment& env, std::string_view program, std::vector<std::string> words,
                                       std::chrono::milliseconds patience);

/// Replaces this process with one of our programs. Returns only when that is not possible, after printing why.
int become_helper_program(Invocation& in, std::string_view program, std::vector<std::string> words);

}  // namespace grapnel::cli
