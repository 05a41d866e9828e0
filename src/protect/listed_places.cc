#include "protect/listed_places.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "call/words.h"
#include "os/files.h"
#include "protect/command_words.h"
#include "protect/find_tests.h"
#include "protect/lister_review.h"

namespace grapnel::protect {

using call::Certainty;
using shell::SimpleCommand;
using shell::Word;

namespace {

constexpr size_t kMaxSearched = size_t{1} << 20;

constexpr auto kListers =
    std::to_array<std::string_view>({"find", "gfind", "fd", "fdfind", "grep", "egrep", "rg", "ag", "ls", "locate"});
/// Those that look into the files.
constexpr auto kContentListers = std::to_array<std::string_view>({"grep", "egrep", "rg", "ag"});

/// Whether a lister that is no find lists the file: `ls -A`, `grep -r` for a text that is in it, `fd` for its name.
bool is_listed_by_word(const SimpleCommand& command, const std::string& path) {
  const std::string_view program = program_of(command);
  if (program == "ls")
    return call::has_flag(command, "-A") == Certainty::Yes || call::has_flag(command, "-a") == Certainty::Yes;
  const std::vector<const Word*> operands = operands_of(command);
  if (operands.empty() || operands[0]->is_dynamic()) return false;
  if (!lists(kContentListers, program)) return fits_pattern(operands[0]->text, std::string(shell::base_name(path)));
  // Words that are in many rules. A rule may have come since the file was written.
  constexpr std::string_view kUsual = "grapnel hooks deny allow ask PreToolUse disableAllHooks guard command timeout";
  const auto content = os::read_file(path, kMaxSearched);
  return (content && fits_pattern(operands[0]->text, *content)) || fits_pattern(operands[0]->text, std::string(kUsual));
}

/// Whether one of the first files below a directory fulfils a condition.
bool any_below(const std::string& directory, const auto& condition) {
  constexpr int kMaxFiles = 500;
  std::error_code error;
  int count = 0;
  for (std::filesystem::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++count > kMaxFiles || condition(entry->path().string())) return true;
  }
  return false;
}

}  // namespace

bool is_lister(std::string_view program) {
  return lists(kListers, program);
}

ListedPlaces::ListedPlaces(const NamedPlaces& named, std::string_view text, const shell::ParsedCommand& parsed)
    : named_(named), parsed_(parsed), takers_(takers_of(text, parsed)) {}

const ProtectedPlace* ListedPlaces::changed_by(const SimpleCommand& command) const {
  const Certainty harm = harm_by_list(command);
  if (harm == Certainty::No) return nullptr;
  size_t count = 0;
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    const bool is_find = program_of(command) == "find" || program_of(command) == "gfind";
    // Behind the first test, there are no directories.
    if (is_find && (word.text == "(" || word.text == "!" || (is_option(word) && word.text.size() > 2))) break;
    if (is_option(word)) continue;
    ++count;
    if (const ProtectedPlace* place = named_.place_at(word)) return place;
    for (const std::string& path : word.is_dynamic() ? std::vector<std::string>{} : named_.paths_of(word.text)) {
      if (const ProtectedPlace* place = listed_below(command, word.text, path, harm)) return place;
    }
  }
  for (size_t i = 2; i < command.words.size(); ++i) {
    const bool is_named = command.words[i - 1].text == "-samefile";
    if (const ProtectedPlace* place = is_named ? named_.place_at(command.words[i]) : nullptr) return place;
  }
  // Without a directory, they list the current one. The first operand of some is a pattern.
  constexpr auto kPatternFirst = std::to_array<std::string_view>({"fd", "fdfind", "rg", "ag"});
  return count <= (lists(kPatternFirst, program_of(command)) ? 1U : 0U)
             ? listed_below(command, ".", named_.bases().front(), harm)
             : nullptr;
}

/// What happens to the files that the command lists.
Certainty ListedPlaces::harm_by_list(const SimpleCommand& lister) const {
  Certainty out = Certainty::No;
  if (call::has_flag(lister, "-delete") == Certainty::Yes) out = Certainty::Yes;
  for (const ListTaker& taker : takers_) {
    const SimpleCommand& other = *taker.command;
    const bool is_around = other.begin <= lister.begin && lister.end <= other.end;
    if (taker.takes_any || is_around) out = std::max(out, taker.harm);
  }
  return out;
}

/// A place that exists below this directory, and that the lister would list. In a directory with all kinds of files,
/// it has to be sure that the place is listed and changed, unless names in the tests single it out.
const ProtectedPlace* ListedPlaces::listed_below(const SimpleCommand& command, const std::string& spelled,
                                                 const std::string& directory, Certainty harm) const {
  const std::string root = resolve_links(directory);
  const bool is_wide = named_.is_around(root);
  const bool is_find = program_of(command) == "find" || program_of(command) == "gfind";
  const auto is_listed = [&](const std::string& path, bool is_directory) {
    if (!passes_greps(command, path)) return false;
    if (!is_find) return !is_wide || (harm == Certainty::Yes && is_listed_by_word(command, path));
    const Candidate file{path, root, spelled, is_directory};
    const Certainty fit = finds(command, file);
    if (fit == Certainty::No) return false;
    return !is_wide || std::min(fit, harm) == Certainty::Yes || singles_out(command, file);
  };
  for (const auto& [place, rest] : named_.places().rests_below(root)) {
    const std::string path = (root == "/" ? "" : root) + rest;
    if (place->is_program) {
      // A program that is elsewhere on this machine is still meant by its name.
      if (is_find && singles_out(command, {path, root, spelled, false})) return place;
      continue;
    }
    if (!is_there(path)) continue;
    std::error_code error;
    if (is_listed(path, std::filesystem::is_directory(path, error))) return place;
    for (size_t slash = path.rfind('/'); slash > root.size(); slash = path.rfind('/', slash - 1)) {
      if (is_listed(path.substr(0, slash), true)) return place;
    }
    const auto is_listed_file = [&](const std::string& file) {
      return is_listed(file, std::filesystem::is_directory(file, error));
    };
    if (place->is_tree && any_below(path, is_listed_file)) return place;
  }
  return nullptr;
}

/// Whether `grep` in a pipe lets the name pass: `find . | grep -v test | xargs rm`.
bool ListedPlaces::passes_greps(const SimpleCommand& lister, const std::string& path) const {
  return std::ranges::all_of(parsed_.commands, [&](const SimpleCommand& command) {
    const std::vector<const Word*> operands = operands_of(command);
    const bool is_filter = lists(kContentListers, program_of(command)) && &command != &lister && !command.is_open &&
                           operands.size() == 1 && !operands[0]->is_dynamic();
    if (!is_filter || call::has_flag(command, "-r") != Certainty::No || lister.begin > command.begin) return true;
    return fits_pattern(operands[0]->text, path) == (call::has_flag(command, "-v") == Certainty::No);
  });
}

std::vector<ListedPlaces::ListTaker> ListedPlaces::takers_of(std::string_view text,
                                                             const shell::ParsedCommand& parsed) {
  std::vector<ListTaker> out;
  const bool is_read = parsed.has_blocks || text.contains("<(");
  for (const SimpleCommand& command : parsed.commands) {
    if (is_unknown_code(command) || lists(kListers, program_of(command))) continue;
    const Certainty harm = changes_listed(command);
    if (harm == Certainty::No) continue;
    out.push_back({&command, !command.wrappers.empty() || command.is_open || is_read, harm});
  }
  return out;
}

}  // namespace grapnel::protect
