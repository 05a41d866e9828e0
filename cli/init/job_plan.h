#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "grapnel/error.h"

#include "cli/init/job.h"
#include "model/hook_spec.h"

namespace grapnel::cli {

/// Where the rules go: the directory of the rule file, with `tests` and `scripts` beside it.
struct JobTarget {
  std::string rule_file;
  Scope scope = Scope::Project;
  std::string inside;  ///< nothing is written outside of this directory, also not through links; "" for anywhere
};

/// One file to write.
struct PlannedFile {
  std::string path;
  std::string text;
  mode_t mode = 0644;
  bool exists = false;
};

/// What has to be done. Making it changes nothing.
struct JobPlan {
  std::vector<PlannedFile> files;  ///< that are missing or changed; the rule file is the last
  std::vector<std::string> kept;   ///< files that exist with another content; they stay as they are
  std::vector<std::string> added;  ///< names of rules
  std::vector<std::string> there;  ///< names of rules that the file already has; they stay as they are
};

/// Plans the jobs. Rules that the file already has, by their names, are not added again, and everything else in the
/// file stays as it is, byte for byte. Fails: BadConfig when the file has mistakes or nothing can be appended to it;
/// Refused when a path leads out of the target; System.
Result<JobPlan> plan_jobs(const std::vector<const Job*>& jobs, const JobTarget& target);

/// Writes the files, the rule file last, so that no rule names a script that does not exist yet. Fails: Refused,
/// System.
Result<void> write_jobs(const JobPlan& plan);

}  // namespace grapnel::cli
