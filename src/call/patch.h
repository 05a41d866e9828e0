#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grapnel::call {

/// A file that a patch is about.
struct PatchFile {
  /// How the patch names it. Whoever asks whether a patch *may* touch a file looks at all of them; whoever asks what it
  /// is about leaves the stray ones out, since a line that starts with `--- ` is nothing special in other texts.
  enum class By : uint8_t {
    Header,  ///< `*** Update File:` and its like, `---` with `+++` below it, git's renames and copies
    Source,  ///< git's `copy from`: the file is only read
    Stray,   ///< `---` or `+++` alone: the middle of another diff format, or a diff that is cut short
  };
  std::string name;
  By by = By::Header;

  bool operator==(const PatchFile&) const = default;
};

/// The files of a patch, each name once, in the order the patch has them. Headers of unified diffs give two names, with
/// and without their `a/` or `b/`, since the program that applies the patch decides which it is. Empty for other text.
std::vector<PatchFile> files_of_patch(std::string_view text);

}  // namespace grapnel::call
