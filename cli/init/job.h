#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "cli/init/job_files.h"

/// `grapnel init` writes rules for common jobs, so that nobody has to start with an empty file.
///
///   job_files.h  the texts, which are those of examples/rules
///   job.h        a job: its rules, its tests and its scripts
///   job_plan.h   what has to be written where, without touching what is there
///   menu.h       the questions on a terminal
namespace grapnel::cli {

/// One rule as it is written in the job's rule file, with the comment above it.
struct JobRule {
  std::string name;
  std::string text;  ///< lines of the list, indented by two columns
};

/// One job.
struct Job {
  std::string_view name;  ///< `stop-destruction`
  std::string title;      ///< `Stop destructive commands`
  std::string promise;    ///< what holds once it is there: `deleting trees, losing commits, dropping data`
  std::vector<JobRule> rules;
  std::vector<const JobFile*> files;  ///< tests and scripts
};

/// All jobs, in the order in which people see them.
const std::vector<Job>& all_jobs();

/// The jobs of a list of names with commas between them, each once, in the order of `all_jobs`. `all` means all of
/// them. Fails: BadInput, with the nearest name.
Result<std::vector<const Job*>> jobs_named(const std::vector<std::string>& lists);

/// All jobs with their numbers, for people.
std::string jobs_text();

}  // namespace grapnel::cli
