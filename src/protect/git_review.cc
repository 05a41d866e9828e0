#include "protect/git_review.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "call/words.h"
#include "os/files.h"

/// A table says which files each subcommand may change without naming them. `git clean` changes files that git does not
/// know, most others change those that it does know. So it has to be found out for each protected place in the
/// repository whether git tracks it; otherwise every `git checkout` would need a person.
namespace grapnel::protect {

namespace {

namespace fs = std::filesystem;
using call::Certainty;

/// The largest index that is read. A larger one is treated as if it contained every file.
constexpr size_t kMaxIndex = size_t{64} << 20;

/// Which files a subcommand changes although it does not name them: none, those that git tracks, or those that it does
/// not track.
enum class Reach : uint8_t { Named, Tracked, Untracked };

/// One subcommand that changes the working tree. A subcommand without a row leaves it alone.
struct GitRow {
  std::string_view subcommand;
  Reach reach;
  std::string_view only_with = {};  ///< it changes the tree only with one of these options; "" means always
};
constexpr auto kRows = std::to_array<GitRow>({
    {"checkout", Reach::Tracked},
    {"switch", Reach::Tracked},
    {"stash", Reach::Tracked},
    {"pull", Reach::Tracked},
    {"merge", Reach::Tracked},
    {"rebase", Reach::Tracked},
    {"revert", Reach::Tracked},
    {"cherry-pick", Reach::Tracked},
    {"am", Reach::Tracked},
    {"apply", Reach::Tracked},
    {"bisect", Reach::Tracked},
    {"read-tree", Reach::Tracked},
    {"checkout-index", Reach::Tracked},
    {"sparse-checkout", Reach::Tracked},
    {"reset", Reach::Tracked, "--hard --merge --keep"},
    {"clean", Reach::Untracked},
    {"restore", Reach::Named},
    {"mv", Reach::Named},
    {"rm", Reach::Named},
    {"clone", Reach::Named},
    {"submodule", Reach::Named},
    {"update-index", Reach::Named},
});

/// Subcommands of `git stash` that leave the tree alone.
constexpr auto kQuietStash = std::to_array<std::string_view>({"list", "show", "drop", "clear", "create", "store"});

bool has_any_flag(const shell::SimpleCommand& command, std::string_view flags) {
  if (flags.empty()) return true;
  const auto given = text::split(flags, ' ');
  return std::ranges::any_of(given, [&](std::string_view f) { return call::has_flag(command, f) != Certainty::No; });
}

bool is_quiet_stash(const shell::SimpleCommand& command) {
  return std::ranges::any_of(kQuietStash, [&](std::string_view word) {
    return call::matches_command(command, {"git", "stash", std::string(word)}) == Certainty::Yes;
  });
}

/// Whether a word of the command may be this one. It is a quick test before the exact one: most commands contain none
/// of the subcommands.
bool may_say(const shell::SimpleCommand& command, std::string_view word) {
  return command.is_open || std::ranges::any_of(command.words, [&](const shell::Word& one) {
           return one.is_dynamic() || one.has_glob || one.text.contains(word);
         });
}

/// The row for this command; null if it is not git, or leaves the tree alone.
const GitRow* row_of(const shell::SimpleCommand& command) {
  if (command.words.empty() || shell::base_name(command.words[0].text) != "git") return nullptr;
  const auto found = std::ranges::find_if(kRows, [&](const GitRow& row) {
    return may_say(command, row.subcommand) &&
           call::matches_command(command, {"git", std::string(row.subcommand)}) != Certainty::No &&
           has_any_flag(command, row.only_with);
  });
  const bool is_quiet = found != kRows.end() && may_say(command, "stash") && is_quiet_stash(command);
  return found == kRows.end() || is_quiet ? nullptr : &*found;
}

/// The operands behind the subcommand, without options.
std::vector<std::string> operands_behind(const shell::SimpleCommand& command, std::string_view subcommand) {
  std::vector<std::string> out;
  bool is_behind = false;
  for (const shell::Word& word : command.words) {
    if (is_behind && !word.text.starts_with('-')) out.push_back(word.text);
    is_behind = is_behind || word.text == subcommand;
  }
  return out;
}

/// Whether all files that the command changes are named in it, so that the ordinary check of its words is enough: `git
/// checkout main src/x.c` names its file. `git checkout -b new` changes no file at all.
bool names_all(const shell::SimpleCommand& command, const GitRow& row, const std::vector<std::string>& directories) {
  if (row.reach == Reach::Named) return true;
  // Behind `--` there are only names of files.
  const bool has_end = std::ranges::find(command.words, "--", &shell::Word::text) != command.words.end();
  const std::vector<std::string> operands = operands_behind(command, row.subcommand);
  if (row.subcommand != "checkout" && row.subcommand != "switch") return has_end && row.reach == Reach::Untracked;
  const bool makes_branch = call::has_flag(command, row.subcommand == "switch" ? "-c" : "-b") == Certainty::Yes;
  if (has_end || (makes_branch && operands.size() == 1)) return true;
  // An operand that exists as a file is taken for a file, and not for a branch.
  std::error_code error;
  return std::ranges::any_of(operands, [&](const std::string& name) {
    return std::ranges::any_of(directories,
                               [&](const std::string& at) { return fs::exists(fs::path(at) / name, error); });
  });
}

/// The nearest directory at or above this one that contains `.git`; "" if there is none.
std::string repository_around(const std::string& directory) {
  std::error_code error;
  for (fs::path at = directory;; at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at;
    if (!at.has_relative_path()) return "";
  }
}

/// The index file of a repository. In a further work tree, `.git` is a file that names the directory with the index.
std::string index_of(const std::string& repository) {
  const std::string git = repository + "/.git";
  const auto pointer = os::read_file(git, 4096);
  if (!pointer || !pointer->starts_with("gitdir: ")) return git + "/index";
  const std::string named(text::trim(std::string_view(*pointer).substr(8)));
  return (named.starts_with('/') ? named : repository + "/" + named) + "/index";
}

/// Whether git tracks the file. This only serves to ask a person less often; if it cannot be found out, the answer is
/// yes.
bool is_tracked(const std::string& repository, std::string_view rest) {
  const auto index = os::read_file(index_of(repository), kMaxIndex);
  if (!index) return index.error().code != Errc::NotFound;
  // Version 4 of the index compresses names, so they cannot be searched as text. In other versions, a name is followed
  // by a zero byte.
  constexpr size_t kVersionAt = 7;
  const bool is_compressed = index->size() > kVersionAt && (*index)[kVersionAt] == 4;
  return is_compressed || index->contains(std::string(rest) + '\0');
}

}  // namespace

bool changes_tree(const shell::SimpleCommand& command) {
  return row_of(command) != nullptr;
}

const ProtectedPlace* changed_unnamed(const ProtectedPlaces& places, const shell::SimpleCommand& command,
                                      const std::vector<std::string>& directories) {
  const GitRow* row = row_of(command);
  if (row == nullptr || names_all(command, *row, directories)) return nullptr;
  for (const std::string& directory : directories) {
    const std::string repository = repository_around(directory);
    if (repository.empty()) continue;
    for (const auto& [place, rest] : places.rests_below(repository)) {
      std::error_code error;
      if (!fs::exists(fs::symlink_status(place->path, error))) continue;
      if (is_tracked(repository, rest.substr(1)) == (row->reach == Reach::Tracked)) return place;
    }
  }
  return nullptr;
}

}  // namespace grapnel::protect
