#include "protect/own_review.h"

#include <fnmatch.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "call/effects.h"
#include "call/words.h"
#include "dialect/dialect.h"
#include "os/files.h"
#include "protect/command_words.h"

/// Each kind of attack is a table and a short function. A verb of Grapnel that is in neither of the two tables is for
/// people: a later version may have verbs that this one does not know.
namespace grapnel::protect {

namespace {

using call::Certainty;
using shell::SimpleCommand;
using shell::Word;

constexpr auto kOwnPrograms = std::to_array<std::string_view>(
    {"grapnel", "grapnel-engine", "grapnel-journal", "grapnel-agent", "grapnel-ui", "grapnel-fleet"});
/// The verb that starts the page in which people approve, trust and save, and its program.
constexpr std::string_view kPageVerb = "ui";
constexpr std::string_view kPageProgram = "grapnel-ui";
/// The verb with verbs of its own, and its program. Most of them say what holds on machines, and who is one.
constexpr std::string_view kFleetVerb = "fleet";
constexpr std::string_view kFleetProgram = "grapnel-fleet";
constexpr auto kHarmlessFleetVerbs = std::to_array<std::string_view>({"status", "log", "why", "stats", "flush"});

/// Verbs that change nothing about which hooks run.
constexpr auto kHarmlessVerbs = std::to_array<std::string_view>(
    {"fire", "list", "check", "explain", "why", "log", "stats", "test", "record", "status", "doctor", "agents", "agent",
     "convert", "schema", "completion", "serve", "help", "version"});
/// Verbs that do. Some are not verbs of this version, but words that people would try.
constexpr auto kVerbsForPeople = std::to_array<std::string_view>(
    {"approve", "trust",   "untrust", "enable",  "disable", "install", "uninstall", "init",
     "new",     "add",     "remove",  "update",  "pack",    "packs",   "config",    "set",
     "observe", "enforce", "pause",   "suspend", "reset",   "off",     "stop"});
/// Words that name a verb for people wherever they stand behind `grapnel` in a text. The others are common words.
constexpr auto kTellingVerbs = std::to_array<std::string_view>(
    {"approve", "trust", "untrust", "disable", "uninstall", "install", "--stop", "remove"});

constexpr auto kKillers = std::to_array<std::string_view>({"kill", "pkill", "killall", "killall5", "skill", "snice",
                                                           "fuser", "tkill", "pidwait", "taskkill", "xkill", "cpulimit",
                                                           "prlimit", "criu", "gcore", "reptyr", "kill-port"});
/// Programs that install and remove others, or start and stop services.
constexpr auto kManagers = std::to_array<std::string_view>(
    {"apt",           "apt-get", "aptitude",  "dpkg",    "rpm",        "dnf",     "yum",       "zypper",   "pacman",
     "apk",           "brew",    "port",      "snap",    "flatpak",    "pip",     "pip3",      "pipx",     "npm",
     "pnpm",          "yarn",    "cargo",     "gem",     "nix",        "nix-env", "guix",      "conda",    "make",
     "gmake",         "ninja",   "systemctl", "service", "rc-service", "sv",      "launchctl", "loginctl", "initctl",
     "supervisorctl", "pm2",     "docker",    "podman",  "asdf",       "mise"});
constexpr auto kRemovals = std::to_array<std::string_view>(
    {"freeze",     "revert",  "uninstall", "remove", "purge",  "--purge",     "--remove", "erase",
     "autoremove", "unlink",  "stop",      "mask",   "kill",   "disable",     "delete",   "rm",
     "un",         "-r",      "-e",        "-R",     "-Rs",    "-Rns",        "-P",       "unload",
     "bootout",    "--erase", "rmi",       "pause",  "unmask", "--uninstall", "-U"});

/// Programs that show or keep their words as text.
constexpr auto kTellers =
    std::to_array<std::string_view>({"echo", "printf", "grep",  "egrep", "fgrep",   "rg",    "ag",   "ack",  "cat",
                                     "ls",   "man",    "which", "type",  "whereis", "pgrep", "ps",   "test", "[",
                                     ":",    "true",   "gh",    "glab",  "hg",      "less",  "head", "tail", "wc"});
/// Subcommands of git that take a text.
constexpr auto kGitTexts = std::to_array<std::string_view>(
    {"commit", "tag", "log", "grep", "notes", "diff", "show", "merge", "stash", "branch", "blame", "add", "status"});

/// Options with which an agent starts without hooks.
constexpr auto kBareOptions = std::to_array<std::string_view>({"--bare", "--safe-mode", "--setting-sources"});
/// Subcommands that only show settings.
constexpr auto kShowing = std::to_array<std::string_view>({"list", "show", "get", "--help", "-h", "help"});

/// Variables of Grapnel that a command line has no business to set for an agent.
constexpr auto kOwnVariables = std::to_array<std::string_view>(
    {"GRAPNEL_DISABLE", "GRAPNEL_CONFIG", "GRAPNEL_SHELL", "GRAPNEL_TIMEOUT", "GRAPNEL_MASK", "GRAPNEL_PAYLOADS",
     "GRAPNEL_KEEP", "GRAPNEL_SERVE", "GRAPNEL_DEPTH", "GRAPNEL_REPLAY"});
constexpr auto kExporters = std::to_array<std::string_view>(
    {"unset", "export", "declare", "typeset", "readonly", "local", "set", "setenv", "launchctl", "systemctl", "tmux"});

bool is_dynamic(const SimpleCommand& command) {
  return command.is_open || std::ranges::any_of(command.words, [](const Word& word) { return word.is_dynamic(); });
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether the text has the word, which is in lower case, in any case and with characters of `between` inside.
bool says(std::string_view text, std::string_view word, std::string_view between) {
  for (size_t start = 0; start < text.size(); ++start) {
    if (lower(text[start]) != word[0]) continue;
    size_t fits = 1;
    for (size_t at = start + 1; at < text.size() && fits < word.size(); ++at) {
      if (lower(text[at]) == word[fits]) {
        ++fits;
      } else if (!between.contains(text[at])) {
        break;
      }
    }
    if (fits == word.size()) return true;
  }
  return false;
}

/// Quotes, backslashes and brackets may split a name: `gra"pnel"`, `[g]rapnel`. Every call is asked this, so the text
/// is not copied.
bool says_own(std::string_view text) {
  return says(text, "grapnel", "'\"\\[]");
}

bool has_word(const SimpleCommand& command, const auto& names) {
  return std::ranges::any_of(command.words, [&](const Word& word) { return lists(names, word.text); });
}

/// Whether the first word that is no option names a harmless verb of the fleet.
bool only_looks_at_fleet(const SimpleCommand& command) {
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    if (word.is_dynamic()) return false;
    if (word.text == kFleetVerb || word.text.starts_with('-')) continue;
    return lists(kHarmlessFleetVerbs, word.text);
  }
  return !command.is_open;
}

/// Why these words behind the program are for people.
std::string own_verb(const SimpleCommand& command) {
  std::string_view verb = program_of(command) == kPageProgram    ? kPageVerb
                          : program_of(command) == kFleetProgram ? kFleetVerb
                                                                 : "";
  for (size_t i = 1; i < command.words.size() && verb.empty(); ++i) {
    const std::string& text = command.words[i].text;
    if (text == "--help" || text == "-h" || text == "--version" || text == "-V") return "";
    if (lists(kHarmlessVerbs, text) || lists(kVerbsForPeople, text) || text == kPageVerb || text == kFleetVerb)
      verb = text;
  }
  const auto refuse = [&] { return "'grapnel " + std::string(verb) + "' is for people"; };
  if (verb.empty()) {
    const bool has_words = std::ranges::any_of(command.words.begin() + 1, command.words.end(), [](const Word& word) {
      return word.is_dynamic() || !word.text.starts_with('-');
    });
    return has_words || command.is_open ? "which verb of grapnel this is cannot be told, and some are for people" : "";
  }
  if (verb == kFleetVerb) return only_looks_at_fleet(command) ? "" : refuse();
  if (verb == "serve")
    return call::has_flag(command, "--stop") == Certainty::No && !is_dynamic(command) ? "" : refuse();
  if (lists(kHarmlessVerbs, verb)) return "";
  const bool only_shows = call::has_flag(command, "--help") == Certainty::Yes ||
                          call::has_flag(command, "--dry-run") == Certainty::Yes ||
                          (verb == "init" && call::has_flag(command, "--list") == Certainty::Yes) ||
                          (verb == kPageVerb && call::has_flag(command, "--read-only") == Certainty::Yes);
  return only_shows ? "" : refuse();
}

/// The words of a text, without whatever is between them: quotes, brackets, commas.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  return out;
}

/// Whether a text names Grapnel and, a few words further on, a verb for people. That may be code of any language.
bool names_verb(std::string_view text) {
  constexpr size_t kNear = 4;
  if (!says_own(text)) return false;
  const std::vector<std::string> tokens = tokens_of(text);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_own_program(tokens[i])) continue;
    for (size_t j = i + 1; j < tokens.size() && j <= i + kNear; ++j) {
      if (lists(kTellingVerbs, tokens[j])) return true;
    }
  }
  return false;
}

/// A program that nobody knows may run what follows it: `screen -dm grapnel untrust`.
std::string hidden_verb(const SimpleCommand& command) {
  if (only_tells(command)) return "";
  std::string joined;
  for (size_t i = 1; i < command.words.size(); ++i) joined += command.words[i].text + " ";
  return names_verb(joined) ? "'" + std::string(program_of(command)) + "' may run a verb of grapnel that is for people"
                            : "";
}

/// Whether the pattern of pkill fits one of our programs.
bool fits_own(const std::string& pattern) {
  return std::ranges::any_of(kOwnPrograms,
                             [&](std::string_view name) { return fits_pattern(pattern, std::string(name)); });
}

/// Whether the text looks for our processes: `pgrep -f gra.nel`.
bool looks_for_own(std::string_view text) {
  for (size_t at = text.find("pgrep "); at != std::string_view::npos; at = text.find("pgrep ", at + 1)) {
    const std::string_view rest = text.substr(at + 6, text.find_first_of("|;)`\n", at) - at - 6);
    for (const std::string_view word : text::split(rest, ' ')) {
      std::string plain(word);
      std::erase_if(plain, [](char c) { return c == '\'' || c == '"'; });
      if (!plain.starts_with('-') && fits_own(plain)) return true;
    }
  }
  return false;
}

/// Whether the word is the id of a process of Grapnel.
bool is_own_process(const std::string& word) {
  const bool is_number = !word.empty() && word.size() < 10 &&
                         std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!is_number) return false;
  const auto name = os::read_file("/proc/" + word + "/comm", 64);
  return name && is_own_program(text::trim(*name));
}

std::string killing(const SimpleCommand& command, std::string_view text) {
  const std::string_view program = program_of(command);
  constexpr auto kEnders = std::to_array<std::string_view>(
      {"terminate-user", "kill-user", "terminate-session", "kill-session", "terminate-seat"});
  if (program == "loginctl" && has_word(command, kEnders)) return "'loginctl' would end processes of Grapnel";
  if (!lists(kKillers, program)) return "";
  const std::string why = "'" + std::string(program) + "' would end processes of Grapnel";
  if (is_dynamic(command) && (says_own(text) || looks_for_own(text))) return why;
  const bool takes_patterns = program != "kill" && program != "fuser";
  for (size_t i = 1; i < command.words.size(); ++i) {
    const std::string& word = command.words[i].text;
    if (says_own(word) || is_own_process(word) || (takes_patterns && !word.starts_with('-') && fits_own(word)))
      return why;
  }
  // Every process of the user.
  const bool is_of_user =
      takes_patterns && command.words.size() < 5 &&
      std::ranges::any_of(
          command.words,
          [](const Word& word) { return word.text == "-u" || word.text == "-U" || word.text == "--user"; });
  const bool is_all = program == "killall5" || (is_of_user && command.words.size() == 3) ||
                      (command.words.size() > 2 && command.words.back().text == "-1");
  return is_all ? why : "";
}

/// Something else under the name of one of our programs: a function, an alias, a path that the shell remembers.
std::string replacing(const SimpleCommand& command, std::string_view text) {
  constexpr auto kDefiners = std::to_array<std::string_view>({"alias", "hash", "export", "declare", "typeset"});
  const bool is_there = text.contains(kOwnPrograms.front());  // the names of the others begin with it
  const auto is_defined = [&](std::string_view name) {
    if (!is_there) return false;
    const std::string plain(name);
    return text.contains(plain + "()") || text.contains(plain + " ()") || text.contains("function " + plain);
  };
  const bool is_named = std::ranges::any_of(command.words, [&](const Word& word) {
    const std::string_view name = std::string_view(word.text).substr(0, word.text.find('='));
    return is_own_program(name) && &word != &command.words.front();
  });
  const bool is_replaced = (lists(kDefiners, program_of(command)) && is_named && command.words.size() > 1) ||
                           std::ranges::any_of(kOwnPrograms, is_defined);
  return is_replaced && !only_tells(command) ? "it would put something else in the place of Grapnel's program" : "";
}

/// The library that hosts are linked with, where it is installed, and what a running Grapnel keeps, whoever runs it.
std::string changing_installed(const SimpleCommand& command) {
  const auto is_own = [](const Word& word) {
    const std::string_view name = shell::base_name(word.text);
    const bool is_library = word.text.starts_with('/') && word.text.contains("/lib") && name.starts_with("libgrapnel");
    return is_library || (word.text.starts_with("/run/user/") && word.text.contains("/grapnel"));
  };
  if (command.words.empty() || std::none_of(command.words.begin() + 1, command.words.end(), is_own)) return "";
  return call::effects_by_table(command).writes == Certainty::No
             ? ""
             : "'" + std::string(program_of(command)) + "' would change files of Grapnel";
}

std::string removing(const SimpleCommand& command) {
  if (!lists(kManagers, program_of(command)) || !has_word(command, kRemovals)) return "";
  const bool is_own = std::ranges::any_of(command.words, [](const Word& word) {
    const std::string_view name = shell::base_name(word.text);
    return name.starts_with("grapnel") || name.starts_with("libgrapnel");
  });
  return is_own ? "'" + std::string(program_of(command)) + "' would stop or remove Grapnel" : "";
}

bool is_agent(std::string_view program) {
  return program == "cursor-agent" ||
         std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) { return dialect->name == program; });
}

/// An agent that has no hooks of its own, so that nothing here would see what it does.
std::string agent_of_its_own(const SimpleCommand& command) {
  constexpr auto kAgents = std::to_array<std::string_view>(
      {"aider", "goose", "amp", "crush", "openhands", "plandex", "gptme", "interpreter", "auggie", "droid", "cline"});
  constexpr auto kHarmless = std::to_array<std::string_view>({"--help", "-h", "--version", "-V", "help", "version"});
  if (!lists(kAgents, program_of(command)) || command.words.size() < 2 || has_word(command, kHarmless)) return "";
  return "'" + std::string(program_of(command)) + "' is an agent without these hooks";
}

/// Another agent that is told to leave the hooks out, or the agent's own command for its settings.
std::string agent_without_hooks(const SimpleCommand& command) {
  const std::string_view program = program_of(command);
  if (!is_agent(program) || has_word(command, kShowing)) return "";
  const auto is_about_hooks = [](const Word& word) {
    // A prompt is a text with blanks; settings may be an object.
    const bool is_prompt = word.text.contains(' ') && !word.text.contains('{') && !word.text.contains('=');
    return lists(kBareOptions, word.text) || (!is_prompt && text::to_lower(word.text).contains("hook"));
  };
  constexpr auto kParts = std::to_array<std::string_view>({"plugin", "plugins", "extension", "extensions"});
  if (has_word(command, kParts) && has_word(command, kRemovals))
    return "'" + std::string(program) + "' would take away an extension, which may bring hooks";
  // Settings in a file may say anything; those in the text can be read.
  const auto names_file = [&](size_t at) {
    constexpr std::string_view kSettings = "--settings";
    const std::string_view word = command.words[at].text;
    if (!word.starts_with(kSettings)) return false;
    const bool is_next = word.size() == kSettings.size() && at + 1 < command.words.size();
    return !(is_next ? std::string_view(command.words[at + 1].text) : word).contains('{');
  };
  bool is_told = std::ranges::any_of(command.words.begin() + 1, command.words.end(), is_about_hooks);
  for (size_t i = 1; i < command.words.size(); ++i) is_told = is_told || names_file(i);
  return is_told ? "'" + std::string(program) + "' would change which hooks run, or start an agent without them" : "";
}

/// Variables that decide where hooks are looked for, or whether they run.
std::string redirecting(const SimpleCommand& command) {
  const std::string_view program = program_of(command);
  const bool starts_agent = is_agent(program) || is_own_program(program);
  const auto is_guarded = [&](std::string_view name) {
    const bool is_place = starts_agent && (name == "HOME" || name == "PATH" || name.starts_with("XDG_"));
    return is_place || lists(kOwnVariables, name) || lists(place_variables(), name);
  };
  const auto refuse = [](std::string_view name) {
    return "it sets " + std::string(name) + ", which decides about hooks";
  };
  for (const shell::Assignment& assignment : command.assignments) {
    if (is_guarded(assignment.name)) return refuse(assignment.name);
  }
  if (only_tells(command)) return "";
  for (size_t i = 1; i < command.words.size(); ++i) {
    const std::string_view word = command.words[i].text;
    const std::string_view name = word.substr(0, word.find('='));
    const bool is_unset =
        program == "env" && (command.words[i - 1].text == "-u" || command.words[i - 1].text == "--unset");
    const bool is_set = name.size() < word.size() || is_unset || lists(kExporters, program);
    if (is_set && is_guarded(name)) return refuse(name);
  }
  return "";
}

}  // namespace

bool is_own_program(std::string_view base_name) {
  return lists(kOwnPrograms, base_name);
}

std::vector<std::string_view> own_programs() {
  return {kOwnPrograms.begin(), kOwnPrograms.end()};
}

const std::vector<std::string_view>& place_variables() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> out;
    for (const Dialect* dialect : all_dialects()) {
      for (const HookFilePlace& place : dialect->files.places) {
        for (const std::string_view name : {place.home_override, place.dir_override, place.path_override}) {
          if (!name.empty() && !lists(out, name)) out.push_back(name);
        }
      }
    }
    return out;
  }();
  return kNames;
}

bool names_verb_for_people(std::string_view text) {
  return names_verb(text);
}

bool is_verb_of_ours(std::string_view word) {
  return word == "trust" || word == "untrust" || word == "disable" || word == "uninstall";
}

bool fits_own_program(const std::string& glob) {
  return std::ranges::count_if(glob, [](unsigned char c) { return std::isalpha(c) != 0; }) > 2 &&
         std::ranges::any_of(kOwnPrograms, [&](std::string_view name) {
           return ::fnmatch(glob.c_str(), std::string(name).c_str(), 0) == 0;
         });
}

bool mentions_guards(std::string_view text) {
  return says_own(text) || says(text, "disableallhooks", "") ||
         std::ranges::any_of(place_variables(), [&](std::string_view name) { return text.contains(name); });
}

bool only_tells(const SimpleCommand& command) {
  const std::string_view program = program_of(command);
  if (program != "git") return lists(kTellers, program);
  const size_t at = call::find_subcommand(command);
  const bool has_config = call::has_flag(command, "-c") != Certainty::No && at > 1;
  return at < command.words.size() && lists(kGitTexts, command.words[at].text) && !has_config;
}

std::string concern_about_own(const SimpleCommand& command, std::string_view text, bool runs_own) {
  if (std::string why = redirecting(command); !why.empty()) return why;
  if (is_own_program(program_of(command)) || runs_own) return own_verb(command);
  if (std::string why = killing(command, text); !why.empty()) return why;
  if (std::string why = removing(command); !why.empty()) return why;
  if (std::string why = changing_installed(command); !why.empty()) return why;
  if (std::string why = replacing(command, text); !why.empty()) return why;
  if (std::string why = agent_without_hooks(command); !why.empty()) return why;
  if (std::string why = agent_of_its_own(command); !why.empty()) return why;
  return hidden_verb(command);
}

}  // namespace grapnel::protect
