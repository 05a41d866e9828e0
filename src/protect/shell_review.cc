#include "protect/shell_review.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "call/commands.h"
#include "call/effects.h"
#include "call/patch.h"
#include "call/words.h"
#include "os/files.h"
#include "protect/git_review.h"

namespace grapnel::protect {

namespace {

using call::Certainty;
using shell::SimpleCommand;
using shell::Word;

constexpr size_t kMaxBases = 16;
constexpr size_t kMaxPatch = size_t{1} << 20;

/// Programs that take whole directories along.
constexpr auto kReachBelow = std::to_array<std::string_view>(
    {"rm", "rmdir", "mv", "ln", "shred", "unlink", "trash", "chmod", "chown", "chgrp", "rsync", "mount", "umount"});
/// Programs that put their sources into their last operand.
constexpr auto kCopy = std::to_array<std::string_view>({"cp", "mv", "ln", "install", "rsync", "scp"});
/// Programs that list files for another to change.
constexpr auto kListers = std::to_array<std::string_view>({"find", "gfind", "fd", "grep", "egrep", "ls", "locate"});
/// Verbs of our own that change what is trusted or runs.
constexpr auto kOwnVerbs =
    std::to_array<std::string_view>({"trust", "untrust", "enable", "disable", "install", "uninstall"});

bool lists(auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// `find -exec`, as a wrapper is called, is find.
std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

std::string_view program_of(const SimpleCommand& command) {
  return command.words.empty() ? std::string_view{} : shell::base_name(command.words[0].text);
}

bool is_option(const Word& word) {
  return word.text.size() > 1 && word.text.starts_with('-');
}

bool writes(const SimpleCommand& command) {
  return call::effects_of(command).writes != Certainty::No;
}

bool is_unknown_code(const SimpleCommand& command) {
  return !command.words.empty() && command.words[0].text.empty() && command.words[0].is_dynamic();
}

/// Words in the order they stand, without the program and options.
std::vector<const Word*> operands_of(const SimpleCommand& command) {
  std::vector<const Word*> out;
  for (size_t i = 1; i < command.words.size(); ++i) {
    if (!is_option(command.words[i])) out.push_back(&command.words[i]);
  }
  return out;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

/// One look at one text.
class Review {
 public:
  Review(const ProtectedPlaces& places, const ReviewContext& around, std::string_view text)
      : places_(places), around_(around), text_(text), parsed_(call::commands_of(text)), bases_{around.directory} {
    bases_.insert(bases_.end(), around.also.begin(), around.also.end());
  }

  std::string concern() {
    for (const SimpleCommand& command : parsed_.commands) note_directories(command);
    for (const SimpleCommand& command : parsed_.commands) {
      if (command.is_remote) continue;
      if (std::string why = review(command); !why.empty()) return why;
    }
    if (const ProtectedPlace* place = named_in_patches()) return about("a patch", *place);
    return may_hide() && is_mentioned() ? "this command may change what it mentions: hook settings or files of Grapnel"
                                        : "";
  }

 private:
  static std::string about(std::string_view who, const ProtectedPlace& place) {
    return std::string(who) + " would change " + place.path + " (" + place.what + ")";
  }

  std::string review(const SimpleCommand& command) {
    if (std::string why = own_verb(command); !why.empty()) return why;
    const std::string who = command.words.empty() ? "a redirection" : "'" + std::string(program_of(command)) + "'";
    for (const shell::Redirection& redirection : command.redirections) {
      const bool is_written = redirection.op.contains('>');
      const ProtectedPlace* place = is_written ? place_at(redirection.target) : nullptr;
      if (place != nullptr) return about(who, *place);
    }
    const ProtectedPlace* place = changed_by(command);
    return place == nullptr ? "" : about(who, *place);
  }

  static std::string own_verb(const SimpleCommand& command) {
    if (program_of(command) != "grapnel") return "";
    for (const std::string_view verb : kOwnVerbs) {
      if (call::matches_command(command, {"grapnel", std::string(verb)}) != Certainty::No) {
        return "'grapnel " + std::string(verb) + "' is for people";
      }
    }
    return "";
  }

  const ProtectedPlace* changed_by(const SimpleCommand& command) const {
    const std::string_view program = program_of(command);
    if (program.empty() || is_unknown_code(command)) return nullptr;
    if (program == "git") return changed_by_git(command);
    if (lists(kListers, program)) return changed_by_lister(command);
    if (lists(kCopy, program)) return changed_by_copy(command);
    if (!writes(command)) return nullptr;
    const bool is_listed = !command.wrappers.empty() && lists(kListers, first_word(command.wrappers.back()));
    const bool reaches_below = lists(kReachBelow, program) && !is_listed;
    for (size_t i = 1; i < command.words.size(); ++i) {
      const ProtectedPlace* place = place_at(command.words[i]);
      if (place == nullptr && reaches_below) place = place_below(command.words[i]);
      if (place != nullptr) return place;
    }
    return nullptr;
  }

  const ProtectedPlace* changed_by_git(const SimpleCommand& command) const {
    if (!changes_tree(command)) return nullptr;
    for (const Word* word : operands_of(command)) {
      const ProtectedPlace* place = place_at(*word);
      if (place == nullptr) place = place_below(*word);
      if (place != nullptr) return place;
    }
    return changed_unnamed(places_, command, bases_);
  }

  /// `find … -delete`, `find … -exec`, `grep -l … | xargs`.
  const ProtectedPlace* changed_by_lister(const SimpleCommand& command) const {
    const bool has_writer = writes(command) || std::ranges::any_of(parsed_.commands, [](const SimpleCommand& other) {
                              return !other.wrappers.empty() && !is_unknown_code(other) && writes(other);
                            });
    if (!has_writer) return nullptr;
    const std::vector<const Word*> operands = operands_of(command);
    if (program_of(command) == "find" && operands.empty()) return listed_below(command, bases_.front());
    for (const Word* word : operands) {
      if (const ProtectedPlace* place = place_at(*word)) return place;
      for (const std::string& path : paths_of(word->text)) {
        if (const ProtectedPlace* place = listed_below(command, path)) return place;
      }
    }
    return nullptr;
  }

  const ProtectedPlace* listed_below(const SimpleCommand& command, const std::string& directory) const {
    for (const auto& [place, rest] : places_.rests_below(directory)) {
      if (is_there(place->path) && passes_names(command, place->path)) return place;
    }
    return nullptr;
  }

  /// `-name PATTERN` leaves out what has another name.
  static bool passes_names(const SimpleCommand& command, const std::string& path) {
    const std::string name(shell::base_name(path));
    for (size_t i = 1; i + 1 < command.words.size(); ++i) {
      const Word& pattern = command.words[i + 1];
      const bool is_filter = command.words[i].text == "-name" || command.words[i].text == "-iname";
      if (!is_filter || pattern.is_dynamic()) continue;
      return ::fnmatch(pattern.text.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
    }
    return true;
  }

  const ProtectedPlace* changed_by_copy(const SimpleCommand& command) const {
    std::vector<const Word*> sources = operands_of(command);
    const Word* target = nullptr;
    for (size_t i = 1; i + 1 < command.words.size(); ++i) {
      if (command.words[i].text == "-t") target = &command.words[i + 1];
    }
    if (target == nullptr && !sources.empty()) target = sources.back();
    std::erase(sources, target);
    for (const Word& word : command.words) {
      if (const ProtectedPlace* place = is_option(word) ? place_at(word) : nullptr) return place;
    }
    const bool takes_source = program_of(command) == "mv" || program_of(command) == "ln" ||
                              call::has_flag(command, "--link") != Certainty::No ||
                              call::has_flag(command, "--symbolic-link") != Certainty::No ||
                              call::has_flag(command, "--remove-source-files") != Certainty::No;
    for (const Word* source : sources) {
      const ProtectedPlace* place = takes_source ? place_at(*source) : nullptr;
      if (place == nullptr && takes_source) place = place_below(*source);
      if (place == nullptr && target != nullptr) place = copied_onto(*source, *target);
      if (place != nullptr) return place;
    }
    return target == nullptr ? nullptr : place_at(*target);
  }

  /// A copied file lands under its own name, a copied directory with all that is in it.
  const ProtectedPlace* copied_onto(const Word& source, const Word& target) const {
    if (source.is_dynamic() || target.is_dynamic()) return nullptr;
    for (const std::string& to : paths_of(target.text)) {
      const std::string landed = to + "/" + std::string(shell::base_name(source.text));
      if (const ProtectedPlace* place = places_.at(landed)) return place;
      for (const std::string& from : paths_of(source.text)) {
        for (const std::string& directory : {to, landed}) {
          for (const auto& [place, rest] : places_.rests_below(directory)) {
            if (is_there(from + rest)) return place;
          }
        }
      }
    }
    return nullptr;
  }

  /// In the text itself, or in a file that `patch` or `git apply` reads.
  const ProtectedPlace* named_in_patches() const {
    if (const ProtectedPlace* place = named_in_patch(text_)) return place;
    for (const SimpleCommand& command : parsed_.commands) {
      const bool patches = program_of(command) == "patch" || program_of(command) == "git";
      if (!patches || (program_of(command) == "git" && !changes_tree(command))) continue;
      std::vector<const Word*> files = operands_of(command);
      for (const shell::Redirection& redirection : command.redirections) files.push_back(&redirection.target);
      for (const Word* word : files) {
        for (const std::string& path : paths_of(word->text)) {
          const auto content = os::read_file(path, kMaxPatch);
          if (const ProtectedPlace* place = content ? named_in_patch(*content) : nullptr) return place;
        }
      }
    }
    return nullptr;
  }

  const ProtectedPlace* named_in_patch(std::string_view text) const {
    if (!text.contains('\n')) return nullptr;
    for (const call::PatchFile& file : call::files_of_patch(text)) {
      if (file.by == call::PatchFile::By::Source) continue;
      for (const std::string& path : paths_of(file.name)) {
        if (const ProtectedPlace* place = places_.at(path)) return place;
      }
    }
    return nullptr;
  }

  /// Something writes, and what cannot be told.
  bool may_hide() const {
    return parsed_.is_unclear || std::ranges::any_of(parsed_.commands, [](const SimpleCommand& command) {
             if (is_unknown_code(command)) return true;
             const auto is_open_word = [](const Word& word) { return word.is_dynamic(); };
             const bool is_open = command.is_open || std::ranges::any_of(command.words, is_open_word) ||
                                  std::ranges::any_of(command.redirections, [&](const shell::Redirection& r) {
                                    return r.op.contains('>') && is_open_word(r.target);
                                  });
             return is_open && !command.is_remote && writes(command);
           });
  }

  bool is_mentioned() const { return places_.is_mentioned(text_); }

  void note_directories(const SimpleCommand& command) {
    const std::string_view program = program_of(command);
    const bool enters = program == "cd" || program == "pushd";
    for (size_t i = 1; i < command.words.size(); ++i) {
      const Word& word = command.words[i];
      const bool is_directory = (enters && !is_option(word)) || command.words[i - 1].text == "-C";
      if (!is_directory || word.is_dynamic()) continue;
      for (std::string& path : paths_of(word.text)) {
        if (bases_.size() < kMaxBases) bases_.push_back(std::move(path));
      }
    }
  }

  std::vector<std::string> paths_of(const std::string& name) const {
    std::vector<std::string> out;
    for (const std::string& base : bases_) {
      out.push_back(absolute_name(name, {base, around_.home}));
      if (out.back() == name) break;  // absolute as it stands
    }
    return out;
  }

  const ProtectedPlace* place_at(const Word& word) const {
    if (const ProtectedPlace* place = named_at(word)) return place;
    const size_t equals = word.text.find('=');  // of=x, --file=x
    if (equals == std::string::npos || equals + 1 == word.text.size()) return attached(word);
    Word value = word;
    value.text.erase(0, equals + 1);
    std::erase_if(value.gaps, [&](size_t gap) { return gap <= equals; });
    for (size_t& gap : value.gaps) gap -= equals + 1;
    return named_at(value);
  }

  /// `-ofile`.
  const ProtectedPlace* attached(const Word& word) const {
    if (!is_option(word) || word.text.starts_with("--") || word.text.size() < 3 || word.is_dynamic()) return nullptr;
    for (const std::string& path : paths_of(word.text.substr(2))) {
      if (const ProtectedPlace* place = places_.at(path)) return place;
    }
    return nullptr;
  }

  const ProtectedPlace* named_at(const Word& word) const {
    if (word.text.empty()) return nullptr;
    if (!word.gaps.empty()) return place_around_gaps(word);
    for (const std::string& path : paths_of(word.text)) {
      const ProtectedPlace* place = places_.at(path);
      if (place == nullptr && word.has_glob) place = places_.like(path);
      if (place != nullptr) return place;
    }
    return nullptr;
  }

  /// What is in front of the unknown part leads to a directory with places, or what is behind it ends like one.
  const ProtectedPlace* place_around_gaps(const Word& word) const {
    const std::string front = word.text.substr(0, word.gaps.front());
    if (const size_t slash = front.rfind('/'); slash != std::string::npos && slash > 0) {
      for (const std::string& path : paths_of(front.substr(0, slash))) {
        if (const ProtectedPlace* place = places_.at(path)) return place;
        for (const auto& [place, rest] : places_.rests_below(path)) {
          if (rest.find('/', 1) == std::string::npos) return place;
        }
      }
    }
    return places_.ending(std::string_view(word.text).substr(word.gaps.back()));
  }

  const ProtectedPlace* place_below(const Word& word) const {
    if (word.is_dynamic() || is_option(word)) return nullptr;
    for (const std::string& path : paths_of(word.text)) {
      if (const ProtectedPlace* place = places_.below(path)) return place;
    }
    return nullptr;
  }

  const ProtectedPlaces& places_;
  const ReviewContext& around_;
  std::string_view text_;
  shell::ParsedCommand parsed_;
  std::vector<std::string> bases_;  ///< directories that names may be relative to
};

}  // namespace

std::string absolute_name(std::string_view name, const ReviewContext& around) {
  if (name.starts_with('/')) return std::string(name);
  if (name == "~" || name.starts_with("~/")) return around.home + std::string(name.substr(1));
  return around.directory + "/" + std::string(name);
}

std::string concern_in_shell(const ProtectedPlaces& places, const ReviewContext& around, std::string_view text) {
  return Review(places, around, text).concern();
}

}  // namespace grapnel::protect
