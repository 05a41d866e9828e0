#pragma once

#include <string>
#include <vector>

#include "arch/source_tree.h"

/// The walk of one event, as docs/architecture.md lists it, held against the sources.
///
/// The list is a block of code with one hop a line; a hop that is indented further than the one above is called by it:
///
///     cli/fire_event.cc: fire_event
///       src/engine/engine.cc: fire
///         src/plan/planner.cc: plan [plan]
///         src/engine/recheck.cc: recheck_guards again: ask
///
/// - `[stage]` names the stage of the line that is entered by this hop.
/// - `(by name)` says how the function is called where the caller does not name it: through a table, or in a process of
///   its own (`by exec`), which is believed.
/// - `again: a, b` admits that the function calls functions of stages that lie behind it.
namespace arch {

struct Hop {
  size_t line = 0;  ///< in the page
  size_t depth = 0;
  std::string path;
  std::string function;
  std::string by;
  std::string stage;
  std::vector<std::string> again;
};

/// The hops of the first block of code below `heading`. A line that cannot be read is a finding.
std::vector<Hop> read_hops(const SourceFile& page, std::string_view heading, Findings& findings);

/// Where the list does not say what the sources do, or where the sources do not go straight:
///
/// - a function is not defined in its file, or its caller does not call it;
/// - a stage is missing, comes twice or out of order, or a stage's folder is entered a second time or without naming a
///   stage; the folder of `event in` may be entered once more for `answer out`;
/// - the command line is entered between `discover` and `record`;
/// - a function calls one of a stage behind it without admitting it, or admits what it does not do.
///
/// `files` has the files the hops name.
Findings check_hops(const std::vector<Hop>& hops, const std::vector<SourceFile>& files, const std::string& page);

}  // namespace arch
