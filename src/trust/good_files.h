#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "grapnel/error.h"

/// Keeps the last good version of every hook file, so that a guard does not disappear because somebody made a typo.
///
/// One private file for each hook file, in `good/` beside the trust store: a line of JSON that describes the version,
/// then the bytes. It gives no trust: the hooks of a project's version have to be in the trust store like all others,
/// so bytes that somebody smuggled in here do not run. A version that was damaged, or that others could have written,
/// does not count.
namespace grapnel {

/// One version of a hook file.
struct GoodFile {
  std::string path;
  std::string project;  ///< "" for files of the user and the administrator
  std::string saved;    ///< `2026-01-02 03:04 UTC`
  uint32_t hooks = 0;
  std::string text;
};

class GoodFiles {
 public:
  /// `store_path` is the path of the trust store.
  explicit GoodFiles(const std::string& store_path);

  /// Whether any version is kept. Costs one system call.
  bool has_any() const;
  /// The file that keeps the version of `path`, whether or not it exists.
  std::string place_of(const std::string& path) const;
  /// Fails: Refused, BadInput if it is damaged, System.
  Result<std::optional<GoodFile>> load(const std::string& path) const;
  /// Replaces the version, unless it has the same bytes. `saved` is filled in.
  Result<void> keep(GoodFile file) const;
  /// Forgets the versions of a project for which `is_over` holds. Unreadable ones stay.
  void forget(const std::string& project, const std::function<bool(const GoodFile&)>& is_over) const;

 private:
  Result<std::optional<GoodFile>> load_place(const std::string& place) const;

  std::string directory_;
};

}  // namespace grapnel
