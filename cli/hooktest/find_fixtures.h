#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "base/environment.h"
#include "cli/hooktest/fixture.h"

/// Finds test files, and the project that each of them is about.
namespace grapnel::cli {

/// A test file and where it was found.
struct FoundFixture {
  std::string path;
  std::string root;  ///< the directory that the user named, with links resolved
};

/// The test files below a directory, sorted, without those in packages and in `.git`; or the one file that is named.
/// Fails: BadInput when there is no file or directory of that name.
Result<std::vector<FoundFixture>> find_fixtures(const std::string& named);

/// The project whose hooks a fixture tests.
struct ProjectUnderTest {
  std::string directory;
  bool is_trusted = false;  ///< it is in a directory that the user named
};

/// The project that the fixture names, or else the nearest directory with hook files, from the fixture's own directory
/// upwards. The project is trusted if it is in one of the directories that the user named: running tests runs hooks,
/// and naming a directory says that its hooks may run. Fails: BadInput when there is no such directory.
Result<ProjectUnderTest> project_under_test(const Fixture& fixture, const std::vector<std::string>& named,
                                            const Environment& env);

/// The existing hook files of a project itself.
std::vector<std::string> hook_files_of(const std::string& project, const Environment& env);

/// Whether a path is the directory or below it. Both must have their links resolved.
bool is_inside(const std::string& path, const std::string& directory);

}  // namespace grapnel::cli
