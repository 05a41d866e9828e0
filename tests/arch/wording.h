#pragma once

#include "arch/source_tree.h"

namespace arch {

/// Agents' spellings of events belong to `src/dialect` and `src/bridge`: there they are rows, elsewhere they would be
/// an `if` about one agent. The names are taken from the tables: a word of another agent may stand in no string
/// literal, a canonical one may not be a literal of its own outside `src/model`. `files` has to include the tables.
Findings check_event_names(const std::vector<SourceFile>& files);

}  // namespace arch
