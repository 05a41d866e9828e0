#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/case.h"
#include "dialect/dialect.h"

/// `docs/dialects/`: what the tables of a dialect say, for people who write hooks.
namespace grapnel::conformance {

/// The page about one dialect; its deviations come from the cases.
std::string write_dialect_page(const Dialect& dialect, const std::vector<Case>& cases);

/// `docs/dialects/README.md`: every dialect in a line.
std::string write_dialect_index();

/// The parts of a page, each with its heading; "" where a dialect has nothing to say.
std::string write_files(const Dialect& dialect);
std::string write_entries(const Dialect& dialect);
std::string write_events(const Dialect& dialect);
std::string write_inputs(const Dialect& dialect);
std::string write_outputs(const Dialect& dialect);
std::string write_process(const Dialect& dialect);
std::string write_tools(const Dialect& dialect);
/// Only for the canonical dialect: what every agent calls its events, and which events have which fields.
std::string write_names_everywhere(const Dialect& dialect);

}  // namespace grapnel::conformance
