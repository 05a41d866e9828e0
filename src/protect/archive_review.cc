#include "protect/archive_review.h"

#include <algorithm>
#include <array>

#include "call/words.h"
#include "os/files.h"
#include "protect/shell_review.h"

namespace grapnel::protect {

namespace {

using shell::SimpleCommand;

/// Larger archives are judged by their target alone.
constexpr size_t kMaxArchive = size_t{64} << 20;

/// A program that unpacks, the words that say that it does, and its options for the target.
struct Unpacker {
  std::string_view program;
  std::string_view modes;    ///< letters, one of which is in the first word or in a short option; "" means always
  std::string_view options;  ///< options whose value is the target, with blanks around each
};
constexpr auto kUnpackers = std::to_array<Unpacker>({
    {"tar", "x", " -C --directory --cd "},
    {"gtar", "x", " -C --directory --cd "},
    {"bsdtar", "x", " -C --directory --cd "},
    {"star", "x", " -C "},
    {"pax", "r", " "},
    {"cpio", "ip", " -D --directory "},
    {"unzip", "", " -d "},
    {"7z", "xe", " -o "},
    {"7za", "xe", " -o "},
    {"7zz", "xe", " -o "},
    {"unrar", "xe", " "},
    {"unar", "", " -o -output-directory "},
    {"jar", "x", " -C "},
    {"unsquashfs", "", " -d -dest "},
    {"dpkg-deb", "xX", " "},
    {"cabextract", "", " -d "},
    {"ar", "x", " --output "},
});

const Unpacker* unpacker_of(const SimpleCommand& command) {
  if (command.words.empty()) return nullptr;
  const std::string_view program = shell::base_name(command.words[0].text);
  const auto row = std::ranges::find(kUnpackers, program, &Unpacker::program);
  return row == kUnpackers.end() ? nullptr : &*row;
}

bool has_letter(std::string_view word, std::string_view letters) {
  return word.find_first_of(letters) != std::string_view::npos;
}

/// Whether one of the words says that the archive is unpacked. The first word may be letters without a dash.
bool is_unpacking(const SimpleCommand& command, const Unpacker& row) {
  if (row.modes.empty()) {
    // Without one of these it unpacks: `unzip -l` lists, `-t` tests, `-p` prints.
    return std::ranges::none_of(command.words, [](const shell::Word& word) {
      return word.text == "-l" || word.text == "-t" || word.text == "-p" || word.text == "-v" || word.text == "-Z";
    });
  }
  for (size_t i = 1; i < command.words.size(); ++i) {
    const std::string_view word = command.words[i].text;
    if (word == "--extract" || word == "--get") return true;
    const bool is_short = word.size() > 1 && word[0] == '-' && word[1] != '-';
    if ((is_short || i == 1) && !word.starts_with("--") && has_letter(word, row.modes)) return true;
  }
  return false;
}

/// The value of an option for the target at this word: behind `=`, attached, or the next word; "" if it is none.
std::string target_at(const SimpleCommand& command, size_t at, std::string_view options) {
  const std::string& word = command.words[at].text;
  const std::string name = word.substr(0, word.find('='));
  if (name.size() > 1 && name.starts_with('-') && options.contains(" " + name + " ")) {
    if (name.size() < word.size()) return word.substr(name.size() + 1);
    return at + 1 < command.words.size() ? command.words[at + 1].text : "";
  }
  const bool is_attached =
      word.size() > 2 && word[0] == '-' && word[1] != '-' && options.contains(" " + word.substr(0, 2) + " ");
  return is_attached ? word.substr(2) : "";
}

}  // namespace

bool unpacks(const SimpleCommand& command) {
  const Unpacker* row = unpacker_of(command);
  return row != nullptr && is_unpacking(command, *row);
}

std::vector<std::string> unpacked_into(const SimpleCommand& command, const std::vector<std::string>& directories,
                                       const std::string& home) {
  const Unpacker* row = unpacker_of(command);
  std::vector<std::string> out;
  for (size_t i = 1; row != nullptr && i < command.words.size(); ++i) {
    const std::string target = target_at(command, i, row->options);
    if (target.empty()) continue;
    for (const std::string& directory : directories) out.push_back(absolute_name(target, {directory, home}));
  }
  return out.empty() ? directories : out;
}

/// Names are plain text in tar and zip, so a search in the bytes finds them.
const ProtectedPlace* unpacked_over(const ProtectedPlaces& places, const std::vector<std::string>& targets,
                                    const std::vector<std::string>& archives, const std::string& root) {
  for (const std::string& target : targets) {
    if (const ProtectedPlace* place = places.at(target)) return place;
    const auto below = places.rests_below(target);
    const bool is_usual = (root + "/").starts_with(resolve_links(target) + "/") || root == target;
    for (const auto& [place, rest] : below) {
      if (!is_usual) return place;
      for (const std::string& archive : archives) {
        const auto bytes = os::read_file(archive, kMaxArchive);
        if (bytes && bytes->contains(rest.substr(1))) return place;
      }
    }
  }
  return nullptr;
}

}  // namespace grapnel::protect
