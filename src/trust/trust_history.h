#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grapnel/error.h"

#include "model/hook_spec.h"

/// What hooks were when they were trusted, so that a person who is asked again sees what is different.
///
/// Nothing is decided by it: what may run is in the trust store alone. One file per project beside that store, read
/// only by commands that show trust.
namespace grapnel {

/// A file as it was trusted.
struct PinnedFile {
  std::string path;
  std::string digest;
  std::optional<std::string> text;  ///< of small text files. Limit: 64 KiB each
};

/// A hook as it was trusted.
struct PinnedHook {
  std::string name;
  std::string digest;
  std::string definition;
  std::vector<PinnedFile> files;
};

/// The hook and its files as they are now.
PinnedHook pin(const HookSpec& hook, const std::string& project_dir);

class TrustHistory {
 public:
  /// Beside the trust store at that path.
  explicit TrustHistory(const std::string& store_path);

  /// What was trusted last; empty when nothing is known. Fails: Refused, BadInput, System.
  Result<std::vector<PinnedHook>> load(const std::string& project_dir) const;
  /// Replaces it; nothing forgets the project. Fails as `load` does.
  Result<void> save(const std::string& project_dir, const std::vector<PinnedHook>& hooks) const;

 private:
  std::string path_of(const std::string& project_dir) const;

  std::string directory_;
};

/// The hook of that name as it was trusted, when it was something else then; null otherwise.
const PinnedHook* changed_from(const std::vector<PinnedHook>& before, const HookSpec& hook);

/// What is different, as unified diffs: of the definition, and of each file or at least that it is another one.
std::string differences(const PinnedHook& before, const PinnedHook& now, const std::string& project_dir);

}  // namespace grapnel
