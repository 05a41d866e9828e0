#include "cli/ui/saved_cases.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "cli/hook_source.h"
#include "cli/hooktest/find_fixtures.h"
#include "dialect/payload.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxTestFile = size_t{16} << 20;
constexpr size_t kMaxChangedShown = 200;

/// Where tests may be. A home directory is no project: it is far too large to be searched.
std::vector<std::string> test_directories(const Environment& env) {
  const std::string project = find_project(absolute_path(".", ""), env.home()).root;
  std::vector<std::string> out;
  const std::string own = place_for(project, env, Scope::User, PlaceFormat::Rules);
  if (!own.empty()) out.push_back(fs::path(own).parent_path().string());
  const bool is_too_large = project == "/" || is_inside(absolute_path(env.home(), ""), project);
  if (!is_too_large) out.push_back(project);
  return out;
}

/// The verdict that a step expects; nothing if it expects none.
std::optional<Verdict> expected_verdict(const Step& step) {
  const auto row = std::ranges::find(step.expect, "verdict", &Expectation::name);
  if (row == step.expect.end()) return std::nullopt;
  for (const Verdict verdict : {Verdict::Pass, Verdict::Allow, Verdict::Ask, Verdict::Deny}) {
    if (row->want.equals_string(to_string(verdict))) return verdict;
  }
  return std::nullopt;
}

class SavedCases {
 public:
  SavedCases(const Environment& env, RuleTrial& trial) : env_(env), trial_(trial) {}

  /// A file with mistakes has no cases; `grapnel test` tells of them.
  void try_file(const std::string& path) {
    if (!seen_.insert(path).second) return;
    const auto text = os::read_file(path, kMaxTestFile);
    if (!text) return;
    const FixtureReading reading = read_fixture(path, *text);
    const auto project = project_under_test(reading.fixture, {}, env_);
    if (!reading.problems.empty() || !project) return;
    for (const Case& test : reading.fixture.cases) {
      if (test.setup.hooks) continue;
      ++case_number_;
      for (const Step& step : test.steps) try_step(reading.fixture, test, step, project->directory);
    }
  }

  Json to_json() const {
    return Json::object({{"tried", Json::number(tried_)},
                         {"cannot", Json::number(cannot_)},
                         {"changed_count", Json::number(changed_count_)},
                         {"changed", Json::array(changed_)}});
  }

 private:
  void try_step(const Fixture& fixture, const Case& test, const Step& step, const std::string& project) {
    const auto expected = expected_verdict(step);
    if (!expected) return;
    const auto event = event_of(step, project);
    if (!event) {
      ++cannot_;
      return;
    }
    ++tried_;
    const RuleTrial::Outcome outcome = trial_.decide(*event, project);
    // The strictest verdict wins, so milder rules change nothing.
    if (outcome.verdict <= *expected) return;
    ++changed_count_;
    if (changed_.size() < kMaxChangedShown) changed_.push_back(changed_json(fixture, test, step, *expected, outcome));
  }

  /// In a real project instead of a copy of it, because nothing is written or started.
  Result<Event> event_of(const Step& step, const std::string& project) const {
    std::string input = step.input;
    text::replace_all(input, "{project}", project);
    text::replace_all(input, "{home}", env_.home());
    const auto payload = Json::parse(std::move(input));
    if (!payload) return std::unexpected(payload.error());
    auto event = Event::from_native(step.dialect, *payload, step.event);
    if (!event) return event;
    // Steps of a case share a session, and cases do not.
    return with_field(*event, Field::SessionId, Json::string("saved-" + std::to_string(case_number_)));
  }

  static Json changed_json(const Fixture& fixture, const Case& test, const Step& step, Verdict expected,
                           const RuleTrial::Outcome& outcome) {
    return Json::object({{"file", Json::string(fixture.path)},
                         {"line", Json::number(int64_t{step.at.line})},
                         {"case", Json::string(test.name)},
                         {"step", step.name.empty() ? Json() : Json::string(step.name)},
                         {"expected", Json::string(to_string(expected))},
                         {"got", Json::string(to_string(outcome.verdict))},
                         {"by", outcome.by.empty() ? Json() : Json::string(outcome.by)}});
  }

  const Environment& env_;
  RuleTrial& trial_;
  std::set<std::string> seen_;  ///< a directory of tests may be found twice
  int64_t case_number_ = 0, tried_ = 0, cannot_ = 0, changed_count_ = 0;
  std::vector<Json> changed_;
};

}  // namespace

Result<Json> try_saved_cases(const Environment& env, RuleTrial& trial) {
  SavedCases cases(env, trial);
  for (const std::string& directory : test_directories(env)) {
    const auto found = find_fixtures(directory);
    if (!found) continue;  // there need not be such a directory
    for (const FoundFixture& fixture : *found) cases.try_file(fixture.path);
  }
  return cases.to_json();
}

}  // namespace grapnel::cli
