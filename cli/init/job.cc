#include "cli/init/job.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "cli/console.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kRuleFile = "grapnel.yaml";
constexpr std::string_view kEntry = "  - name: ";
constexpr std::string_view kHeading = "  # ";
constexpr size_t kNameColumn = 22;

/// Splits a rule file into its rules. The comment in front of the first rule is the heading of the job; it belongs to
/// that rule, so that it is written above it.
void take_rules(std::string_view text, Job& job) {
  std::string waiting;
  for (const std::string_view line : text::split(text, '\n')) {
    if (line.starts_with(kEntry)) {
      job.rules.push_back({std::string(line.substr(kEntry.size())), std::move(waiting) + std::string(line) + "\n"});
      waiting.clear();
    } else if (!job.rules.empty()) {
      if (!line.empty()) job.rules.back().text += std::string(line) + "\n";
    } else if (line.starts_with(kHeading)) {
      const std::string_view heading = line.substr(kHeading.size());
      const size_t colon = heading.find(": ");
      job.title = heading.substr(0, colon);
      job.promise = colon == std::string_view::npos ? "" : heading.substr(colon + 2);
      if (job.promise.ends_with('.')) job.promise.pop_back();
      waiting = std::string(line) + "\n";
    }
  }
}

std::vector<Job> read_jobs() {
  std::vector<Job> jobs;
  for (const JobFile& file : job_files()) {
    if (jobs.empty() || jobs.back().name != file.job) jobs.push_back({.name = file.job});
    if (file.path == kRuleFile) {
      take_rules(file.text, jobs.back());
    } else {
      jobs.back().files.push_back(&file);
    }
  }
  return jobs;
}

Result<const Job*> job_named(std::string_view name) {
  const std::vector<Job>& jobs = all_jobs();
  const auto found = std::ranges::find(jobs, name, &Job::name);
  if (found != jobs.end()) return &*found;
  std::vector<std::string_view> known;
  for (const Job& job : jobs) known.push_back(job.name);
  const std::string_view near = text::nearest(name, known);
  return fail(Errc::BadInput, "no job is called '" + printable(name) + "'" +
                                  (near.empty() ? "; `grapnel init --list` shows them"
                                                : "; did you mean '" + std::string(near) + "'?"));
}

}  // namespace

const std::vector<Job>& all_jobs() {
  static const std::vector<Job> kJobs = read_jobs();
  return kJobs;
}

Result<std::vector<const Job*>> jobs_named(const std::vector<std::string>& lists) {
  std::set<const Job*> wanted;
  for (const std::string& list : lists) {
    for (const std::string_view word : text::split(list, ',')) {
      const std::string_view name = text::trim(word);
      if (name == "all") {
        for (const Job& job : all_jobs()) wanted.insert(&job);
      } else if (!name.empty()) {
        const auto job = job_named(name);
        if (!job) return std::unexpected(job.error());
        wanted.insert(*job);
      }
    }
  }
  // The jobs are elements of one vector, so the order of their addresses is their order.
  return std::vector<const Job*>(wanted.begin(), wanted.end());
}

std::string jobs_text() {
  std::string out;
  size_t number = 0;
  for (const Job& job : all_jobs()) {
    const std::string left = std::to_string(++number);
    out += std::string(left.size() < 2 ? 1 : 0, ' ') + left + "  " + std::string(job.name) +
           std::string(kNameColumn - job.name.size(), ' ') + job.promise + "\n";
  }
  return out;
}

}  // namespace grapnel::cli
