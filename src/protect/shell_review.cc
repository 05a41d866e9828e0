#include "protect/shell_review.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "call/commands.h"
#include "call/doubt.h"
#include "call/effects.h"
#include "call/file_roles.h"
#include "call/mention.h"
#include "call/words.h"
#include "protect/archive_review.h"
#include "protect/command_words.h"
#include "protect/copy_review.h"
#include "protect/git_review.h"
#include "protect/listed_places.h"
#include "protect/named_places.h"
#include "protect/own_review.h"
#include "protect/patch_review.h"
#include "shell/word_scan.h"

/// How a shell command is reviewed.
///
/// The text is parsed into simple commands. First all directories are collected that it changes to, since it is not
/// worked out which `cd` applies to which command: every name is read relative to each of them. Then each command is
/// reviewed: its redirections, and its words if it writes. Programs that reach files which they do not name need more
/// than that: copying into a directory, listing files for another command, git, and patches.
///
/// If nothing was found, but something in the text is unknown and may write, the mere mention of a place (`.claude`,
/// `grapnel`) is enough to ask a person.
namespace grapnel::protect {

namespace {

using call::Certainty;
using shell::SimpleCommand;
using shell::Word;

/// Programs that change everything below a directory, so that a place below an operand is changed too.
constexpr auto kReachBelow = std::to_array<std::string_view>(
    {"rm", "rmdir", "mv", "ln", "shred", "unlink", "trash", "chmod", "chown", "chgrp", "rsync", "mount", "umount"});
/// Programs that bring files into a directory that they are given.
constexpr auto kLoaders = std::to_array<std::string_view>({"wget", "curl", "python", "python3"});
/// Programs that start others with a different view of the file system.
constexpr auto kHiders = std::to_array<std::string_view>({"bwrap", "firejail", "proot", "unshare", "systemd-nspawn"});
/// Programs that run what files of the project say.
constexpr auto kProjectRunners = std::to_array<std::string_view>(
    {"make", "gmake", "just", "task", "ninja", "npm", "pnpm", "yarn", "bun", "rake", "tox", "nox", "invoke", "mage"});

/// Options with which a program writes that otherwise only reads.
struct InPlace {
  std::string_view program;
  std::string_view flag;
};
constexpr auto kInPlace = std::to_array<InPlace>({{"yq", "-i"},
                                                  {"yq", "--inplace"},
                                                  {"yq", "--in-place"},
                                                  {"awk", "-i"},
                                                  {"gawk", "-i"},
                                                  {"gawk", "--include"},
                                                  {"xxd", "-r"},
                                                  {"xxd", "-revert"},
                                                  {"uniq", ""},
                                                  {"tree", "-o"},
                                                  {"base64", "-o"},
                                                  {"bat", "--output"}});

/// The program of a wrapper: its entry for `find … -exec` is `find -exec`.
std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

/// Programs that check or show files.
constexpr auto kViewers = std::to_array<std::string_view>(
    {"yamllint", "jsonlint", "shellcheck", "actionlint", "sha512sum", "b2sum", "delta", "difft", "glow", "code"});

/// Whether code in another language only reads, by its words. To load these modules writes nothing.
bool only_reads_code(std::string code) {
  constexpr auto kModules = std::to_array<std::string_view>({"json", "yaml", "tomllib", "re", "pprint", "sys"});
  for (const std::string_view name : kModules) {
    const std::string wanted = "import " + std::string(name);
    const size_t at = code.find(wanted);
    const bool is_alone =
        at != std::string::npos && std::string_view(";\n").contains((code + "\n")[at + wanted.size()]);
    if (is_alone) code.erase(at, wanted.size());
  }
  return !call::Mentions::of_code(code).writing();
}

/// Also true for a program that nobody knows, since it may write.
bool writes(const SimpleCommand& command) {
  if (lists(kViewers, program_of(command))) return false;
  // The target of a redirection is a file of its own, and the words need not be written because of it.
  SimpleCommand alone = command;
  alone.redirections.clear();
  if (call::effects_of(alone).writes != Certainty::No) return true;
  return std::ranges::any_of(kInPlace, [&](const InPlace& row) {
    if (row.program != program_of(command)) return false;
    // The second operand of `uniq` is written.
    return row.flag.empty() ? command.words.size() > 2 : call::has_flag(command, row.flag) != Certainty::No;
  });
}

/// The review of one text.
class Review : private NamedPlaces {
 public:
  Review(const ProtectedPlaces& places, const ReviewContext& around, std::string_view text)
      : NamedPlaces(places, around),
        text_(text),
        parsed_(call::commands_of(text, &around.known)),
        listed_(*this, text, parsed_) {}

  /// The first reason that is found, or "".
  std::string concern() {
    for (const SimpleCommand& command : parsed_.commands) note_directories(command);
    for (const SimpleCommand& command : parsed_.commands) {
      // It runs on another machine (`ssh`), where other files have these names.
      if (command.is_remote && !is_same_machine()) continue;
      if (std::string why = review(command); !why.empty()) return why;
    }
    if (const ProtectedPlace* place = changed_by_patch(*this, text_, parsed_)) return about("a patch", *place);
    if (hands_on_text()) {
      if (const ProtectedPlace* place = named_in_text(text_)) return about("what is run later", *place);
      if (names_verb_for_people(text_)) return "what is run later is a verb of grapnel that is for people";
    }
    if (runs_decoded_text()) return "this command runs a text that it decodes, and that may be anything";
    return (may_hide() || writes_what_it_runs()) && (is_mentioned() || has_glob_of_place())
               ? "this command mentions hook settings or Grapnel's own files, and may change them"
               : "";
  }

 private:
  /// The sentence that people read.
  static std::string about(std::string_view who, const ProtectedPlace& place) {
    return std::string(who) + " would change " + place.path + " (" + place.what + ")";
  }

  /// Reviews one command by itself.
  std::string review(const SimpleCommand& command) {
    if (std::string why = concern_about_own(command, text_, runs_own(command)); !why.empty()) return why;
    const std::string who = command.words.empty() ? "a redirection" : "'" + std::string(program_of(command)) + "'";
    for (const shell::Redirection& redirection : command.redirections) {
      const bool is_written = redirection.op.contains('>');
      const ProtectedPlace* place = is_written ? place_at(redirection.target) : nullptr;
      if (place != nullptr) return about(who, *place);
    }
    const ProtectedPlace* place = changed_by(command);
    if (place == nullptr) place = written_by(command);
    return place == nullptr ? "" : about(who, *place);
  }

  /// A place that the command writes by an option or an address: `wget -qO.claude/settings.json`, `localhost:.claude`.
  const ProtectedPlace* written_by(const SimpleCommand& command) const {
    for (const call::PathUse& use : call::paths_of({.commands = {command}})) {
      if (!use.is_written || use.is_guess) continue;
      if (const ProtectedPlace* place = named_at(use.path)) return place;
    }
    return nullptr;
  }

  /// Whether a program with a slash in its name is one of Grapnel's, under its own name or another.
  bool runs_own(const SimpleCommand& command) const {
    if (command.words.empty()) return false;
    const Word& program = command.words[0];
    // The parser leaves a gap where a glob stands in the name of a program.
    std::string glob = program.text;
    for (auto gap = program.gaps.rbegin(); gap != program.gaps.rend(); ++gap) glob.insert(*gap, "*");
    if (!program.gaps.empty()) {
      if (fits_own_program(std::string(shell::base_name(glob)))) return true;
      // A list of files gives the name: `find bin -name 'grap*' -exec {} disable x \;`. No other program has `untrust`.
      const std::string_view verb = command.words.size() > 1 ? std::string_view(command.words[1].text) : "";
      return verb == "untrust" || (is_verb_of_ours(verb) && lists_own_program());
    }
    // A copy of the program whose name is new: `cat $(which grapnel) > /tmp/g; /tmp/g untrust`.
    if (program.text.contains('/') && command.words.size() > 1 && mentions_guards(text_) &&
        is_verb_of_ours(command.words[1].text))
      return true;
    if (!program.text.contains('/')) return false;
    return std::ranges::any_of(paths_of(command.words[0].text), [&](const std::string& path) {
      if (is_own_program(shell::base_name(resolve_links(path)))) return true;
      const ProtectedPlace* place = places_.at(path);
      return place != nullptr && place->is_program;
    });
  }

  /// Whether the text has a glob that fits one of Grapnel's programs.
  bool lists_own_program() const {
    std::string_view rest = text_;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find_first_of(" \t\n'\"`;|&()<>="), rest.size());
      const std::string word(shell::base_name(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (word.find_first_of("*?[") != std::string::npos && fits_own_program(word)) return true;
    }
    return false;
  }

  /// Whether `ssh` in this text leads back to this machine.
  bool is_same_machine() const {
    constexpr auto kNames = std::to_array<std::string_view>({"localhost", "127.0.0.1", "::1", "HOSTNAME", "hostname"});
    return std::ranges::any_of(kNames, [&](std::string_view name) { return text_.contains(name); });
  }

  /// Whether the text writes a file and then runs what files of the project say: a makefile, a script of a package.
  bool writes_what_it_runs() const {
    const auto writes_file = [](const SimpleCommand& command) {
      return std::ranges::any_of(command.redirections, [](const shell::Redirection& redirection) {
        return redirection.op.contains('>') && !redirection.target.text.starts_with("/dev/");
      });
    };
    return std::ranges::any_of(parsed_.commands, writes_file) &&
           std::ranges::any_of(parsed_.commands, [](const SimpleCommand& command) {
             return lists(kProjectRunners, program_of(command));
           });
  }

  /// Whether a program gets a text that it runs, now or later, although it is no shell.
  bool hands_on_text() const {
    constexpr auto kSchedulers = std::to_array<std::string_view>({"crontab", "at", "batch", "fcrontab"});
    return std::ranges::any_of(parsed_.commands, [&](const SimpleCommand& command) {
      if (lists(kSchedulers, program_of(command)))
        return call::has_flag(command, "-l") == Certainty::No || text_.contains('|');
      if (!lists(kProjectRunners, program_of(command))) return false;
      const auto is_text = [](const shell::Redirection& redirection) { return redirection.op.starts_with("<<"); };
      if (std::ranges::any_of(command.redirections, is_text)) return true;
      return std::ranges::any_of(command.words, [](const Word& word) {
        return word.text == "-" || word.text == "-f-" || word.text.starts_with("/dev/stdin") ||
               word.text.starts_with("/dev/fd/");
      });
    });
  }

  /// A place that a text of another language names: `path=/home/me/.claude state=absent`.
  const ProtectedPlace* named_in_text(std::string_view text) const {
    constexpr std::string_view kBetween = " \t\n'\"`=,;:()[]{}<>|&";
    while (!text.empty()) {
      const size_t end = std::min(text.find_first_of(kBetween), text.size());
      const std::string name(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (name.size() < 3 || !(name.contains('/') || name.starts_with('.'))) continue;
      for (const std::string& path : paths_of(name)) {
        const ProtectedPlace* place = places_.at(path);
        if (place == nullptr && !is_around(path)) place = places_.below(path);
        if (place != nullptr && !place->is_program) return place;
      }
    }
    return nullptr;
  }

  /// The place that the words of the command say it changes; null if there is none.
  const ProtectedPlace* changed_by(const SimpleCommand& command) const {
    const std::string_view program = program_of(command);
    if (program.empty() || is_unknown_code(command)) return nullptr;
    if (is_own_program(program)) return written_by_own(command);
    if (program == "git") return changed_by_git(command);
    if (unpacks(command)) return changed_by_unpacking(command);
    if (lists(kHiders, program)) return hidden_by(command);
    if (is_lister(program)) return listed_.changed_by(command);
    if (is_copier(program)) return changed_by_copy(*this, command);
    if (!writes(command) || only_remounts(command)) return nullptr;
    // Behind `find -exec`, the operands are files that find lists, and `listed_` has checked these.
    const bool is_listed = !command.wrappers.empty() && is_lister(first_word(command.wrappers.back()));
    const bool reaches_below = lists(kReachBelow, program) && !is_listed;
    const bool may_reach_below =
        !is_listed && !reaches_below && (lists(kLoaders, program) || !call::is_known_program(program));
    for (size_t i = 1; i < command.words.size(); ++i) {
      const ProtectedPlace* place = place_at(command.words[i]);
      if (place == nullptr && reaches_below) place = place_below(command.words[i]);
      if (place == nullptr && may_reach_below) place = place_inside(command.words[i]);
      // A program that nobody knows may have a language of its own.
      const bool is_text = command.words[i].text.find_first_of(" ,:") != std::string::npos && !only_tells(command) &&
                           !is_code_that_reads();
      if (place == nullptr && is_text && !call::is_known_program(program)) place = named_in_text(command.words[i].text);
      if (place != nullptr) return place;
    }
    return nullptr;
  }

  /// `mount -o remount /` and `mount --make-private /` hide nothing.
  static bool only_remounts(const SimpleCommand& command) {
    return program_of(command) == "mount" && std::ranges::any_of(command.words, [](const Word& word) {
             return word.text.contains("remount") || word.text.starts_with("--make-");
           });
  }

  /// Grapnel's harmless verbs read the files that they are given, and write where they are told to.
  const ProtectedPlace* written_by_own(const SimpleCommand& command) const {
    for (size_t i = 1; i < command.words.size(); ++i) {
      const std::string& word = command.words[i].text;
      const bool is_output = word.starts_with("--output=") || command.words[i - 1].text == "--output" ||
                             command.words[i - 1].text == "-o" || (word.starts_with("-o") && word.size() > 2);
      if (const ProtectedPlace* place = is_output ? place_at(command.words[i]) : nullptr) return place;
    }
    return nullptr;
  }

  /// An archive may bring any file below the directory into which it is unpacked. Members that are named are files,
  /// too.
  const ProtectedPlace* changed_by_unpacking(const SimpleCommand& command) const {
    const std::vector<std::string> targets = unpacked_into(command, bases_, around_.home);
    std::vector<std::string> archives;
    for (const Word* word : operands_of(command)) {
      if (const ProtectedPlace* place = place_at(*word)) return place;
      if (word->is_dynamic()) continue;
      for (const std::string& target : targets) {
        // A glob stands for members below the directory in front of it.
        const size_t wild = std::min(word->text.find_first_of("*?["), word->text.size());
        const size_t slash = wild == word->text.size() ? wild : word->text.rfind('/', wild);
        if (slash == std::string::npos) continue;
        const std::string member = absolute_name(word->text.substr(0, slash), {target, around_.home});
        const ProtectedPlace* place = places_.at(member);
        if (place == nullptr && std::ranges::find(targets, member) == targets.end()) place = places_.below(member);
        if (place != nullptr) return place;
      }
      for (std::string& path : paths_of(word->text)) {
        if (std::ranges::find(targets, path) == targets.end()) archives.push_back(std::move(path));
      }
    }
    if (const ProtectedPlace* place = unpacked_over(places_, targets, archives, around_.directory)) return place;
    return std::ranges::any_of(archives, is_there) ? nullptr : piped_over(targets);
  }

  /// An archive that another command of the text makes: `git archive v1 .agents | tar x`.
  const ProtectedPlace* piped_over(const std::vector<std::string>& targets) const {
    for (const SimpleCommand& command : parsed_.commands) {
      if (unpacks(command) || program_of(command) == "cd") continue;
      const bool is_whole = call::matches_command(command, {"git", "archive"}) == Certainty::Yes;
      for (const std::string& target : is_whole ? targets : std::vector<std::string>{}) {
        for (const auto& [place, rest] : places_.rests_below(target)) {
          if (!place->is_program && is_there(place->path)) return place;
        }
      }
      for (const Word* word : operands_of(command)) {
        if (const ProtectedPlace* place = word->is_dynamic() ? nullptr : named_in_text(word->text)) return place;
        for (const std::string& target : targets) {
          if (word->is_dynamic() || !word->text.starts_with('.') || word->text.size() < 3) continue;
          const std::string member = absolute_name(word->text, {target, around_.home});
          const ProtectedPlace* place = places_.at(member);
          if (place == nullptr && !is_around(member)) place = places_.below(member);
          if (place != nullptr) return place;
        }
      }
    }
    return nullptr;
  }

  /// A place that a command would hide from the program that it starts. Directories around the current one are usually
  /// shown, not hidden.
  const ProtectedPlace* hidden_by(const SimpleCommand& command) const {
    for (const Word* word : operands_of(command)) {
      if (const ProtectedPlace* place = place_at(*word)) return place;
      for (const std::string& path : paths_of(word->text)) {
        const bool is_around = path == "/" || (around_.directory + "/").starts_with(path + "/");
        if (const ProtectedPlace* place = is_around ? nullptr : places_.below(path)) return place;
      }
    }
    return nullptr;
  }

  /// Git may change files that it names, files below a directory that it names, and files that it does not name.
  const ProtectedPlace* changed_by_git(const SimpleCommand& command) const {
    if (!changes_tree(command)) return nullptr;
    for (const Word* word : operands_of(command)) {
      const ProtectedPlace* place = place_at(*word);
      if (place == nullptr) place = place_below(*word);
      if (place != nullptr) return place;
    }
    return changed_unnamed(places_, command, bases_);
  }

  /// Whether there is code in another language, and it only reads.
  bool is_code_that_reads() const {
    return std::ranges::any_of(parsed_.commands, [](const SimpleCommand& command) {
      return is_unknown_code(command) && command.code && only_reads_code(*command.code);
    });
  }

  /// `base64 -d … | sh`, `$(rev <<< …)`
  bool runs_decoded_text() const {
    const auto is_unseen = [](const SimpleCommand& command) { return is_unknown_code(command) && !command.code; };
    return std::ranges::any_of(parsed_.commands, is_unseen) && call::decodes_text(parsed_);
  }

  /// Whether the text may write something that cannot be told from it.
  bool may_hide() const {
    return parsed_.is_unclear || std::ranges::any_of(parsed_.commands, [](const SimpleCommand& command) {
             // Code that has no word for writing or running only reads.
             if (is_unknown_code(command)) return !command.code || !only_reads_code(*command.code);
             const auto is_open_word = [](const Word& word) { return word.is_dynamic(); };
             const bool is_open = command.is_open || std::ranges::any_of(command.words, is_open_word) ||
                                  std::ranges::any_of(command.redirections, [&](const shell::Redirection& r) {
                                    return r.op.contains('>') && is_open_word(r.target);
                                  });
             const bool is_written = writes(command) || std::ranges::any_of(command.redirections, [](const auto& r) {
                                       return r.op.contains('>') && r.target.is_dynamic();
                                     });
             return is_open && !command.is_remote && is_written;
           });
  }

  bool is_mentioned() const { return places_.is_mentioned(text_); }

  /// Whether a glob anywhere in the text fits a place: `for f in ~/.c*/settings.json; do echo > $f; done`.
  bool has_glob_of_place() const {
    return std::ranges::any_of(shell::tokenize(text_), [&](const shell::Token& token) {
      const bool is_wide = token.text.find_first_not_of("*?./~") == std::string::npos;
      Word word;
      word.text = token.text;
      word.has_glob = true;
      return token.has_glob && !is_wide && named_at(word) != nullptr;
    });
  }

  std::string_view text_;
  shell::ParsedCommand parsed_;
  ListedPlaces listed_;
};

}  // namespace

std::string concern_in_shell(const ProtectedPlaces& places, const ReviewContext& around, std::string_view text) {
  return Review(places, around, text).concern();
}

}  // namespace grapnel::protect
