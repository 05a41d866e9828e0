#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grapnel/error.h"

#include "model/hook_spec.h"

/// Remembers what hooks looked like when they were trusted. If a hook has changed, a person who is asked to trust it
/// again sees the difference.
///
/// It decides nothing: only the trust store says what may run. There is one file per project, in a directory beside the
/// trust store, and only commands that show trust read it.
namespace grapnel {

/// A file as it was when it was trusted.
struct PinnedFile {
  std::string path;
  std::string digest;
  std::optional<std::string> text;  ///< the content of small text files. Limit: 64 KiB each
};

/// A hook as it was when it was trusted.
struct PinnedHook {
  std::string name;
  std::string digest;
  std::string definition;
  std::vector<PinnedFile> files;
  std::string source = {};  ///< the file that defines it, in the project; "" in histories of older versions
};

/// The hook and its files as they are now.
PinnedHook pin(const HookSpec& hook, const std::string& project_dir);

class TrustHistory {
 public:
  /// `store_path` is the path of the trust store.
  explicit TrustHistory(const std::string& store_path);

  /// The hooks that were trusted last; empty when nothing is known. Fails: Refused, BadInput, System.
  Result<std::vector<PinnedHook>> load(const std::string& project_dir) const;
  /// Replaces the project's hooks. An empty list removes the file. Fails like `load`.
  Result<void> save(const std::string& project_dir, const std::vector<PinnedHook>& hooks) const;

 private:
  std::string path_of(const std::string& project_dir) const;

  std::string directory_;
};

/// The hook of that name as it was trusted, if it has changed since then; otherwise null.
const PinnedHook* changed_from(const std::vector<PinnedHook>& before, const HookSpec& hook);

/// The differences as unified diffs, of the definition and of each file. For files whose text is not known, a line says
/// that they differ.
std::string differences(const PinnedHook& before, const PinnedHook& now, const std::string& project_dir);

}  // namespace grapnel
