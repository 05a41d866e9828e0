#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discover/find/places.h"
#include "model/registry.h"
#include "trust/good_files.h"

/// Which version of a hook file holds.
///
/// A file that cannot be used as a whole is replaced by its last good version. A version is good if it has hooks and no
/// mistake, and, in a project, if all of its hooks are trusted; it is kept when the hooks have been read. A file that
/// is empty where a good version is known counts as broken, too: that is what a write leaves behind that was
/// interrupted. A file that is gone, or from which all hooks were removed, is only reported: people do that on purpose.
///
/// The linked worktrees of a repository share their good versions, as they share their trust.
namespace grapnel {

class LastGood {
 public:
  explicit LastGood(const std::string& trust_store);

  /// The version that holds instead of a broken file, or nothing.
  std::optional<GoodFile> version_of(const HookFile& place) const;
  /// The file whose change means that the answer above is different now.
  std::string place_of(const HookFile& place) const { return files_.place_of(name_of(place)); }

  /// A description of the file that is not as it should be.
  BrokenFile describe(const HookFile& place, BrokenFile::State state) const;
  /// Whether hooks of this file of a project have been trusted before. Where the history of the project has no answer,
  /// because it is missing or older than this question, every file of a trusted project may have been meant.
  bool was_trusted(const BrokenFile& file, bool is_project_trusted) const;

  /// Notes a version that was read without mistakes. `keep` decides whether it is a good one.
  void note(const HookFile& place, std::string text, size_t hooks);
  /// Keeps the noted versions. The registry has the hooks of all files, with their trust.
  void keep(const Registry& registry) const;

 private:
  struct Read {
    HookFile place;
    std::string text;
    size_t hooks;
  };
  static std::string project_of(const HookFile& place);
  static std::string name_of(const HookFile& place);

  std::string trust_store_;
  GoodFiles files_;
  bool has_any_;
  std::vector<Read> read_;
};

}  // namespace grapnel
