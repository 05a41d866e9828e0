#include <algorithm>
#include <charconv>
#include <deque>
#include <functional>
#include <set>
#include <thread>

#include "base/text.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/hooktest/find_fixtures.h"
#include "cli/hooktest/report.h"
#include "cli/hooktest/run_case.h"
#include "cli/hooktest/suggest_sandbox.h"
#include "cli/hooktest/update.h"
#include "match/regex.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace {

// `grapnel test` first reads all files, then runs all cases, and then reports the results or updates the files.

constexpr auto kTestArguments = std::to_array<ArgumentRow>({
    {"DIR", "where the tests are, or one of them (default: the current directory)", ValueKind::Fixture, false, true},
});
constexpr auto kTestOptions = std::to_array<OptionRow>({
    {"--filter", "-f", "TEXT", "only cases with TEXT in their name; /TEXT/ is a regular expression", ValueKind::Text},
    {"--jobs", "-j", "N", "how many cases run at the same time (default: one for each processor)", ValueKind::Text},
    {"--project", "-p", "DIR", "the hooks of DIR may run as well", ValueKind::Directory},
    {"--suggest-sandbox", "", "", "print the narrowest sandbox of each hook with which the cases still pass"},
    {"--update", "-u", "", "write what happens into the files as what is expected"},
    {"--tap", "", "", "print TAP"},
    {"--junit", "", "FILE", "also write JUnit XML to FILE", ValueKind::File},
    kJsonOption,
});

constexpr size_t kMaxFixture = size_t{16} << 20;
constexpr size_t kMaxJobs = 256;

/// All test files that were found, and the cases to run.
struct Suite {
  std::deque<Fixture> fixtures;  ///< a deque, because the cases point into it
  std::vector<CaseToRun> runs;
  size_t unusable = 0;              ///< files with mistakes
  std::set<std::string> untrusted;  ///< projects whose hooks will not run
};

/// How many cases run at the same time. Fails: BadInput.
Result<size_t> jobs_of(const Arguments& args) {
  if (!args.has("--jobs")) return std::max(1U, std::thread::hardware_concurrency());
  const std::string text = args.text("--jobs");
  size_t jobs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), jobs);
  if (error != std::errc() || end != text.data() + text.size() || jobs == 0 || jobs > kMaxJobs) {
    return std::unexpected(Error{Errc::BadInput, "option --jobs needs a number from 1 to 256", std::nullopt, 0});
  }
  return jobs;
}

/// A function that says whether a case of that name is to be run. Without `--filter` every name is accepted. Fails:
/// BadInput.
Result<std::function<bool(const std::string&)>> filter_of(const Arguments& args) {
  const std::string text = args.text("--filter");
  if (text.size() < 2 || !text.starts_with('/') || !text.ends_with('/')) {
    return [text](const std::string& name) { return name.find(text) != std::string::npos; };
  }
  auto regex = match::Regex::compile(text.substr(1, text.size() - 2), match::Regex::Anchor::Search);
  if (!regex) {
    return std::unexpected(Error{Errc::BadInput, "--filter: " + regex.error().message, std::nullopt, 0});
  }
  return [regex = std::move(*regex)](const std::string& name) { return regex.match(name) == MatchOutcome::Yes; };
}

void report_problems(Console& console, const std::vector<ConfigProblem>& problems) {
  for (const ConfigProblem& problem : problems) {
    console.say(place_text(problem.at) + ": " + printable(problem.message) +
                (problem.hint.empty() ? "" : "; " + printable(problem.hint)));
  }
}

/// Reads one file and adds its cases. A file that cannot be used is reported and counted; the others still run.
void add_fixture(Invocation& in, const FoundFixture& found, std::vector<std::string> named, Suite& suite,
                 const std::function<bool(const std::string&)>& is_meant) {
  auto text = os::read_file(found.path, kMaxFixture);
  FixtureReading reading = read_fixture(found.path, text.value_or(""));
  // A file that cannot be read is reported like one with mistakes.
  if (!text) reading.problems = {{ConfigProblem::Severity::Error, text.error().message, {found.path, 0, 0}, ""}};
  // The directory in which the file was found is one that the user named, so its hooks may run.
  named.push_back(found.root);
  auto project = project_under_test(reading.fixture, named, in.env);
  if (!project)
    reading.problems.push_back({ConfigProblem::Severity::Error, project.error().message, {found.path, 1, 1}, ""});
  if (!reading.problems.empty()) {
    report_problems(in.console, reading.problems);
    ++suite.unusable;
    return;
  }
  if (!project->is_trusted && !hook_files_of(project->directory, in.env).empty()) {
    suite.untrusted.insert(project->directory);
  }
  const Fixture& fixture = suite.fixtures.emplace_back(std::move(reading.fixture));
  for (const Case& test : fixture.cases) {
    if (is_meant(test.name)) suite.runs.push_back({&fixture, &test, *project, named});
  }
}

/// Finds and reads all test files. Fails: BadInput.
Result<Suite> load_suite(Invocation& in) {
  const auto is_meant = filter_of(in.args);
  if (!is_meant) return std::unexpected(is_meant.error());
  std::vector<std::string> also;
  Suite suite;
  std::vector<std::string> named = in.args.all("DIR");
  // Whoever starts the tests in a part of a project means the project.
  if (in.args.has("--project") || named.empty()) {
    const auto project = project_dirs(in);
    if (!project) return std::unexpected(project.error());
    also.push_back(canonical_directory(project->root));
  }
  if (named.empty()) named.emplace_back(".");
  for (const std::string& path : named) {
    const auto found = find_fixtures(path);
    if (!found) return std::unexpected(found.error());
    for (const FoundFixture& fixture : *found) add_fixture(in, fixture, also, suite, *is_meant);
  }
  for (const std::string& project : suite.untrusted) {
    const std::string name = printable(short_path(project));
    in.console.say("the hooks of " + name + " do not run, because you did not name that project; add --project " +
                   name);
  }
  return suite;
}

/// What writing the results into the files came to.
struct Updates {
  std::vector<std::string> written;
  size_t failures = 0;
};

/// Writes the actual results into the files.
Updates update_files(Invocation& in, const Suite& suite, const CaseResults& results) {
  Updates out;
  for (const Fixture& fixture : suite.fixtures) {
    const bool has_changes = std::ranges::any_of(results, [&](const CaseResult& result) {
      return result.fixture == &fixture && !(result.mismatches.empty() && result.unexpecting.empty());
    });
    if (!has_changes) continue;
    const std::string name = printable(short_path(fixture.path));
    auto text = updated_fixture(fixture, results);
    Result<void> written;
    if (text) written = os::write_file_atomic(fixture.path, *text, 0644);
    if (text && written) {
      out.written.push_back(fixture.path);
      if (!in.args.has("--json")) in.console.out("updated " + name + "\n");
    } else {
      in.console.say(name + ": " + printable(text ? written.error().message : text.error().message));
      ++out.failures;
    }
  }
  return out;
}

/// Prints the report. A file that could not be read is worse than a case that failed, so it decides the exit status.
int print_results(Invocation& in, const Suite& suite, const CaseResults& results, const Updates& updates = {}) {
  if (in.args.has("--json")) {
    std::vector<Json> updated;
    for (const std::string& path : updates.written) updated.push_back(Json::string(path));
    const Json json = json_report(results).with("updated", updated.empty() ? Json() : Json::array(updated));
    in.console.out(json.dump(JsonStyle::Pretty) + "\n");
  } else if (in.args.has("--tap")) {
    in.console.out(tap_report(results));
  } else {
    in.console.out(text_report(results, in.console));
  }
  if (suite.unusable > 0) return kBadUsage;
  return std::ranges::all_of(results, &CaseResult::passed) ? kOk : kNo;
}

/// Prints lines for the user's settings, which take hooks of every format.
int suggest(Invocation& in, const Suite& suite, size_t jobs) {
  if (suite.unusable > 0) return kBadUsage;
  const auto found = suggest_sandboxes(suite.runs, in.env, jobs);
  if (!found) return report_input(in.console, found.error().message);
  if (in.args.has("--json")) {
    std::vector<std::pair<std::string, Json>> hooks;
    for (const SandboxSuggestion& one : *found) hooks.emplace_back(one.hook, Json::string(one.sandbox));
    in.console.out(Json::object({{"sandbox", Json::object(hooks)}}).dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  if (found->empty()) in.console.say("no case runs a program");
  if (!found->empty()) in.console.out("sandbox:\n");
  for (const SandboxSuggestion& one : *found) in.console.out("  " + printable(one.hook) + ": " + one.sandbox + "\n");
  return kOk;
}

int run_test(Invocation& in) {
  const auto jobs = jobs_of(in.args);
  if (!jobs) return report_input(in.console, jobs.error().message);
  auto suite = load_suite(in);
  if (!suite) return report_input(in.console, suite.error().message);
  // Finding nothing to run is an error, because it must not look like success.
  if (suite->runs.empty() && suite->unusable == 0) {
    return report_input(in.console,
                        in.args.has("--filter") ? "no case matches --filter" : "there is no *.hooktest.yaml file here");
  }
  if (in.args.has("--suggest-sandbox")) return suggest(in, *suite, *jobs);
  const CaseResults results = run_cases(suite->runs, in.env, *jobs);
  // The JUnit file is written in addition to the report on standard output.
  if (in.args.has("--junit")) {
    const auto written = os::write_file_atomic(in.args.text("--junit"), junit_report(results), 0644);
    if (!written) return report_input(in.console, written.error().message);
  }
  if (!in.args.has("--update")) return print_results(in, *suite, results);
  const Updates updates = update_files(in, *suite, results);
  const bool had_errors = std::ranges::any_of(results, [](const CaseResult& r) { return !r.error.empty(); });
  // A case that could not run cannot be updated either, so people have to see why.
  const int printed =
      had_errors || in.args.has("--json") ? print_results(in, *suite, results, updates) : static_cast<int>(kOk);
  if (had_errors) return printed;
  return suite->unusable > 0 ? kBadUsage : updates.failures > 0 ? kNo : kOk;
}

}  // namespace

const Command kTest{
    .name = "test",
    .summary = "run the tests of hooks",
    .about =
        "Runs the cases of *.hooktest.yaml files: each sends an event, or several, through the hooks, as `grapnel "
        "fire` would, and compares the verdict, its reason, context, rewrites and every hook's fate with what the "
        "file expects. A case has a scratch copy of the project and a scratch home; nothing of yours is touched, but "
        "the hooks do run: those of the directory you name are trusted for it, others are not. The exit status is 1 "
        "when a case fails and 2 when a file cannot be read.",
    .arguments = kTestArguments,
    .options = kTestOptions,
    .examples = R"(  grapnel test
  grapnel test tests/hooks --filter push
  grapnel test --update
  grapnel test --junit report.xml --jobs 4
)",
    .run = run_test,
};

}  // namespace grapnel::cli
