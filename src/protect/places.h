#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

/// protect: files that the tools of an agent may not change without a person.
///
/// Whoever may write the settings of hooks can switch the hooks off, and whoever may write the trust store can run
/// anything. So the engine asks a person before a tool of an agent writes to one of these *places*: Grapnel's
/// configuration, trust store, switches, journal and session state, the hook files of agents, and the scripts of hooks
/// that run.
///
///   places.h         the places, and whether a name leads to one: as spelled, links resolved, `..`, other case, hard
///                    links, patterns, names of which only a part is known
///   call_review.h    a tool call: which names does it write?
///   shell_review.h   a shell command: the same
///   git_review.h     git, which writes files that it does not name
///   copy_review.h    copies, which bring files that they do not name
///   patch_review.h   patches, in the text or in a file
///   archive_review.h archives that are unpacked
///   listed_places.h  commands that get names from `find` and the like: where the names lead…
///   lister_review.h  …and what happens to these files
///   find_tests.h     which files `find` lists
///   named_places.h   where the words of a command lead
///   own_review.h     what is directed against Grapnel itself
///
/// Order of calls: the engine calls `CallReview::concern` for each event. It reads the input of the tool, hands shell
/// commands to `concern_in_shell`, and asks `ProtectedPlaces` about each name. `src/call` reads commands and patches,
/// as it does for rules.
///
/// None of this can see everything, because a program that the agent runs may write any file. It is a closed door, not
/// a wall; only a sandbox is a wall.
namespace grapnel::protect {

/// A file or directory that is protected.
struct ProtectedPlace {
  std::string path;         ///< absolute; need not exist
  bool is_tree = false;     ///< everything below it as well
  std::string what;         ///< `hook settings of claude`, for people
  bool is_program = false;  ///< one of Grapnel's programs: whoever runs it under another name runs Grapnel
  /// In a directory that everybody uses: a command about that directory is not about the place.
  bool is_among_others = false;
  /// Scripts that are directly in this directory, beside the settings that call them. The directory itself is not
  /// meant.
  bool holds_scripts = false;
};

/// The absolute name with links resolved as far as the path exists. A link to a file that does not exist is resolved
/// too.
std::string resolve_links(const std::string& path);

/// Functions that find the places. They are called when a question first needs them: most calls need none.
struct PlaceFinders {
  std::function<std::vector<ProtectedPlace>()> fixed;  ///< places that are protected even if they do not exist
  std::function<std::vector<ProtectedPlace>()>
      scripts;  ///< scripts of hooks that exist; to find them, many hooks have to be read
  /// Files that shells, sessions and schedulers read when they start. They are protected only from texts that mention
  /// Grapnel or its variables.
  std::function<std::vector<ProtectedPlace>()> starters = {};
};

/// Compares names with places. Case is ignored, since some file systems ignore it. Immutable; Thread: any.
class ProtectedPlaces {
 public:
  explicit ProtectedPlaces(PlaceFinders find) : fixed_(std::move(find.fixed)), scripts_(std::move(find.scripts)) {}

  /// The place that an absolute name leads to, or that contains it; null if there is none.
  const ProtectedPlace* at(const std::string& path) const;
  /// A place that exists somewhere below an absolute name.
  const ProtectedPlace* below(const std::string& path) const;
  /// A place that fits an absolute name with `*`, `?` and `[…]`, or one that exists below a directory that fits.
  const ProtectedPlace* like(const std::string& pattern) const;
  /// A place whose name may end with `tail`, where the text in front of it is unknown.
  const ProtectedPlace* ending(std::string_view tail) const;
  /// Whether the text contains a part of a name that only places have: `.claude`, `grapnel`.
  bool is_mentioned(std::string_view text) const;
  /// The places below an absolute name, whether they exist or not, each with the rest of its name (from the slash on).
  std::vector<std::pair<const ProtectedPlace*, std::string>> rests_below(const std::string& path) const;

 private:
  struct Entry {
    ProtectedPlace place;
    std::vector<std::string> names;  ///< folded: as spelled, and with links resolved
  };
  using Found = std::vector<Entry>;
  /// Places that are not searched before somebody asks for them.
  class Kind {
   public:
    explicit Kind(std::function<std::vector<ProtectedPlace>()> find) : find_(std::move(find)) {}
    const Found& found() const;

   private:
    std::function<std::vector<ProtectedPlace>()> find_;
    mutable std::once_flag is_found_;
    mutable Found found_;
  };

  static Found look_up(std::vector<ProtectedPlace> places);
  static const ProtectedPlace* named(const Found& found, const std::vector<std::string>& names);
  static const ProtectedPlace* same_file(const Found& found, const struct stat& info);
  /// The first place of either kind that a function finds among entries.
  const ProtectedPlace* first(const auto& find) const;

  Kind fixed_;
  Kind scripts_;
};

}  // namespace grapnel::protect
