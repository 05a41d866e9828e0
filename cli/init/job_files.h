#pragma once

#include <span>
#include <string_view>

namespace grapnel::cli {

/// A file of one of the jobs in examples/rules. The build writes the table (cmake/embed.cmake), so the examples, which
/// are tested as projects of their own, are the only source of these texts.
struct JobFile {
  std::string_view job;   ///< `stop-destruction`
  std::string_view path;  ///< below `.agents`: `grapnel.yaml`, `scripts/format`, `tests/….hooktest.yaml`
  std::string_view text;
};

/// All files, job by job, in the order in which people see the jobs.
std::span<const JobFile> job_files();

}  // namespace grapnel::cli
