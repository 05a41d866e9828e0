#include "protect/git_review.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "call/words.h"
#include "os/files.h"

namespace grapnel::protect {

namespace {

namespace fs = std::filesystem;
using call::Certainty;

constexpr size_t kMaxIndex = size_t{64} << 20;

/// What a subcommand does to files that it does not name.
enum class Reach : uint8_t { Named, Tracked, Untracked };

struct GitRow {
  std::string_view subcommand;
  Reach reach;
  std::string_view only_with = {};  ///< one of these options, or else it leaves the tree alone
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
});

/// Words behind `git stash` that leave the tree alone.
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

/// False: no word of it is that one. Most commands name none of all subcommands, and this is how to see it soon.
bool may_say(const shell::SimpleCommand& command, std::string_view word) {
  return command.is_open || std::ranges::any_of(command.words, [&](const shell::Word& one) {
           return one.is_dynamic() || one.has_glob || one.text.contains(word);
         });
}

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

/// Operands behind the subcommand.
std::vector<std::string> operands_of(const shell::SimpleCommand& command, std::string_view subcommand) {
  std::vector<std::string> out;
  bool is_behind = false;
  for (const shell::Word& word : command.words) {
    if (is_behind && !word.text.starts_with('-')) out.push_back(word.text);
    is_behind = is_behind || word.text == subcommand;
  }
  return out;
}

/// `git checkout -b new` stays where it is; `git checkout main src/x.c` names what it changes.
bool names_all(const shell::SimpleCommand& command, const GitRow& row, const std::vector<std::string>& directories) {
  if (row.reach == Reach::Named) return true;
  const bool has_end = std::ranges::find(command.words, "--", &shell::Word::text) != command.words.end();
  const std::vector<std::string> operands = operands_of(command, row.subcommand);
  if (row.subcommand != "checkout" && row.subcommand != "switch") return has_end && row.reach == Reach::Untracked;
  const bool makes_branch = call::has_flag(command, row.subcommand == "switch" ? "-c" : "-b") == Certainty::Yes;
  if (has_end || (makes_branch && operands.size() == 1)) return true;
  std::error_code error;
  return std::ranges::any_of(operands, [&](const std::string& name) {
    return std::ranges::any_of(directories,
                               [&](const std::string& at) { return fs::exists(fs::path(at) / name, error); });
  });
}

std::string repository_around(const std::string& directory) {
  std::error_code error;
  for (fs::path at = directory;; at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at;
    if (!at.has_relative_path()) return "";
  }
}

/// The index of a repository, or of a work tree, where `.git` is a file that names its directory.
std::string index_of(const std::string& repository) {
  const std::string git = repository + "/.git";
  const auto pointer = os::read_file(git, 4096);
  if (!pointer || !pointer->starts_with("gitdir: ")) return git + "/index";
  const std::string named(text::trim(std::string_view(*pointer).substr(8)));
  return (named.starts_with('/') ? named : repository + "/" + named) + "/index";
}

/// Whether git knows the file. Only to ask less often: when in doubt, it does.
bool is_tracked(const std::string& repository, std::string_view rest) {
  const auto index = os::read_file(index_of(repository), kMaxIndex);
  if (!index) return index.error().code != Errc::NotFound;
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
