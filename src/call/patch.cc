#include "call/patch.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace grapnel::call {

namespace {

using By = PatchFile::By;

/// A line that starts with this text names a file.
struct PatchMark {
  std::string_view text;
  By by = By::Header;
};
constexpr auto kPatchMarks = std::to_array<PatchMark>({
    {"*** Add File: "},
    {"*** Update File: "},
    {"*** Delete File: "},
    {"*** Move to: "},
    {"rename from "},
    {"rename to "},
    {"copy from ", By::Source},
    {"copy to "},
});
constexpr std::string_view kOldSide = "--- ";
constexpr std::string_view kNewSide = "+++ ";

/// Goes through the lines once. `---` counts as a header only when the next line is `+++`.
class PatchReader {
 public:
  std::vector<PatchFile> read(std::string_view text) {
    const std::vector<std::string_view> lines = text::split(text, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string_view next = i + 1 < lines.size() ? lines[i + 1] : std::string_view{};
      if (lines[i].starts_with(kOldSide) && next.starts_with(kNewSide)) {
        add_side(lines[i], By::Header);
        add_side(lines[++i], By::Header);
      } else {
        read_line(lines[i]);
      }
    }
    return std::move(files_);
  }

 private:
  void read_line(std::string_view line) {
    for (const PatchMark& mark : kPatchMarks) {
      if (line.starts_with(mark.text)) return add(line.substr(mark.text.size()), mark.by);
    }
    if (line.starts_with(kOldSide) || line.starts_with(kNewSide)) add_side(line, By::Stray);
  }

  /// Reads `--- a/src/x.c<tab>date`. git quotes names with special characters.
  void add_side(std::string_view line, By by) {
    std::string_view name = line.substr(kOldSide.size());
    name = unquoted(name.substr(0, name.find('\t')));
    if (name.starts_with("a/") || name.starts_with("b/")) add(name.substr(2), by);
    add(name, by);
  }

  static std::string_view unquoted(std::string_view name) {
    name = text::trim(name);
    const bool is_quoted = name.size() > 1 && name.starts_with('"') && name.ends_with('"');
    return is_quoted ? name.substr(1, name.size() - 2) : name;
  }

  /// A name that was stray so far becomes a header when a header repeats it.
  void add(std::string_view name, By by) {
    name = unquoted(name);
    if (name.empty() || name == "/dev/null") return;
    const auto found = std::ranges::find(files_, name, &PatchFile::name);
    if (found == files_.end()) return files_.push_back({std::string(name), by});
    if (by == By::Header) found->by = by;
  }

  std::vector<PatchFile> files_;
};

}  // namespace

std::vector<PatchFile> files_of_patch(std::string_view text) {
  return PatchReader().read(text);
}

}  // namespace grapnel::call
