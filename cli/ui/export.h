#pragma once

#include <string>

#include "base/environment.h"
#include "history/journal_reader.h"

namespace grapnel::cli {

/// One HTML file with the events that fit the query and what `grapnel why` says about each: to attach to a report or a
/// review. It needs nothing else, loads nothing and runs nothing. The newest events are in it if there are too many.
/// Fails: System, BadInput.
Result<std::string> export_html(JournalReader& reader, const JournalQuery& query);

}  // namespace grapnel::cli
