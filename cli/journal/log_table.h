#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/journal/journal_verbs.h"
#include "cli/table.h"

namespace grapnel::cli {

/// The lines of `grapnel log`, one for each record. A line with the day and the project stands above the first event of
/// each day and project, so that these take no room in every line:
///
///   2026-01-31  ~/src/app
///   10:30:05  3f9a1c2d  deny  Bash  git push --force origin  no-force-push: Force pushes need a human.
///
/// The table remembers the last day and project, so that `--follow` can go on with it.
/// The cells of one line.
std::vector<Cell> log_row(const Json& record, const std::string& time, const std::string& id);

class LogTable {
 public:
  LogTable(const Console& console, Zone zone) : console_(console), zone_(zone) {}

  std::string lines_of(const std::vector<JournalEntry>& entries, JournalReader& journal);

 private:
  const Console& console_;
  Zone zone_;
  std::string place_;  ///< the last line of the day and the project
};

}  // namespace grapnel::cli
