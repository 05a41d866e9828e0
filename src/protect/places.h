#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

/// protect: what an agent's own tools may not change without a person.
///
/// Whoever may write the settings of hooks may switch them off, and whoever may write the trust store may run anything.
/// So the engine asks a person before an agent's tool writes to one of these *places*: Grapnel's configuration, trust
/// store, switches, journal and session state, the agents' hook files, and the scripts of hooks that run.
///
///   places.h         the places, and whether a name leads to one: as spelled, links resolved, `..`, other case, hard
///                    links, patterns, names of which only a part is known
///   call_review.h    a tool call: which names does it write?
///   shell_review.h   a shell command: the same
///   git_review.h     git, which writes files it does not name
///
/// What commands and patches name is read by `src/call`, as for rules.
/// Nothing here is sure to see everything: a program that is run may write what it likes. It is the difference between
/// a door that is open and one that is shut; a sandbox is a wall.
namespace grapnel::protect {

struct ProtectedPlace {
  std::string path;      ///< absolute; need not exist
  bool is_tree = false;  ///< everything below it as well
  std::string what;      ///< `hook settings of claude`, for people
};

/// An absolute name with links resolved as far as there is something, also one whose target does not exist.
std::string resolve_links(const std::string& path);

/// How places are found. That is done at the first question they matter for: most calls raise none.
struct PlaceFinders {
  std::function<std::vector<ProtectedPlace>()> fixed;  ///< whether there is something or not
  std::function<std::vector<ProtectedPlace>()>
      scripts;  ///< files that are there. Many hooks have to be read to know them
};

/// Names against places. Letters are compared without case, since some file systems do. Immutable; Thread: any.
class ProtectedPlaces {
 public:
  explicit ProtectedPlaces(PlaceFinders find) : fixed_(std::move(find.fixed)), scripts_(std::move(find.scripts)) {}

  /// The place an absolute name is at, or in; null for none.
  const ProtectedPlace* at(const std::string& path) const;
  /// A place that exists somewhere below an absolute name.
  const ProtectedPlace* below(const std::string& path) const;
  /// A place that an absolute name with `*`, `?` and `[…]` stands for, or one that exists below that.
  const ProtectedPlace* like(const std::string& pattern) const;
  /// A place whose name may end so: what is in front is unknown.
  const ProtectedPlace* ending(std::string_view tail) const;
  /// Whether a text names something that only places have in their names: `.claude`, `grapnel`.
  bool is_mentioned(std::string_view text) const;
  /// ProtectedPlaces below an absolute name and the rest of their names, whether they exist or not.
  std::vector<std::pair<const ProtectedPlace*, std::string>> rests_below(const std::string& path) const;

 private:
  struct Entry {
    ProtectedPlace place;
    std::vector<std::string> names;  ///< folded: as spelled, and with links resolved
  };
  using Found = std::vector<Entry>;
  /// ProtectedPlaces that are not looked for before they are asked for.
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
