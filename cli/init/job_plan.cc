#include "cli/init/job_plan.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "cli/console.h"
#include "cli/verbs/new_rule.h"
#include "discover/formats/rule_file.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxFile = size_t{16} << 20;
constexpr mode_t kScript = 0755;
constexpr std::string_view kVersionLine = "version: 1\n";

/// The content of a file, or nothing when it does not exist. Fails: Refused, System.
Result<std::optional<std::string>> content_of(const std::string& path) {
  auto text = os::read_file(path, kMaxFile);
  if (text) return std::move(*text);
  if (text.error().code == Errc::NotFound) return std::nullopt;
  return std::unexpected(text.error());
}

/// A cloned project may contain links; nothing may be written through them into other directories. The nearest
/// part of the path that exists is the one to look at.
Result<void> check_inside(const std::string& path, const std::string& inside) {
  namespace fs = std::filesystem;
  if (inside.empty()) return {};
  std::error_code error;
  fs::path above = path;
  while (!fs::exists(fs::symlink_status(above, error)) && above.has_relative_path()) above = above.parent_path();
  const std::string real = canonical_directory(above) + "/";
  if (real.starts_with(canonical_directory(inside) + "/")) return {};
  return fail(Errc::Refused, short_path(above) + " leads to " + real.substr(0, real.size() - 1) +
                                 ", outside of the project; nothing was written");
}

/// In the user's own directory there is no project around a test, so the test names the rule file.
std::string text_for(const JobFile& file, Scope scope) {
  const std::string text(file.text);
  if (scope != Scope::User || !file.path.starts_with("tests/") || !text.starts_with(kVersionLine)) return text;
  return std::string(kVersionLine) + "hooks: [{file: ../grapnel.yaml}]\n" + text.substr(kVersionLine.size());
}

/// Adds a test or a script to the plan. A file of the same name may have been changed by its owner, so it is kept.
Result<void> plan_file(const JobFile& file, const JobTarget& target, JobPlan& plan) {
  const std::string path = std::filesystem::path(target.rule_file).parent_path() / file.path;
  if (auto ok = check_inside(path, target.inside); !ok) return ok;
  const auto now = content_of(path);
  if (!now) return std::unexpected(now.error());
  const std::string text = text_for(file, target.scope);
  if (!*now) {
    plan.files.push_back({path, text, text.starts_with("#!") ? kScript : mode_t{0644}, false});
  } else if (**now != text) {
    plan.kept.push_back(path);
  }
  return {};
}

/// Adds the rules that the file does not have yet.
Result<void> plan_rules(const std::vector<const Job*>& jobs, const JobTarget& target, JobPlan& plan) {
  if (auto ok = check_inside(target.rule_file, target.inside); !ok) return ok;
  const auto now = content_of(target.rule_file);
  if (!now) return std::unexpected(now.error());
  const std::string before = now->value_or("");
  const RuleFile known = read_rules(before, {Scope::User, target.rule_file, std::nullopt});
  std::string entries;
  for (const Job* job : jobs) {
    for (const JobRule& rule : job->rules) {
      const bool is_there = std::ranges::find(known.hooks, rule.name, &HookSpec::name) != known.hooks.end();
      (is_there ? plan.there : plan.added).push_back(rule.name);
      if (!is_there) entries += (entries.empty() ? "" : "\n") + rule.text;
    }
  }
  if (entries.empty()) return {};
  auto after = add_entries(before, entries, short_path(target.rule_file));
  if (!after) return std::unexpected(after.error());
  plan.files.push_back({target.rule_file, std::move(*after), 0644, now->has_value()});
  return {};
}

}  // namespace

Result<JobPlan> plan_jobs(const std::vector<const Job*>& jobs, const JobTarget& target) {
  JobPlan plan;
  for (const Job* job : jobs) {
    for (const JobFile* file : job->files) {
      if (auto ok = plan_file(*file, target, plan); !ok) return std::unexpected(ok.error());
    }
  }
  if (auto ok = plan_rules(jobs, target, plan); !ok) return std::unexpected(ok.error());
  return plan;
}

Result<void> write_jobs(const JobPlan& plan) {
  for (const PlannedFile& file : plan.files) {
    if (auto made = os::make_parent_dirs(file.path, 0755); !made) return made;
    // A file that exists belongs to a person and keeps its mode; it may be a link to a shared place.
    auto written =
        file.exists ? os::rewrite_file(file.path, file.text) : os::write_file_atomic(file.path, file.text, file.mode);
    if (!written) return written;
  }
  return {};
}

}  // namespace grapnel::cli
