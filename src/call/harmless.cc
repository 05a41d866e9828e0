#include "call/harmless.h"

#include <algorithm>
#include <array>

#include "call/effects.h"
#include "call/options.h"
#include "call/words.h"
#include "call/wrappers.h"

namespace grapnel::call {

namespace {

/// What else has to be true of the words.
enum class Check : uint8_t {
  None,
  Sed,      ///< the script only prints and edits what is printed
  Awk,      ///< the program has no output but standard output
  Find,     ///< the expression only looks
  Format,   ///< operands start with `+`: `date +%F`
  Version,  ///< nothing but a question for the version
  List,     ///< operands only together with an option that makes it a list: `git branch --list x`
  Get,      ///< one operand, or an option that makes it a question: `git config user.name`
  Names,    ///< operands are names of variables in lower case: `read line`
  Local,    ///< no operand names another machine: `tar tf host:a.tar`
  Plain,    ///< no operand is a file with more options: `nm @file`
};

/// A program and the words that it may have.
struct HarmlessRow {
  std::string_view program;       ///< with the words of its subcommand
  std::string_view letters = "";  ///< of short options; "*": all
  std::string_view longs = "";    ///< long options, a space around each; "*": all
  int max_operands = 1000;
  Check check = Check::None;
  std::string_view needs = "";  ///< options of which one has to be there, a space around each
};

/// Any words do: nothing that these programs take makes them change anything.
constexpr auto kAlways = std::to_array<std::string_view>({
    "ls",        "cat",     "tac",     "head",    "tail",    "wc",      "cut",       "tr",        "paste",
    "join",      "comm",    "cmp",     "nl",      "od",      "fold",    "fmt",       "expand",    "unexpand",
    "rev",       "seq",     "sleep",   "echo",    "true",    "false",   "test",      "[",         "pwd",
    "whoami",    "id",      "groups",  "uname",   "arch",    "nproc",   "basename",  "dirname",   "realpath",
    "readlink",  "stat",    "du",      "df",      "md5sum",  "sha1sum", "sha256sum", "sha512sum", "sha224sum",
    "sha384sum", "b2sum",   "cksum",   "sum",     "which",   "whereis", "printenv",  "uptime",    "free",
    "ps",        "pgrep",   "pidof",   "pstree",  "who",     "w",       "tty",       "locale",    "lscpu",
    "lsblk",     "lsmod",   "lsusb",   "lspci",   "lsattr",  "getconf", "grep",      "egrep",     "fgrep",
    "zcat",      "xzcat",   "bzcat",   "column",  "look",    "cal",     "expr",      "tsort",     "numfmt",
    "factor",    "hexdump", "readelf", "diff",    "jq",      "vmstat",  "iostat",    "cd",        "pushd",
    "popd",      "dirs",    "type",    "help",    ":",       "exit",    "return",    "break",     "continue",
    "logname",   "users",   "last",    "tokei",   "findmnt", "lsns",    "lsipc",     "shift",     "pathchk",
    "sha1",      "zipinfo", "whatis",  "apropos",
});

constexpr std::string_view kDiffLetters = "pusnwbiEFSGLMCDBzacgltRmX0123456789Uq";
constexpr std::string_view kDiffLongs =
    " oneline graph all decorate no-decorate stat shortstat numstat dirstat summary name-only name-status patch "
    "no-patch "
    "raw cached staged color no-color word-diff color-words unified ignore-all-space ignore-space-change "
    "ignore-blank-lines ignore-space-at-eol follow author committer grep since until after before format pretty "
    "max-count skip reverse date relative-date abbrev-commit no-abbrev-commit abbrev no-merges merges first-parent "
    "branches tags remotes diff-filter find-renames no-renames find-copies exit-code quiet check minimal patience "
    "histogram diff-algorithm no-ext-diff no-textconv no-prefix merge-base cc full-index pickaxe-regex pickaxe-all "
    "left-right cherry-pick cherry-mark topo-order date-order author-date-order no-walk simplify-by-decoration source "
    "parents children boundary ignore-case regexp-ignore-case invert-grep all-match perl-regexp extended-regexp "
    "fixed-strings notes no-notes compact-summary submodule no-color-moved color-moved ignore-submodules relative "
    "function-context inter-hunk-context text numbered email no-index count ";
constexpr std::string_view kListLongs =
    " list all remotes verbose contains no-contains merged no-merged show-current sort format color no-color column "
    "no-column points-at ignore-case abbrev no-abbrev ";

constexpr auto kHarmless = std::to_array<HarmlessRow>({
    {"printf", "", "", 1000, Check::None},
    {"uniq", "cdDfiswuz",
     " count repeated all-repeated skip-fields ignore-case skip-chars unique zero-terminated check-chars group ", 1},
    {"xxd", "abcCdegilnopRsuE", "", 1},
    {"file", "bciIkLNnprsz0", " brief mime mime-type mime-encoding keep-going dereference no-buffer raw special-files ",
     1000},
    {"date", "dIruR", " date utc universal iso-8601 rfc-3339 rfc-email reference ", 1000, Check::Format},
    {"hostname", "fsiIdaAy", " fqdn short long ip-address all-ip-addresses domain alias ", 0},
    {"env", "0", " null ", 0},
    {"history", "", "", 1},
    {"jobs", "lnprs"},
    {"help", "dms"},
    {"umask", "Sp", "", 0},
    {"ulimit", "acdfHlmnpstuvS", "", 0},
    {"set", "eux", "", 0, Check::None},
    {"read", "rsdnNtpu", "", 1000, Check::Names},
    {"command", "vV"},
    {"getent passwd"},
    {"getent group"},
    {"getent services"},
    {"getent protocols"},
    {"ldconfig", "p", " print-cache ", 0, Check::None, " -p --print-cache "},
    {"man", "", "", 2},
    {"tree", "adflLIPpsughDFrtUCAxXJNiqQvc",
     " noreport dirsfirst gitignore prune matchdirs filelimit charset du si inodes device timefmt ignore-case sort "
     "filesfirst metafirst "},
    {"sort", "bdfghiMnRrVcCmkStuz",
     " reverse numeric-sort unique key field-separator ignore-case human-numeric-sort version-sort "
     "general-numeric-sort "
     "month-sort random-sort stable zero-terminated check merge parallel batch-size buffer-size ignore-leading-blanks "
     "dictionary-order ignore-nonprinting debug sort "},
    {"shuf", "einrz", " echo input-range head-count repeat zero-terminated "},
    {"sed", "nEresuz", " quiet silent regexp-extended expression separate unbuffered null-data posix sandbox ", 1000,
     Check::Sed},
    {"gsed", "nEresuz", " quiet silent regexp-extended expression separate null-data posix sandbox ", 1000, Check::Sed},
    {"awk", "Fv", "", 1000, Check::Awk},
    {"gawk", "Fv", "", 1000, Check::Awk},
    {"mawk", "Fv", "", 1000, Check::Awk},
    {"find", "*", "*", 1000, Check::Find},
    {"rg", "ABCEeFgHiIjlLMmnNopqrsStTuUvVwxac0P",
     " files type type-not glob iglob hidden no-ignore no-ignore-vcs count count-matches files-with-matches "
     "files-without-match ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp line-number "
     "no-line-number no-heading heading context after-context before-context max-count max-depth only-matching "
     "invert-match multiline multiline-dotall json stats sort sortr color no-messages null follow no-filename "
     "with-filename vimgrep pcre2 trim replace regexp type-list version help passthru text unrestricted max-columns "
     "max-filesize crlf column no-config pretty quiet threads sort-files "},
    {"ag", "ABCcfFgGhHiIlLmnoQsSuUvwz0"},
    {"ack", "ABCcfghHiIklLmnoQsvwx1"},
    {"fd", "HIasipduLgFtedEcjS0qn1",
     " hidden no-ignore case-sensitive ignore-case glob absolute-path type extension exclude max-depth min-depth "
     "exact-depth size changed-within changed-before color threads print0 follow full-path fixed-strings max-results "},
    {"top", "bnHiuocp1w"},
    {"ss", "tulnpaxs46emoirH",
     " tcp udp listening numeric processes all summary ipv4 ipv6 unix extended memory info no-header "},
    {"netstat", "tulnpaxsrieWg46c"},
    {"lsof", "aciInpPtuUdlRs"},
    {"ip addr", "", "", 0},
    {"ip address", "", "", 0},
    {"ip a", "", "", 0},
    {"ip route", "", "", 0},
    {"ip r", "", "", 0},
    {"ip link", "", "", 0},
    {"ip neigh", "", "", 0},
    {"ip rule", "", "", 0},
    {"ip addr show"},
    {"ip address show"},
    {"ip a show"},
    {"ip a s"},
    {"ip route show"},
    {"ip route get"},
    {"ip link show"},
    {"ip neigh show"},
    {"dpkg", "lLsSW", " list listfiles status search print-architecture get-selections "},
    {"dpkg-query", "lLsSWf", " list listfiles status search show showformat "},
    {"rpm", "qailfcdR", " query all info list file ", 1000, Check::None, " -q --query "},
    {"apt list", "", " installed upgradable all-versions manual-installed "},
    {"apt show"},
    {"apt-cache show"},
    {"apt-cache policy"},
    {"apt-cache search"},
    {"apt-cache depends"},
    {"apt-cache rdepends"},
    {"unzip", "lvZtq", "", 1000, Check::None, " -l -v -Z -t "},
    {"tar", "tvfzjJ", " list file verbose gzip bzip2 xz zstd ", 1000, Check::Local, " -t --list "},
    {"nm", "aABCDgulnoprSsuvP", " demangle defined-only undefined-only extern-only dynamic size-sort print-size ", 1000,
     Check::Plain},
    {"objdump", "adfhprstTxDSlwCj", " disassemble disassemble-all syms headers file-headers section source demangle ",
     1000, Check::Plain},
    {"size", "ABdoxt", " format totals ", 1000, Check::Plain},
    {"strings", "afnote", " all bytes radix encoding print-file-name ", 1000, Check::Plain},
    {"cloc", "",
     " by-file by-file-by-lang exclude-dir exclude-ext include-ext include-lang exclude-lang quiet json csv yaml md "
     "vcs git hide-rate "},
    {"base64", "dDiw", " decode ignore-garbage wrap "},
    {"base32", "diw", " decode ignore-garbage wrap "},
    {"tput cols", "", "", 0},
    {"tput lines", "", "", 0},
    {"tput colors", "", "", 0},
    {"tput longname", "", "", 0},
    {"stty size", "", "", 0},
    {"stty", "a", " all ", 0, Check::None, " -a --all "},
    {"lsb_release", "aicdrsv", " all id description release codename short ", 0},
    {"sw_vers", "", "*", 0},
    {"namei", "lmovx", " long modes owners vertical mountpoints "},
    {"kill", "l", " list ", 1, Check::None, " -l --list "},
    {"trap", "pl", "", 1000, Check::None, " -p -l "},
    {"times", "", "", 0},
    {"wait", "nf"},
    {"dmesg", "HTtkLxd", " human ctime kernel level facility ", 0},
    {"gzip", "lvt", " list verbose test ", 1000, Check::None, " -l --list -t --test "},
    {"xz", "lvt", " list verbose test ", 1000, Check::None, " -l --list -t --test "},
    {"ip -br a", "", "", 0},
    {"ip -br addr", "", "", 0},
    {"ip -br link", "", "", 0},
    {"sdiff", "swliWbBEat", " suppress-common-lines width left-column ", 2},
    {"diff3", "eEaATxmX3", "", 3},
    {"sysctl", "anN", " all names values ", 0, Check::None, " -a --all "},
    {"locate", "bcilnrSw0"},
    {"eza", "*", "*"},
    {"exa", "*", "*"},
    {"hexyl", "nlsC"},
    {"colordiff", "uraNqwbBiy"},
    {"openssl version", "a"},
    {"helm version", "", " short client ", 0},
    {"kubectl version", "", " client ", 0, Check::None, " --client "},
    {"sqlite3", "", "", 0, Check::Version},
    {"podman ps", "*", "*"},
    {"podman images", "*", "*"},
    {"zgrep", "ABCcEeFGHhiLlmnoqsvwx", ""},
    {"zdiff", kDiffLetters, ""},
    {"pr", "*", "*"},
    {"timedatectl", "", "", 0},
    {"timedatectl status", "", "", 0},
    {"hostnamectl", "", "", 0},
    {"hostnamectl status", "", "", 0},
    {"mount", "l", "", 0},
    {"systemctl status", "nl", " no-pager full lines "},
    {"systemctl is-active"},
    {"systemctl is-enabled"},
    {"systemctl list-units", "at", " no-pager all type state failed "},
    {"systemctl list-unit-files", "at", " no-pager all type state "},
    {"systemctl list-timers", "a", " no-pager all "},
    {"journalctl", "unexrpkbofS", " no-pager unit lines since until reverse priority dmesg boot output follow grep "},
    {"docker ps", "*", "*"},
    {"docker images", "*", "*"},
    {"docker logs", "*", "*"},
    {"docker inspect", "*", "*"},
    {"docker version", "*", "*"},
    {"docker info", "*", "*"},
    {"docker top", "*", "*"},
    {"docker port", "*", "*"},
    {"docker diff", "*", "*"},
    {"docker history", "*", "*"},
    {"docker stats", "*", "*"},
    {"docker container ls", "*", "*"},
    {"docker image ls", "*", "*"},
    {"docker volume ls", "*", "*"},
    {"docker network ls", "*", "*"},
    {"docker compose ps", "*", "*"},
    {"tmux ls"},
    {"tmux list-sessions"},
    {"git status", "sbuzv",
     " short branch porcelain long untracked-files ignored show-stash ahead-behind no-ahead-behind renames no-renames "
     "column no-column verbose "},
    {"git log", kDiffLetters, kDiffLongs},
    {"git show", kDiffLetters, kDiffLongs},
    {"git diff", kDiffLetters, kDiffLongs},
    {"git shortlog", "snecw", kDiffLongs},
    {"git whatchanged", kDiffLetters, kDiffLongs},
    {"git diff-tree", kDiffLetters, kDiffLongs},
    {"git diff-files", kDiffLetters, kDiffLongs},
    {"git diff-index", kDiffLetters, kDiffLongs},
    {"git range-diff", kDiffLetters, kDiffLongs},
    {"git rev-list", kDiffLetters, kDiffLongs},
    {"git blame", "LlwstMCenfcpb",
     " porcelain line-porcelain incremental since reverse date show-name show-number show-email ignore-rev root "},
    {"git show-ref", "*", "*"},
    {"git show-branch", "*", "*"},
    {"git rev-parse", "*", "*"},
    {"git ls-files", "*", "*"},
    {"git ls-tree", "*", "*"},
    {"git describe", "*", "*"},
    {"git merge-base", "*", "*"},
    {"git name-rev", "*", "*"},
    {"git for-each-ref", "*", "*"},
    {"git check-ignore", "*", "*"},
    {"git check-attr", "*", "*"},
    {"git count-objects", "*", "*"},
    {"git cherry", "*", "*"},
    {"git cat-file", "ptse", " batch batch-check batch-all-objects "},
    {"git symbolic-ref", "q", " quiet short ", 1},
    {"git grep", "nilLcwvEFPGoehHpWABCaIqz0123456789",
     " line-number ignore-case files-with-matches name-only count word-regexp fixed-strings extended-regexp "
     "perl-regexp "
     "cached untracked no-index heading break and or not all-match only-matching context show-function max-depth "
     "recursive no-color color exclude-standard "},
    {"git branch", "avrl", kListLongs, 1000, Check::List},
    {"git tag", "ln", kListLongs, 1000, Check::List},
    {"git remote", "v", " verbose ", 0},
    {"git remote get-url", "", " all push ", 1},
    {"git stash list", kDiffLetters, kDiffLongs},
    {"git stash show", kDiffLetters, kDiffLongs},
    {"git worktree list", "v", " porcelain verbose "},
    {"git submodule status", "", " recursive cached "},
    {"git reflog", kDiffLetters, kDiffLongs, 0},
    {"git reflog show", kDiffLetters, kDiffLongs},
    {"git notes list"},
    {"git notes show"},
    {"git config", "lz",
     " get get-all get-regexp list show-origin show-scope global local system null name-only includes type ", 1000,
     Check::Get},
    {"git clean", "ndxXfqe", " dry-run quiet force exclude ", 1000, Check::None, " -n --dry-run "},
    {"git version", "", " build-options ", 0},
    {"git", "v", "", 0, Check::Version},
    {"time", "p", "", 1000},
    {"timeout", "ksv", " signal kill-after preserve-status foreground verbose "},
    {"nice", "n", " adjustment "},
    {"stdbuf", "ioe", " input output error "},
    {"xargs", "0rnILPdtxsE", " null no-run-if-empty max-args max-lines max-procs delimiter verbose exit max-chars "},
    {"!"},
    {"node", "v", "", 0, Check::Version},
    {"npm", "v", "", 0, Check::Version},
    {"python", "V", "", 0, Check::Version},
    {"python3", "V", "", 0, Check::Version},
    {"pip", "V", "", 0, Check::Version},
    {"pip3", "V", "", 0, Check::Version},
    {"ruby", "v", "", 0, Check::Version},
    {"perl", "v", "", 0, Check::Version},
    {"php", "v", "", 0, Check::Version},
    {"go version", "", "", 0},
    {"cargo", "V", "", 0, Check::Version},
    {"rustc", "V", "", 0, Check::Version},
    {"gcc", "v", "", 0, Check::Version},
    {"clang", "v", "", 0, Check::Version},
    {"cmake", "", "", 0, Check::Version},
    {"make", "v", "", 0, Check::Version},
    {"java", "version", "", 0, Check::Version},
    {"docker", "v", "", 0, Check::Version},
    {"yarn", "v", "", 0, Check::Version},
    {"pnpm", "v", "", 0, Check::Version},
    {"gh", "", "", 0, Check::Version},
    {"bash", "", "", 0, Check::Version},
});

/// Reads a sed script and answers whether all its commands are known to print or to edit what is printed. Everything
/// that it does not understand is a no.
class SedScript {
 public:
  explicit SedScript(std::string_view text) : text_(text) {}

  bool is_harmless() {
    while (at_ < text_.size()) {
      skip(" \t\n;}");
      if (at_ == text_.size()) return true;
      if (!skip_address() || !skip_command()) return false;
    }
    return true;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip(std::string_view characters) {
    while (at_ < text_.size() && characters.contains(text_[at_])) ++at_;
  }

  /// Moves behind the next `end` that is not escaped, nor in brackets.
  bool skip_to(char end) {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '\n') {
        return false;
      } else if (text_[at_] == end) {
        ++at_;
        return true;
      } else if (text_[at_] == '[') {
        // Brackets are read differently by different programs; a plain set without the delimiter is enough here.
        const size_t close = text_.find(']', at_ + 2);
        const bool is_plain = close != std::string_view::npos && !text_.substr(at_, close - at_).contains(end) &&
                              !text_.substr(at_ + 1, close - at_ - 1).contains('[');
        if (!is_plain) return false;
        at_ = close;
      }
    }
    return false;
  }

  bool skip_one_address() {
    if (peek() == '/') {
      ++at_;
      if (!skip_to('/')) return false;
      skip("IM");
    } else {
      skip("0123456789$~+");
    }
    return true;
  }

  bool skip_address() {
    if (!skip_one_address()) return false;
    skip(" ");
    if (peek() == ',') {
      ++at_;
      skip(" ");
      if (!skip_one_address()) return false;
    }
    skip(" !");
    return true;
  }

  bool skip_command() {
    const char command = peek();
    ++at_;
    if (std::string_view("{}").contains(command)) return true;
    if (std::string_view("pPdDhHgGxnN=lFz").contains(command)) return ends();
    if (command == 'q' || command == 'Q') {
      skip(" 0123456789");
      return ends();
    }
    if (command == 's' || command == 'y') {
      const char end = peek();
      if (!std::string_view("/|#,:@!%_").contains(end)) return false;
      ++at_;
      if (!skip_to(end) || !skip_to(end)) return false;
      skip(command == 's' ? "gpiI0123456789" : "");
      return ends();
    }
    return false;
  }

  bool ends() {
    skip(" ");
    return at_ == text_.size() || std::string_view(";}\n").contains(peek());
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool is_harmless_find(const SimpleCommand& command) {
  constexpr std::string_view kWords =
      " -name -iname -path -ipath -wholename -iwholename -regex -iregex -type -size -mtime -mmin -atime -amin -ctime "
      "-cmin -newer -anewer -cnewer -newermt -maxdepth -mindepth -depth -print -print0 -printf -ls -prune -o -or -a "
      "-and "
      "-not -empty -perm -user -group -uid -gid -links -inum -samefile -xdev -mount -follow -L -H -P -executable "
      "-readable -writable -true -false -quit -daystart -nouser -nogroup -regextype -lname -ilname -xtype -fstype "
      "-noleaf -ignore_readdir_race -warn -nowarn -used ";
  return std::ranges::all_of(command.words.begin() + 1, command.words.end(), [&](const Word& word) {
    return !word.is_dynamic() && (!word.text.starts_with('-') || has_name(kWords, word.text) ||
                                  word.text.find_first_not_of("-0123456789") == std::string::npos);
  });
}

/// The row whose words the command starts with: the longest one. `rest` is set to the index of the first word behind.
const HarmlessRow* find_harmless(const SimpleCommand& command, size_t& rest) {
  const HarmlessRow* best = nullptr;
  for (const HarmlessRow& row : kHarmless) {
    size_t at = 0;
    std::string_view left = row.program;
    bool fits = true;
    for (; fits && !left.empty(); ++at) {
      const std::string_view word = left.substr(0, left.find(' '));
      fits = at < command.words.size() && !command.words[at].is_dynamic() &&
             (at == 0 ? base_name(command.words[0].text) : std::string_view(command.words[at].text)) == word;
      left.remove_prefix(std::min(left.size(), word.size() + 1));
    }
    if (!fits || (best != nullptr && best->program.size() >= row.program.size())) continue;
    best = &row;
    rest = at;
  }
  return best;
}

/// The words of a command, sorted into options and operands.
struct Parts {
  std::vector<std::string> options;
  std::vector<const Word*> operands;
  std::vector<const Word*> scripts;  ///< values of -e and --expression
};

/// Reads the words; false as soon as one of them is not in the row.
bool read_parts(const HarmlessRow& row, const SimpleCommand& command, size_t rest, Parts& parts) {
  const OptionRow* const options = find_options(command);
  bool has_options = true;
  for (size_t i = rest; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    // What it is when it runs may be an option: `find . $(echo -delete)`, a file called `-o`.
    const bool may_be_option = word.is_dynamic() || (word.has_glob && std::string_view("*?[").contains(word.text[0]));
    if (may_be_option && has_options) return false;
    if (has_options && word.text == "--") {
      has_options = false;
      continue;
    }
    if (!has_options || !is_option(word.text)) {
      parts.operands.push_back(&word);
      continue;
    }
    const OptionUse use = read_option(options, word.text);
    if (word.text.starts_with("--")) {
      // As it is written: an abbreviation is not looked up.
      const std::string name = word.text.substr(2, word.text.find('=') - 2);
      if (row.longs != "*" && !has_name(row.longs, name)) return false;
      parts.options.push_back("--" + name);
    } else {
      const size_t end = use.value_at == std::string_view::npos ? word.text.size() : use.value_at;
      for (const char letter : std::string_view(word.text).substr(1, end - 1)) {
        if (row.letters != "*" && !row.letters.contains(letter)) return false;
        parts.options.push_back(std::string("-") + letter);
      }
    }
    const bool is_script = use.name == "-e" || use.name == "--expression";
    if (use.takes_next) {
      if (++i == command.words.size() || command.words[i].is_dynamic()) return false;
      if (is_script) parts.scripts.push_back(&command.words[i]);
    } else if (is_script && row.check == Check::Sed) {
      return false;
    }
  }
  return true;
}

bool has_any(const Parts& parts, std::string_view names) {
  return std::ranges::any_of(parts.options, [&](const std::string& option) { return has_name(names, option); });
}

bool passes(const HarmlessRow& row, const SimpleCommand& command, const Parts& parts) {
  const auto& operands = parts.operands;
  switch (row.check) {
    case Check::None:
      return true;
    case Check::Sed: {
      std::vector<const Word*> scripts = parts.scripts;
      if (scripts.empty() && !operands.empty()) scripts = {operands[0]};
      return !scripts.empty() && std::ranges::all_of(scripts, [](const Word* script) {
        return !script->is_dynamic() && SedScript(script->text).is_harmless();
      });
    }
    case Check::Awk:
      return !operands.empty() && !operands[0]->is_dynamic() && is_harmless_awk(operands[0]->text);
    case Check::Find:
      return is_harmless_find(command);
    case Check::Format:
      return std::ranges::all_of(operands, [](const Word* word) { return word->text.starts_with('+'); });
    case Check::Version:
      return command.words.size() == 2;
    case Check::List:
      return operands.empty() ||
             has_any(parts, " -l --list --contains --no-contains --merged --no-merged --points-at ");
    case Check::Get:
      return operands.size() <= 1 || has_any(parts, " --get --get-all --get-regexp ");
    case Check::Names:
      return std::ranges::all_of(operands, [](const Word* word) {
        return std::ranges::all_of(word->text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
      });
    case Check::Plain:
      return std::ranges::none_of(operands, [](const Word* word) { return word->text.starts_with('@'); });
    case Check::Local:
      return std::ranges::none_of(operands, [](const Word* word) { return word->text.contains(':'); });
  }
  return false;
}

}  // namespace

bool is_harmless_sed(std::string_view script) {
  return SedScript(script).is_harmless();
}

/// Strings and regular expressions are
/// left out first; a `/` is the start of one only where a division cannot be.
bool is_harmless_awk(std::string_view program) {
  std::string code;
  char before = ';';
  for (size_t i = 0; i < program.size(); ++i) {
    const char c = program[i];
    const bool is_regex = c == '/' && std::string_view(";{}(,!~&|\n").contains(before);
    if (c == '"' || is_regex) {
      for (++i; i < program.size() && program[i] != c; ++i) {
        if (program[i] == '\\') ++i;
        if (i < program.size() && program[i] == '\n') return false;
        // Whether a slash in brackets ends the expression depends on the awk.
        const size_t close = is_regex && program[std::min(i, program.size() - 1)] == '[' ? program.find(']', i + 3) : i;
        if (program.substr(i, close - i).contains('/')) return false;
      }
      if (i >= program.size()) return false;
      code += ' ';
      before = 'x';
      continue;
    }
    code += c;
    if (c != ' ' && c != '\t') before = c;
  }
  for (size_t at = code.find("||"); at != std::string::npos; at = code.find("||")) code.replace(at, 2, "  ");
  // In front of the first `print`, a `>` compares; behind it, it may be a redirection.
  const size_t end = std::min(code.find("print"), code.size());
  std::replace(code.begin(), code.begin() + static_cast<ptrdiff_t>(end), '>', ' ');
  for (const std::string_view word : {"system", "getline", "close", "@", "|", ">", "#", "\\"}) {
    if (code.contains(word)) return false;
  }
  return true;
}

bool is_harmless(const SimpleCommand& command) {
  const auto writes_or_connects = [](const Redirection& redirection) {
    return writes_file(redirection) || redirection.target.text.starts_with("/dev/tcp") ||
           redirection.target.text.starts_with("/dev/udp");
  };
  const bool only_opens = command.words.empty() && command.assignments.empty() && !command.redirections.empty();
  if (only_opens) return std::ranges::none_of(command.redirections, writes_or_connects);
  if (command.words.empty() || command.code || command.is_remote || !command.assignments.empty()) return false;
  if (command.words[0].is_dynamic() || std::ranges::any_of(command.redirections, writes_or_connects)) return false;
  const std::string_view program = base_name(command.words[0].text);
  if (is_one_of(program, kAlways)) return true;
  // More words are to come, and they may be options.
  if (command.is_open) return false;
  // What a wrapper runs is judged by itself; here only the wrapper's own options count.
  SimpleCommand own = command;
  // Where git works, and that it shows no pager, changes nothing about what it does.
  while (program == "git" && own.words.size() > 2 && !own.words[2].is_dynamic()) {
    const std::string& option = own.words[1].text;
    const size_t width = option == "-C" ? 2 : option == "--no-pager" || option == "-P" ? 1 : 0;
    if (width == 0) break;
    own.words.erase(own.words.begin() + 1, own.words.begin() + 1 + static_cast<ptrdiff_t>(width));
  }
  size_t rest = 1;
  const HarmlessRow* const row = find_harmless(own, rest);
  if (row == nullptr) return false;
  if (program == "printf") return command.words.size() > 1 && !is_option(command.words[1].text);
  if (row->check == Check::Find) return is_harmless_find(command);
  const bool asks_version = command.words.size() == 2 && command.words[1].text == "--version";
  if (row->check == Check::Version && asks_version) return true;
  const bool is_wrapper =
      is_one_of(program, std::to_array<std::string_view>({"time", "timeout", "nice", "stdbuf", "xargs", "!"}));
  if (is_wrapper) {
    const OptionRow* const options = find_options(program);
    size_t end = 1;
    while (end < own.words.size() && is_option(own.words[end].text)) {
      end += read_option(options, own.words[end].text).takes_next ? 2 : 1;
    }
    own.words.resize(std::min(end, own.words.size()));
  }
  if (program == "tar" && own.words.size() > 1 && !own.words[1].text.starts_with('-')) {
    own.words[1].text.insert(0, "-");
  }
  Parts parts;
  if (!read_parts(*row, own, rest, parts)) return false;
  if (!row->needs.empty() && !has_any(parts, row->needs)) return false;
  if (static_cast<int>(parts.operands.size()) > row->max_operands) return false;
  return passes(*row, own, parts);
}

}  // namespace grapnel::call
