#pragma once

#include <optional>
#include <string>

#include "discover/discover.h"
#include "discover/formats/rule_file.h"
#include "discover/formats/settings_file.h"
#include "discover/last_good.h"

/// Reads single hook files for `discover`, and notes what is wrong with them. A file that is broken as a whole is
/// replaced by its last good version (last_good.h).
namespace grapnel {

class FileReader {
 public:
  /// Stamps, problems and broken files go to `out`. Both must outlive this.
  FileReader(const DiscoverOptions& options, Discovered& out)
      : options_(options), out_(out), good_(options.trust_store) {}

  /// The content of the file of a place. Nothing if it does not exist, or if it cannot be read and has no good version.
  std::optional<RuleFile> rules(const HookFile& place);
  std::optional<SettingsFile> settings(const HookFile& place);

  /// The text of a file, or nothing with the problem reported. A missing file is watched too, since it may appear
  /// later.
  std::optional<std::string> load(const std::string& path, bool must_exist);

  /// Moves the problems of a file to the registry.
  void take_problems(auto& file) {
    for (ConfigProblem& problem : file.problems) out_.registry.problems.push_back(std::move(problem));
    file.problems.clear();
  }

  /// A file that the user named is broken. No versions are kept of such files. `known_problems` is how many problems
  /// the registry had before the file was read.
  void note_named(const std::string& path, size_t known_problems);

  /// Keeps the good versions among the files that were read. Trust must have been decided.
  void keep_good() const { good_.keep(out_.registry); }

 private:
  template <typename Read>
  auto read_place(const HookFile& place, const Read& read) -> std::optional<decltype(read(std::string()))>;
  void note_usable(const HookFile& place, const std::string& text, size_t hooks, size_t known_problems);
  void note_lost(const HookFile& place, BrokenFile::State state);
  std::optional<GoodFile> note_broken(const HookFile& place, size_t known_problems);
  ConfigProblem* first_error(size_t known_problems);
  void watch(const std::string& path);

  const DiscoverOptions& options_;
  Discovered& out_;
  LastGood good_;
};

}  // namespace grapnel
