#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "base/environment.h"
#include "cli/hooktest/fixture.h"

namespace grapnel::cli {

/// A test file and where it was found.
struct FoundFixture {
  std::string path;
  std::string root;  ///< the directory the user named, by its true name
};

/// The test files of a directory, sorted, hidden directories and those of packages left out; or the one that is named.
/// Fails: BadInput when there is nothing of that name.
Result<std::vector<FoundFixture>> find_fixtures(const std::string& named);

/// The project whose hooks a fixture tests.
struct ProjectUnderTest {
  std::string directory;
  bool is_trusted = false;  ///< it lies in the directory that the user named
};

/// What the fixture says, or the nearest directory with hook files from the fixture's own upwards. It is trusted when
/// it lies in one of the directories that the user named: whoever runs tests runs the hooks, and whoever names a
/// directory says that its hooks may run. Fails: BadInput when there is no such directory.
Result<ProjectUnderTest> project_under_test(const Fixture& fixture, const std::vector<std::string>& named,
                                            const Environment& env);

/// The places of a project's own hook files that are there.
std::vector<std::string> hook_files_of(const std::string& project, const Environment& env);

bool is_inside(const std::string& path, const std::string& directory);

}  // namespace grapnel::cli
