#include "protect/patch_review.h"

#include <algorithm>
#include <string>
#include <vector>

#include "call/patch.h"
#include "os/files.h"
#include "protect/command_words.h"
#include "protect/git_review.h"

namespace grapnel::protect {

namespace {

using shell::SimpleCommand;
using shell::Word;

constexpr size_t kMaxPatch = size_t{1} << 20;

/// The parts of a text between the marks.
std::vector<std::string_view> split_at(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> out;
  for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    out.push_back(text.substr(0, at));
    text.remove_prefix(at + mark.size());
  }
  out.push_back(text);
  return out;
}

/// A place that a patch names; null too if the text is no patch.
const ProtectedPlace* named_in_patch(const NamedPlaces& named, std::string_view text) {
  if (!text.contains('\n')) return nullptr;
  for (const call::PatchFile& file : call::files_of_patch(text)) {
    if (file.by == call::PatchFile::By::Source) continue;
    for (const std::string& path : named.paths_of(file.name)) {
      if (const ProtectedPlace* place = named.places().at(path)) return place;
    }
  }
  return nullptr;
}

}  // namespace

const ProtectedPlace* changed_by_patch(const NamedPlaces& named, std::string_view text,
                                       const shell::ParsedCommand& parsed) {
  if (const ProtectedPlace* place = named_in_patch(named, text)) return place;
  const bool is_printed =
      std::ranges::any_of(parsed.commands, [](const SimpleCommand& command) { return program_of(command) == "patch"; });
  if (is_printed && text.contains("\\n")) {
    // `printf '--- a/x\n+++ b/x\n' | patch`
    std::string lines;
    for (const std::string_view line : split_at(text, "\\n")) lines += std::string(line) + "\n";
    if (const ProtectedPlace* place = named_in_patch(named, lines)) return place;
  }
  for (const SimpleCommand& command : parsed.commands) {
    const bool patches = program_of(command) == "patch" || program_of(command) == "git";
    if (!patches || (program_of(command) == "git" && !changes_tree(command))) continue;
    std::vector<const Word*> files = operands_of(command);
    for (const shell::Redirection& redirection : command.redirections) files.push_back(&redirection.target);
    for (const Word* word : files) {
      for (const std::string& path : named.paths_of(word->text)) {
        const auto content = os::read_file(path, kMaxPatch);
        if (const ProtectedPlace* place = content ? named_in_patch(named, *content) : nullptr) return place;
      }
    }
  }
  return nullptr;
}

}  // namespace grapnel::protect
