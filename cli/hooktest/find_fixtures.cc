#include "cli/hooktest/find_fixtures.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "discover/find/places.h"
#include "os/files.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSuffix = ".hooktest.yaml";
/// Packages may bring test files of their own, which are not about this project.
constexpr std::string_view kPackages = "node_modules";

/// Whether a directory is searched. Hidden directories are: agents keep hooks there, and tests may be next to them.
bool is_searched(const fs::path& directory) {
  const std::string name = directory.filename();
  return name != kPackages && name != ".git";
}

}  // namespace

bool is_inside(const std::string& path, const std::string& directory) {
  return path == directory || path.starts_with(directory == "/" ? directory : directory + "/");
}

// Directories that cannot be read are skipped, and an error in the middle ends the walk with what was found so far.
Result<std::vector<FoundFixture>> find_fixtures(const std::string& named) {
  std::error_code error;
  const fs::path path = fs::absolute(named, error).lexically_normal();
  // A file that is named directly may have any name; its directory counts as the one that the user named.
  if (fs::is_regular_file(path, error)) {
    return std::vector<FoundFixture>{{path.string(), canonical_directory(path.parent_path().string())}};
  }
  if (!fs::is_directory(path, error)) return fail(Errc::BadInput, "there is no file or directory " + named);
  const std::string root = canonical_directory(path.string());
  std::vector<FoundFixture> out;
  fs::recursive_directory_iterator walk(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    std::error_code ignored;
    if (walk->is_directory(ignored) && !is_searched(walk->path())) {
      walk.disable_recursion_pending();
    } else if (walk->path().filename().string().ends_with(kSuffix) && walk->is_regular_file(ignored)) {
      out.push_back({walk->path().string(), root});
    }
  }
  // The order of a directory differs between machines; reports should not.
  std::ranges::sort(out, {}, &FoundFixture::path);
  return out;
}

std::vector<std::string> hook_files_of(const std::string& project, const Environment& env) {
  std::vector<std::string> out;
  for (const HookFile& place : hook_file_places({.root = "/", .project_dir = project, .env = &env})) {
    // Places in the user's home or in managed directories do not make a directory a project.
    const bool is_own = place.scope == Scope::Project || place.scope == Scope::Local;
    if (is_own && is_inside(place.path, project) && os::stamp(place.path)) out.push_back(place.path);
  }
  return out;
}

Result<ProjectUnderTest> project_under_test(const Fixture& fixture, const std::vector<std::string>& named,
                                            const Environment& env) {
  const auto under_test = [&](const std::string& directory) {
    return ProjectUnderTest{directory,
                            std::ranges::any_of(named, [&](const auto& root) { return is_inside(directory, root); })};
  };
  const std::string own = canonical_directory(fs::path(fixture.path).parent_path().string());
  if (!fixture.project.empty()) {
    const std::string project = canonical_directory((fs::path(own) / fixture.project).lexically_normal().string());
    std::error_code error;
    if (!fs::is_directory(project, error))
      return fail(Errc::BadInput, "the project " + project + " is not a directory");
    return under_test(project);
  }
  // Like version control, which looks for its root upwards from where it is started.
  for (fs::path directory = own; directory != directory.parent_path(); directory = directory.parent_path()) {
    if (!hook_files_of(directory.string(), env).empty()) return under_test(directory.string());
  }
  return under_test(own);
}

}  // namespace grapnel::cli
