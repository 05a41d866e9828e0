#include "call/effects.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "call/file_roles.h"
#include "call/harmless.h"
#include "call/mention.h"
#include "call/words.h"
#include "shell/word_scan.h"

/// The effects of a command come from two tables. `kReaders` lists programs that only read, at least without special
/// options; it includes wrappers such as `sudo`, because what they run is a command of its own in the list. `kRows`
/// says what other programs do, by subcommand and option. Rows add up, with one exception: when a row for the
/// subcommand matches for sure (`git status`), the row for the program alone (`git`) no longer counts, because it only
/// says what unlisted subcommands do.
namespace grapnel::call {

namespace {

constexpr unsigned kReads = 0;
constexpr unsigned kWrites = 1;
constexpr unsigned kNetwork = 2;
constexpr unsigned kDestroys = 4 | kWrites;
constexpr unsigned kRunsScripts = 8;  ///< runs scripts of the project, which may write and may use the network

/// Leading words and an option of a command, and what the command does when it has them.
struct EffectRow {
  std::string_view program;
  std::string_view subcommand;  ///< up to two words; "" for the program in general
  std::string_view flag;        ///< "" when no option is needed
  unsigned does;                ///< kReads, kWrites, …
};

constexpr auto kReaders = std::to_array<std::string_view>({
    "ls",     "cat",      "head",      "tail",    "less",     "more",    "wc",       "grep",     "egrep",    "fgrep",
    "rg",     "ag",       "ack",       "sort",    "uniq",     "cut",     "tr",       "diff",     "cmp",      "comm",
    "file",   "stat",     "du",        "df",      "pwd",      "echo",    "printf",   "true",     "false",    "test",
    "[",      "which",    "type",      "whereis", "whoami",   "id",      "groups",   "date",     "uname",    "hostname",
    "env",    "printenv", "ps",        "top",     "uptime",   "free",    "basename", "dirname",  "realpath", "readlink",
    "md5sum", "sha1sum",  "sha256sum", "cksum",   "jq",       "yq",      "tree",     "find",     "gfind",    "fd",
    "locate", "column",   "nl",        "od",      "xxd",      "hexdump", "strings",  "seq",      "sleep",    "cd",
    "pushd",  "popd",     "dirs",      "history", "jobs",     "man",     "help",     "lsof",     "pgrep",    "tac",
    "rev",    "fold",     "expr",      "bc",      "nproc",    "arch",    "locale",   "tty",      "look",     "paste",
    "join",   "awk",      "gawk",      "mawk",    "sed",      "gsed",    "xargs",    "parallel", "time",     "timeout",
    "nice",   "nohup",    "stdbuf",    "command", "builtin",  "exec",    "eval",     "watch",    ":",        "set",
    "shopt",  "export",   "declare",   "local",   "readonly", "typeset", "unset",    "alias",    "return",   "exit",
    "break",  "continue", "shift",     "read",    "wait",     "trap",    "let",      "bat",      "eza",      "cloc",
    "tokei",  "sudo",     "doas",      "setsid",  "ionice",   "getent",  "lscpu",    "lsblk",    "dmesg",    "base64",
});

constexpr auto kRows = std::to_array<EffectRow>({
    {"rm", "", "", kDestroys},
    {"rmdir", "", "", kWrites},
    {"unlink", "", "", kDestroys},
    {"shred", "", "", kDestroys},
    {"srm", "", "", kDestroys},
    {"wipe", "", "", kDestroys},
    {"wipefs", "", "", kDestroys},
    {"truncate", "", "", kDestroys},
    {"dd", "", "", kDestroys},
    {"mkswap", "", "", kDestroys},
    {"fdisk", "", "", kDestroys},
    {"sfdisk", "", "", kDestroys},
    {"parted", "", "", kDestroys},
    {"blkdiscard", "", "", kDestroys},
    {"cryptsetup", "", "", kDestroys},
    {"shutdown", "", "", kDestroys},
    {"reboot", "", "", kDestroys},
    {"poweroff", "", "", kDestroys},
    {"halt", "", "", kDestroys},
    {"userdel", "", "", kDestroys},
    {"dropdb", "", "", kDestroys | kNetwork},
    {"kill", "", "", kWrites},
    {"pkill", "", "", kWrites},
    {"killall", "", "", kWrites},
    {"cp", "", "", kWrites},
    {"mv", "", "", kWrites},
    {"ln", "", "", kWrites},
    {"mkdir", "", "", kWrites},
    {"touch", "", "", kWrites},
    {"tee", "", "", kWrites},
    {"install", "", "", kWrites},
    {"chmod", "", "", kWrites},
    {"chmod", "", "-R", kDestroys},
    {"chown", "", "", kWrites},
    {"chown", "", "-R", kDestroys},
    {"chgrp", "", "", kWrites},
    {"patch", "", "", kWrites},
    {"tar", "", "", kWrites},
    {"unzip", "", "", kWrites},
    {"zip", "", "", kWrites},
    {"gzip", "", "", kWrites},
    {"gunzip", "", "", kWrites},
    {"crontab", "", "", kWrites},
    {"crontab", "", "-r", kDestroys},
    {"sed", "", "-i", kWrites},
    {"gsed", "", "-i", kWrites},
    {"perl", "", "-i", kWrites},
    {"sort", "", "-o", kWrites},
    {"find", "", "-delete", kDestroys},
    {"find", "", "-fprint", kWrites},
    {"find", "", "-fls", kWrites},
    {"fd", "", "-x", kWrites},
    {"curl", "", "", kNetwork},
    {"curl", "", "-o", kNetwork | kWrites},
    {"curl", "", "-O", kNetwork | kWrites},
    {"wget", "", "", kNetwork | kWrites},
    {"ssh", "", "", kNetwork},
    {"scp", "", "", kNetwork | kWrites},
    {"sftp", "", "", kNetwork | kWrites},
    {"rsync", "", "", kNetwork | kWrites},
    {"rsync", "", "--delete", kNetwork | kDestroys},
    {"nc", "", "", kNetwork},
    {"ncat", "", "", kNetwork},
    {"telnet", "", "", kNetwork},
    {"ftp", "", "", kNetwork | kWrites},
    {"ping", "", "", kNetwork},
    {"dig", "", "", kNetwork},
    {"nslookup", "", "", kNetwork},
    {"host", "", "", kNetwork},
    {"socat", "", "", kNetwork},
    {"nmap", "", "", kNetwork},
    {"git", "", "", kWrites},
    {"git", "status", "", kReads},
    {"git", "log", "", kReads},
    {"git", "diff", "", kReads},
    {"git", "show", "", kReads},
    {"git", "blame", "", kReads},
    {"git", "grep", "", kReads},
    {"git", "rev-parse", "", kReads},
    {"git", "ls-files", "", kReads},
    {"git", "ls-tree", "", kReads},
    {"git", "describe", "", kReads},
    {"git", "shortlog", "", kReads},
    {"git", "cat-file", "", kReads},
    {"git", "merge-base", "", kReads},
    {"git", "fetch", "", kNetwork | kWrites},
    {"git", "pull", "", kNetwork | kWrites},
    {"git", "clone", "", kNetwork | kWrites},
    {"git", "ls-remote", "", kNetwork},
    {"git", "push", "", kNetwork | kWrites},
    {"git", "push", "--force", kDestroys},
    {"git", "push", "--force-with-lease", kDestroys},
    {"git", "push", "--mirror", kDestroys},
    {"git", "push", "--delete", kDestroys},
    {"git", "push", "-d", kDestroys},
    {"git", "reset", "--hard", kDestroys},
    {"git", "clean", "", kDestroys},
    {"git", "clean", "--dry-run", kReads},
    {"git", "checkout", "--force", kDestroys},
    {"git", "restore", "", kDestroys},
    {"git", "branch", "-D", kDestroys},
    {"git", "stash drop", "", kDestroys},
    {"git", "stash clear", "", kDestroys},
    {"git", "reflog expire", "", kDestroys},
    {"git", "filter-branch", "", kDestroys},
    {"git", "worktree remove", "", kDestroys},
    {"npm", "", "", kWrites | kNetwork},
    {"npm", "ls", "", kReads},
    {"npm", "test", "", kRunsScripts},
    {"npm", "run", "", kRunsScripts},
    {"npm", "unpublish", "", kDestroys},
    {"yarn", "", "", kWrites | kNetwork},
    {"yarn", "test", "", kRunsScripts},
    {"yarn", "run", "", kRunsScripts},
    {"pnpm", "", "", kWrites | kNetwork},
    {"pnpm", "test", "", kRunsScripts},
    {"pnpm", "run", "", kRunsScripts},
    {"pip", "", "", kWrites | kNetwork},
    {"pip3", "", "", kWrites | kNetwork},
    {"pip", "list", "", kReads},
    {"cargo", "", "", kWrites | kNetwork},
    {"go", "", "", kWrites | kNetwork},
    {"go", "vet", "", kReads},
    {"go", "version", "", kReads},
    {"apt", "", "", kWrites | kNetwork},
    {"apt-get", "", "", kWrites | kNetwork},
    {"brew", "", "", kWrites | kNetwork},
    {"gem", "", "", kWrites | kNetwork},
    {"gh", "", "", kNetwork},
    {"gh", "repo delete", "", kNetwork | kDestroys},
    {"docker", "", "", kWrites},
    {"docker", "ps", "", kReads},
    {"docker", "images", "", kReads},
    {"docker", "logs", "", kReads},
    {"docker", "inspect", "", kReads},
    {"docker", "pull", "", kNetwork | kWrites},
    {"docker", "push", "", kNetwork},
    {"docker", "rm", "", kDestroys},
    {"docker", "rmi", "", kDestroys},
    {"docker", "system prune", "", kDestroys},
    {"docker", "volume rm", "", kDestroys},
    {"docker", "volume prune", "", kDestroys},
    {"kubectl", "", "", kNetwork},
    {"kubectl", "delete", "", kNetwork | kDestroys},
    {"kubectl", "drain", "", kNetwork | kDestroys},
    {"terraform", "", "", kNetwork | kWrites},
    {"terraform", "destroy", "", kNetwork | kDestroys},
    {"terraform", "apply", "", kNetwork | kDestroys},
    {"aws", "", "", kNetwork},
    {"aws", "s3 rm", "", kNetwork | kDestroys},
    {"aws", "s3 rb", "", kNetwork | kDestroys},
    {"gcloud", "", "", kNetwork},
    {"systemctl", "", "", kWrites},
    {"systemctl", "status", "", kReads},
    {"systemctl", "poweroff", "", kDestroys},
    {"systemctl", "reboot", "", kDestroys},
    {"make", "", "", kWrites},
});

/// The row as a pattern for `matches_command`.
std::vector<std::string> pattern_of(const EffectRow& row) {
  std::vector<std::string> pattern = {std::string(row.program)};
  const size_t space = row.subcommand.find(' ');
  if (!row.subcommand.empty()) pattern.emplace_back(row.subcommand.substr(0, space));
  if (space != std::string_view::npos) pattern.emplace_back(row.subcommand.substr(space + 1));
  return pattern;
}

/// Whether a word of the command may be the row's subcommand, or lead to it, as a value of an option can.
bool may_have_subcommand(const SimpleCommand& command, const EffectRow& row) {
  const std::string_view first = row.subcommand.substr(0, row.subcommand.find(' '));
  return first.empty() || std::ranges::any_of(command.words, [&](const Word& word) {
           return word.is_dynamic() || word.has_glob || std::string_view(word.text).contains(first);
         });
}

/// The rows that may be about this program: most are not, and no pattern has to be built for them.
std::vector<const EffectRow*> rows_about(const Word& program) {
  std::vector<const EffectRow*> out;
  const bool is_known = !program.is_dynamic() && !program.has_glob;
  const std::string_view name = base_name(program.text);
  for (const EffectRow& row : kRows) {
    if (!is_known || row.program == name) out.push_back(&row);
  }
  return out;
}

/// Whether the row, one of `rows_about`, applies to the command. Comparing the texts first avoids building a pattern
/// for most of them.
Certainty matches_row(const SimpleCommand& command, const EffectRow& row) {
  if (!may_have_subcommand(command, row)) return Certainty::No;
  const Certainty words = matches_command(command, pattern_of(row));
  return row.flag.empty() ? words : std::min(words, has_flag(command, row.flag));
}

/// Answers only ever grow: one command or row with an effect is enough.
void raise(Certainty& answer, Certainty to) {
  answer = std::max(answer, to);
}

void add_effects(Effects& effects, unsigned does, Certainty how_sure) {
  if ((does & kWrites) != 0) raise(effects.writes, how_sure);
  if ((does & kNetwork) != 0) raise(effects.network, how_sure);
  if ((does & 4U) != 0) raise(effects.destructive, how_sure);
  if ((does & kRunsScripts) != 0) add_effects(effects, kWrites | kNetwork, std::min(how_sure, Certainty::Maybe));
}

/// mkfs.ext4, mkfs.xfs, …
bool makes_filesystem(std::string_view program) {
  return program == "mkfs" || program.starts_with("mkfs.");
}

/// Derives `readonly`: surely not with any other effect, and surely only for what is known to be harmless.
void conclude(Effects& effects, bool is_all_harmless) {
  const Certainty changes = std::max({effects.writes, effects.network, effects.destructive});
  effects.readonly = changes == Certainty::Yes                         ? Certainty::No
                     : changes == Certainty::Maybe || !is_all_harmless ? Certainty::Maybe
                                                                       : Certainty::Yes;
}

/// A redirection to a file writes. `/dev/tcp/host/port` is bash's way to open a connection, and a write to any other
/// device destroys what is on it.
void add_redirections(const SimpleCommand& command, Effects& effects) {
  for (const Redirection& redirection : command.redirections) {
    if (!writes_file(redirection)) continue;
    effects.writes = Certainty::Yes;
    if (redirection.target.text.starts_with("/dev/tcp/") || redirection.target.text.starts_with("/dev/udp/")) {
      effects.network = Certainty::Yes;
    } else if (redirection.target.text.starts_with("/dev/")) {
      effects.destructive = Certainty::Yes;
    }
  }
}

/// Adds the effects of all rows that apply. With `--dry-run` nothing happens, so nothing is added.
void add_program(const SimpleCommand& command, Effects& effects) {
  bool has_special = false;
  bool is_dry = false;
  std::vector<std::pair<const EffectRow*, Certainty>> found;
  for (const EffectRow* row : rows_about(command.words[0])) {
    const Certainty answer = matches_row(command, *row);
    if (answer == Certainty::No) continue;
    found.emplace_back(row, answer);
    if (row->subcommand.empty() || answer != Certainty::Yes) continue;
    has_special = true;
    is_dry = is_dry || row->flag == "--dry-run";
  }
  if (is_dry) return;
  for (const auto& [row, answer] : found) {
    if (has_special && row->subcommand.empty() && row->flag.empty()) continue;
    add_effects(effects, row->does, answer);
  }
}

/// `git push origin +main` forces, and `git push origin :main` deletes, without any option.
bool forces_by_refspec(const SimpleCommand& command) {
  return matches_command(command, {"git", "push"}) == Certainty::Yes &&
         std::ranges::any_of(command.words, [](const Word& w) {
           const bool is_more = w.text.size() > 1 || !w.gaps.empty();
           return is_more && (w.text.starts_with('+') || (w.text.starts_with(':') && w.gaps.empty()));
         });
}

}  // namespace

bool is_known_program(std::string_view program) {
  return std::ranges::find(kReaders, program) != kReaders.end() ||
         std::ranges::find(kRows, program, &EffectRow::program) != kRows.end();
}

bool is_duplicate(const Redirection& redirection) {
  const bool is_number = redirection.target.text.find_first_not_of("0123456789-") == std::string::npos;
  return (redirection.op == ">&" || redirection.op == "<&") && is_number && redirection.target.gaps.empty();
}

bool writes_file(const Redirection& redirection) {
  constexpr auto kDevices = std::to_array<std::string_view>({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"});
  const bool is_device = std::ranges::find(kDevices, redirection.target.text) != kDevices.end();
  return redirection.op.contains('>') && !is_duplicate(redirection) && !is_device;
}

Effects effects_by_table(const SimpleCommand& command) {
  Effects effects;
  add_redirections(command, effects);
  if (!command.words.empty()) {
    const Word& name = command.words[0];
    const std::string_view program = base_name(name.text);
    if (!command.code) add_program(command, effects);
    if (command.code) {
      const Mentions code = Mentions::of_code(*command.code);
      if (code.writing()) add_effects(effects, kWrites, Certainty::Maybe);
      if (code.destruction()) add_effects(effects, kDestroys, Certainty::Maybe);
      if (code.network()) add_effects(effects, kNetwork, Certainty::Maybe);
    } else if (name.is_dynamic()) {
      add_effects(effects, kDestroys | kNetwork, Certainty::Maybe);
    } else if (makes_filesystem(program)) {
      add_effects(effects, kDestroys, Certainty::Yes);
    } else if (!is_known_program(program)) {
      add_effects(effects, kWrites | kNetwork, Certainty::Maybe);
    }
    if (forces_by_refspec(command)) effects.destructive = Certainty::Yes;
  }
  if (command.is_remote) effects.network = Certainty::Yes;
  conclude(effects, false);
  return effects;
}

Effects effects_of(const SimpleCommand& command) {
  if (is_harmless(command)) return {};
  Effects effects = effects_by_table(command);
  // `sort -o file`: an option makes it write.
  for (const PathUse& use : paths_of({.commands = {command}})) {
    if (use.is_written) raise(effects.writes, use.is_guess ? Certainty::Maybe : Certainty::Yes);
  }
  conclude(effects, false);
  return effects;
}

Effects effects_of(const ParsedCommand& parsed) {
  Effects all;
  bool is_all_harmless = true;
  if (parsed.is_unclear) add_effects(all, kDestroys | kNetwork, Certainty::Maybe);
  for (const SimpleCommand& command : parsed.commands) {
    const Effects one = effects_of(command);
    is_all_harmless = is_all_harmless && one.readonly == Certainty::Yes;
    raise(all.writes, one.writes);
    raise(all.network, one.network);
    raise(all.destructive, one.destructive);
  }
  conclude(all, is_all_harmless);
  return all;
}

}  // namespace grapnel::call
