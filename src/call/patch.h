#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Reads the headers of patches. Three formats matter: the `*** Update File:` blocks that agents use, unified diffs,
/// and git's extended headers. Content lines are not read.
namespace grapnel::call {

/// A file that a patch is about.
struct PatchFile {
  /// How the patch names the file. To find out whether a patch *may* touch a file, look at all of them. To find out
  /// what it is about, ignore the stray ones: a line that starts with `--- ` means nothing special in other texts.
  enum class By : uint8_t {
    Header,  ///< in a complete header: `*** Update File:`, `---` followed by `+++`, git's `rename to`
    Source,  ///< in git's `copy from`: the file is only read
    Stray,   ///< in a `---` or `+++` line alone: another diff format, or a diff that is cut short
  };
  std::string name;
  By by = By::Header;

  bool operator==(const PatchFile&) const = default;
};

/// The files of a patch in the order of the patch, each name once. The header of a unified diff gives two names, with
/// and without its `a/` or `b/`, since only the program that applies the patch decides which one it uses. Empty for
/// other text.
std::vector<PatchFile> files_of_patch(std::string_view text);

}  // namespace grapnel::call
