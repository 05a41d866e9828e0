#include "call/harmless_table.h"

#include <array>

namespace grapnel::call {

namespace {

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
    " oneline graph all decorate no-decorate stat shortstat numstat dirstat "
    "summary name-only name-status patch "
    "no-patch "
    "raw cached staged color no-color word-diff color-words unified "
    "ignore-all-space ignore-space-change "
    "ignore-blank-lines ignore-space-at-eol follow author committer grep since "
    "until after before format pretty "
    "max-count skip reverse date relative-date abbrev-commit no-abbrev-commit "
    "abbrev no-merges merges first-parent "
    "branches tags remotes diff-filter find-renames no-renames find-copies "
    "exit-code quiet check minimal patience "
    "histogram diff-algorithm no-ext-diff no-textconv no-prefix merge-base cc "
    "full-index pickaxe-regex pickaxe-all "
    "left-right cherry-pick cherry-mark topo-order date-order "
    "author-date-order no-walk simplify-by-decoration source "
    "parents children boundary ignore-case regexp-ignore-case invert-grep "
    "all-match perl-regexp extended-regexp "
    "fixed-strings notes no-notes compact-summary submodule no-color-moved "
    "color-moved ignore-submodules relative "
    "function-context inter-hunk-context text numbered email no-index count ";
constexpr std::string_view kListLongs =
    " list all remotes verbose contains no-contains merged no-merged "
    "show-current sort format color no-color column "
    "no-column points-at ignore-case abbrev no-abbrev ";

constexpr auto kHarmless = std::to_array<HarmlessRow>({
    {"printf", "", "", 1000, Check::None},
    {"uniq", "cdDfiswuz",
     " count repeated all-repeated skip-fields ignore-case skip-chars unique "
     "zero-terminated check-chars group ",
     1},
    {"xxd", "abcCdegilnopRsuE", "", 1},
    {"file", "bciIkLNnprsz0",
     " brief mime mime-type mime-encoding keep-going dereference no-buffer raw "
     "special-files ",
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
     " noreport dirsfirst gitignore prune matchdirs filelimit charset du si "
     "inodes device timefmt ignore-case sort "
     "filesfirst metafirst "},
    {"sort", "bdfghiMnRrVcCmkStuz",
     " reverse numeric-sort unique key field-separator ignore-case "
     "human-numeric-sort version-sort "
     "general-numeric-sort "
     "month-sort random-sort stable zero-terminated check merge parallel "
     "batch-size buffer-size ignore-leading-blanks "
     "dictionary-order ignore-nonprinting debug sort "},
    {"shuf", "einrz", " echo input-range head-count repeat zero-terminated "},
    {"sed", "nEresuz",
     " quiet silent regexp-extended expression separate unbuffered null-data "
     "posix sandbox ",
     1000, Check::Sed},
    {"gsed", "nEresuz",
     " quiet silent regexp-extended expression separate null-data posix "
     "sandbox ",
     1000, Check::Sed},
    {"awk", "Fv", "", 1000, Check::Awk},
    {"gawk", "Fv", "", 1000, Check::Awk},
    {"mawk", "Fv", "", 1000, Check::Awk},
    {"find", "*", "*", 1000, Check::Find},
    {"rg", "ABCEeFgHiIjlLMmnNopqrsStTuUvVwxac0P",
     " files type type-not glob iglob hidden no-ignore no-ignore-vcs count "
     "count-matches files-with-matches "
     "files-without-match ignore-case smart-case case-sensitive fixed-strings "
     "word-regexp line-regexp line-number "
     "no-line-number no-heading heading context after-context before-context "
     "max-count max-depth only-matching "
     "invert-match multiline multiline-dotall json stats sort sortr color "
     "no-messages null follow no-filename "
     "with-filename vimgrep pcre2 trim replace regexp type-list version help "
     "passthru text unrestricted max-columns "
     "max-filesize crlf column no-config pretty quiet threads sort-files "},
    {"ag", "ABCcfFgGhHiIlLmnoQsSuUvwz0"},
    {"ack", "ABCcfghHiIklLmnoQsvwx1"},
    {"fd", "HIasipduLgFtedEcjS0qn1",
     " hidden no-ignore case-sensitive ignore-case glob absolute-path type "
     "extension exclude max-depth min-depth "
     "exact-depth size changed-within changed-before color threads print0 "
     "follow full-path fixed-strings max-results "},
    {"top", "bnHiuocp1w"},
    {"ss", "tulnpaxs46emoirH",
     " tcp udp listening numeric processes all summary ipv4 ipv6 unix extended "
     "memory info no-header "},
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
    {"nm", "aABCDgulnoprSsuvP",
     " demangle defined-only undefined-only extern-only dynamic size-sort "
     "print-size ",
     1000, Check::Plain},
    {"objdump", "adfhprstTxDSlwCj",
     " disassemble disassemble-all syms headers file-headers section source "
     "demangle ",
     1000, Check::Plain},
    {"size", "ABdoxt", " format totals ", 1000, Check::Plain},
    {"strings", "afnote", " all bytes radix encoding print-file-name ", 1000, Check::Plain},
    {"cloc", "",
     " by-file by-file-by-lang exclude-dir exclude-ext include-ext "
     "include-lang exclude-lang quiet json csv yaml md "
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
    {"journalctl", "unexrpkbofS",
     " no-pager unit lines since until reverse priority dmesg boot output "
     "follow grep "},
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
     " short branch porcelain long untracked-files ignored show-stash "
     "ahead-behind no-ahead-behind renames no-renames "
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
     " porcelain line-porcelain incremental since reverse date show-name "
     "show-number show-email ignore-rev root "},
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
     " line-number ignore-case files-with-matches name-only count word-regexp "
     "fixed-strings extended-regexp "
     "perl-regexp "
     "cached untracked no-index heading break and or not all-match "
     "only-matching context show-function max-depth "
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
     " get get-all get-regexp list show-origin show-scope global local system "
     "null name-only includes type ",
     1000, Check::Get},
    {"git clean", "ndxXfqe", " dry-run quiet force exclude ", 1000, Check::None, " -n --dry-run "},
    {"git version", "", " build-options ", 0},
    {"git", "v", "", 0, Check::Version},
    {"time", "p", "", 1000},
    {"timeout", "ksv", " signal kill-after preserve-status foreground verbose "},
    {"nice", "n", " adjustment "},
    {"stdbuf", "ioe", " input output error "},
    {"xargs", "0rnILPdtxsE",
     " null no-run-if-empty max-args max-lines max-procs delimiter verbose "
     "exit max-chars "},
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

}  // namespace

std::span<const std::string_view> always_harmless() {
  return kAlways;
}

std::span<const HarmlessRow> harmless_rows() {
  return kHarmless;
}

}  // namespace grapnel::call
