#include "call/options.h"

#include <algorithm>
#include <array>

#include "base/row_index.h"
#include "call/words.h"

namespace grapnel::call {

namespace {

constexpr std::string_view kPsql = " command dbname file host port username variable output field-separator ";

/// Sorted by nothing in particular: wrappers first, then the programs that rules are often about.
constexpr auto kOptions = std::to_array<OptionRow>({
    {"sudo", "CDghpRrtTUu", " user group host prompt chroot role type chdir other-user close-from command-timeout "},
    {"doas", "Cu"},
    {"env", "uCS", " unset chdir split-string "},
    {"exec", "a"},
    {"time", "fo", " format output "},
    {"gtime", "fo", " format output "},
    {"timeout", "ks", " signal kill-after ", " preserve-status foreground verbose help version "},
    {"gtimeout", "ks", " signal kill-after "},
    {"nice", "n", " adjustment "},
    {"ionice", "cnpPu", " class classdata pid pgid uid "},
    {"chrt", "TPD", " sched-runtime sched-period sched-deadline "},
    {"taskset"},
    {"setsid"},
    {"stdbuf", "ioe", " input output error "},
    {"strace", "abeEIoOpPsSuUX", " detach-on env attach user output string-limit trace-path trace signal status "},
    {"ltrace", "aAeFlnopsuwxX"},
    {"fakeroot", "lsbi", " lib faked "},
    {"chroot", "", " groups userspec "},
    {"caffeinate", "tw"},
    {"unshare", "RwSG",
     " map-user map-group map-users map-groups propagation setgroups root wd setuid setgid monotonic boottime "},
    {"nsenter", "tSGW", " target setuid setgid wdns ", " wd root ", false, "muinpCUTrw"},
    {"systemd-run", "HMupE",
     " host machine unit property description slice service-type uid gid nice working-directory setenv path-property "
     "socket-property timer-property on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar "},
    {"pkexec", "u", " user "},
    {"runuser", "wugGcs", " whitelist-environment user group supp-group command session-command shell "},
    {"su", "wgGcs", " whitelist-environment group supp-group command session-command shell "},
    {"setpriv", "",
     " ambient-caps inh-caps bounding-set ruid euid rgid egid reuid regid groups securebits pdeathsig selinux-label "
     "apparmor-profile "},
    {"prlimit", "po", " pid output "},
    {"choom", "np", " adjust pid "},
    {"numactl", "iNCmp", " interleave cpunodebind physcpubind membind preferred "},
    {"cgexec", "g"},
    {"proxychains4", "f"},
    {"proxychains", "f"},
    {"xvfb-run", "efnpsw", " error-file auth-file server-num xauth-protocol server-args wait "},
    {"dbus-run-session", "", " config-file dbus-daemon "},
    {"rlwrap", "abcfghilmnopqrsSwz"},
    {"faketime", "f"},
    {"flock", "wEc", " timeout wait conflict-exit-code command "},
    {"valgrind"},
    {"npx", "pcw", " package call workspace "},
    {"pipx", "", " spec python index-url pip-args "},
    {"dotenv", "efv"},
    {"env-cmd", "fexr", " file environments rc-file executor "},
    {"sshpass", "pfdP"},
    {"cpulimit", "lpei"},
    {"screen", "cehpSstTr"},
    {"watch", "nq", " interval equexit "},
    {"xargs", "adEILnPs", " arg-file delimiter max-args max-procs max-chars process-slot-var ",
     " max-lines eof replace null no-run-if-empty open-tty interactive verbose exit show-limits ", false, "iel"},
    {"parallel", "aCdEIjLlNnPSsT",
     " jobs max-procs arg-file arg-sep colsep delay delimiter eof joblog load max-args max-chars max-lines memfree "
     "nice "
     "profile retries results sshlogin sshloginfile tagstring timeout tmpdir workdir wd basefile return sqlmaster "
     "replacement shellquote block recstart recend shuf-seed env colour halt termseq limit tempdir ",
     " tag keep-order dry-run bar progress verbose pipe xargs null "},
    {"shuf", "inor", " input-range head-count output random-source "},
    {"csplit", "bfn", " suffix-format prefix digits "},
    {"history", "anrwd"},
    {"ssh-keygen", "bCEFfIJKMmNnOPQRrsTtVWwYZz"},
    {"visudo", "f", " file "},
    {"git format-patch", "ovn", " output-directory output start-number "},
    {"git archive", "o", " format prefix output remote exec "},
    {"sem", "jI", " jobs max-procs id "},
    {"ssh", "BbcDEeFIiJLlmOopQRSWw"},
    {"mosh", "pn", " port ssh client server "},
    {"script", "IOBTmcEo", " log-in log-out log-io log-timing logging-format command echo output-limit "},
    {"start-stop-daemon", "pxnugcsardNPIkOR",
     " pid ppid pidfile exec name user group chuid signal startas chroot chdir nicelevel procsched iosched umask "
     "notify-timeout output retry ",
     " start stop status help version test oknodo quiet background no-close make-pidfile remove-pidfile verbose "},
    {"perf stat", "CDeGIMoprtx",
     " cpu delay event cgroup interval-print metrics output pid repeat tid field-separator control cputype filter "
     "for-each-cgroup interval-count log-fd post pre td-level timeout "},
    {"perf record", "bCceFGIjmoprtuWD",
     " branch-filter cpu count event freq cgroup intr-regs mmap-pages output pid realtime tid uid delay call-graph "
     "filter user-regs max-size clockid switch-output aux-sample "},
    {"perf trace", "CeFGmopstuD",
     " cpu event expr pf cgroup mmap-pages output pid tid uid duration filter max-events max-stack proc-map-timeout "},
    {"mpirun", "nNH", " np host hostfile machinefile map-by bind-to x "},
    {"srun", "nNcpwtJ", " ntasks nodes cpus-per-task partition nodelist time job-name mem gres "},
    {"sbatch", "nNcpwtJo", " wrap ntasks nodes partition time job-name output mem "},
    {"nix-shell", "pAIj", " run command attr packages arg argstr expr "},
    {"nix", "cI", " command include override-input "},
    {"docker", "HclD", " host context config log-level tlscacert tlscert tlskey "},
    {"docker run", "aceHhlmpuvw", " * ",
     " detach disable-content-trust help init interactive no-healthcheck oom-kill-disable privileged publish-all quiet "
     "read-only rm sig-proxy tty "},
    {"docker exec", "euw", " env user workdir detach-keys env-file ", " detach interactive privileged tty "},
    {"docker build", "fto", " file tag output build-arg target secret ssh cache-from cache-to platform label network "},
    {"podman", "", " root url connection log-level "},
    {"podman run", "aceHhlmpuvw", " * ",
     " detach help init interactive no-healthcheck oom-kill-disable privileged publish-all quiet read-only replace rm "
     "sig-proxy tls-verify tty "},
    {"podman exec", "euw", " env user workdir detach-keys env-file "},
    {"kubectl", "nsv", " namespace context cluster kubeconfig server token user as as-group "},
    {"kubectl exec", "cfn", " container filename pod-running-timeout namespace context kubeconfig "},
    {"kubectl run", "n", " image env labels namespace overrides port restart "},
    {"helm", "nf", " namespace kube-context kubeconfig values set "},
    {"uv", "", " with python project directory env-file group extra package index-url "},
    {"conda", "np", " name prefix cwd file channel "},
    {"direnv"},
    {"npm", "Cw", " prefix workspace registry userconfig cache loglevel package call "},
    {"pnpm", "CF", " dir filter "},
    {"yarn", "", " cwd "},
    {"git", "Cc", " git-dir work-tree namespace super-prefix config-env attr-source "},
    {"git push", "o", " repo receive-pack exec push-option recurse-submodules ",
     " signed all mirror tags follow-tags atomic no-atomic dry-run force delete prune verbose quiet set-upstream "
     "progress "
     "force-with-lease no-force-with-lease force-if-includes no-force-if-includes no-verify verify thin no-thin ipv4 "
     "ipv6 porcelain branches no-signed no-recurse-submodules no-tags no-all no-force no-mirror no-delete no-dry-run "},
    {"git commit", "mFCct",
     " message file reuse-message reedit-message author date template cleanup fixup squash "
     "trailer pathspec-from-file ",
     " all patch reset-author short branch porcelain long null signoff no-signoff no-verify verify allow-empty "
     "allow-empty-message no-post-rewrite edit no-edit amend include only pathspec-file-nul verbose quiet dry-run "
     "status "
     "no-status gpg-sign no-gpg-sign untracked-files ahead-behind no-ahead-behind interactive ",
     false, "Su"},
    {"git tag", "mFu", " message file local-user cleanup "},
    {"git merge", "mFsX", " message file strategy strategy-option cleanup into-name ", " gpg-sign ", false, "S"},
    {"git reflog", "LSGn", " author committer grep since until after before format max-count skip ", " pretty "},
    {"git log", "LSGn", " author committer grep since until after before format max-count skip diff-filter ",
     " pretty "},
    {"git stash", "m", " message "},
    {"git notes", "mFCc", " message file "},
    {"git clone", "objuc",
     " template reference origin branch upload-pack depth config jobs separate-git-dir shallow-since filter "},
    {"git rebase", "xsXC", " exec onto strategy strategy-option ", " gpg-sign ", false, "S"},
    {"git grep", "efABCm", " max-depth threads max-count "},
    {"git config", "f", " file blob type default "},
    {"git worktree add", "bB", " reason "},
    {"git checkout", "bB", " orphan conflict pathspec-from-file "},
    {"git switch", "cC", " create orphan conflict "},
    {"gh", "RFHfqtbBlm", " repo hostname field header raw-field jq template title body body-file label base head "},
    {"aws", "", " profile region output endpoint-url query cli-read-timeout "},
    {"gcloud", "", " project account configuration format "},
    {"az", "o", " subscription output query "},
    {"cargo", "CZFpj", " config color package features manifest-path target target-dir jobs message-format "},
    {"systemctl", "HMtpn", " host machine type property root lines "},
    {"apt", "oct", " option config-file target-release "},
    {"apt-get", "oct", " option config-file target-release "},
    {"make", "CfIjloWE", " directory file makefile include-dir old-file what-if assume-old assume-new eval "},
    {"cmake", "SBDUGTAC", " preset build target config install prefix component "},
    {"ninja", "Cfjkltdw"},
    {"terraform", "", "", "", true},
    {"rm", "", "",
     " force interactive one-file-system no-preserve-root preserve-root recursive dir verbose help version "},
    {"chmod", "", " reference ",
     " changes silent quiet verbose no-preserve-root preserve-root recursive help version "},
    {"chown", "", " reference from ",
     " changes silent quiet verbose dereference no-dereference no-preserve-root preserve-root recursive help version "},
    {"chgrp", "", " reference "},
    {"cp", "tS", " target-directory suffix no-preserve sparse "},
    {"mv", "tS", " target-directory suffix "},
    {"ln", "tS", " target-directory suffix "},
    {"install", "gmotS", " group mode owner target-directory suffix strip-program ", " strip directory "},
    {"mkdir", "mZ", " mode "},
    {"touch", "drt", " date reference time "},
    {"truncate", "rs", " reference size "},
    {"shred", "ns", " iterations size random-source "},
    {"tee", "", "", " output-error append ignore-interrupts help version "},
    {"dd"},
    {"cpio", "CDEFHIMORsS", " directory file format pattern-file message owner io-size rsh-command "},
    {"fd", "edtEjxXSgc",
     " extension max-depth min-depth exact-depth type exclude threads size changed-within "
     "changed-before owner color search-path base-directory path-separator max-results ignore-file ",
     " hidden no-ignore exec exec-batch glob regex fixed-strings absolute-path follow full-path print0 case-sensitive "
     "ignore-case list-details one-file-system unrestricted "},
    {"tar", "bCfFgHIKLNTVX",
     " directory file exclude exclude-from files-from to-command use-compress-program checkpoint-action transform "
     "xform "
     "strip-components owner group mode mtime listed-incremental newer label starting-file record-size format "
     "warning ",
     " list checkpoint extract get create append update delete diff compare catenate concatenate absolute-names "
     "verbose gzip bzip2 xz zstd lzip to-stdout keep-old-files overwrite unlink-first preserve-permissions "
     "same-permissions same-owner no-same-owner recursion no-recursion wildcards no-wildcards exclude-vcs help version "
     "dereference sparse null one-file-system numeric-owner auto-compress verify touch interactive show-transformed "},
    {"zip", "bitxnPTO", " out temp-path suffixes exclude include password unzip-command "},
    {"unzip", "dPx"},
    {"gzip", "S", " suffix "},
    {"rsync", "BefMT",
     " rsh rsync-path exclude include exclude-from include-from files-from filter log-file temp-dir compare-dest "
     "copy-dest link-dest partial-dir backup-dir suffix chmod chown port password-file out-format timeout bwlimit ",
     " backup partial recursive archive delete "},
    {"scp", "cDFiJloPSX"},
    {"sftp", "BbcDFiJloPRSsX"},
    {"curl", "AbcCdDeEFhHKmoPQrtTuUwxXyYzZ",
     " user-agent cookie cookie-jar continue-at data data-ascii data-binary data-raw data-urlencode dump-header "
     "referer "
     "cert form form-string header config max-time output ftp-port quote range telnet-option upload-file user "
     "proxy-user "
     "write-out proxy request speed-time speed-limit time-cond cacert capath key connect-timeout interface json "
     "limit-rate max-filesize max-redirs netrc-file output-dir pass resolve retry retry-delay stderr trace trace-ascii "
     "unix-socket url url-query connect-to etag-save etag-compare hostpubmd5 "},
    {"wget", "aAbBDeFiIlOoPQRtTUwX",
     " output-document output-file append-output directory-prefix input-file post-file post-data body-file body-data "
     "header user password load-cookies save-cookies ca-certificate certificate private-key execute tries timeout wait "
     "user-agent referer base config accept reject level domains method use-askpass "},
    {"grep", "ABCDdefm",
     " regexp file max-count label after-context before-context context binary-files devices directories exclude "
     "exclude-from exclude-dir include group-separator ",
     " color colour binary recursive dereference-recursive "},
    {"rg", "ABCEefgjMmrtTd",
     " regexp file glob iglob max-count max-columns max-depth type type-not replace after-context before-context "
     "context "
     "encoding threads sort sortr pre pre-glob ignore-file path-separator color colors engine dfa-size-limit "},
    {"sort", "kotST",
     " key output field-separator buffer-size temporary-directory compress-program files0-from parallel random-source "
     "batch-size sort "},
    {"head", "cn", " bytes lines "},
    {"tail", "cns", " bytes lines sleep-interval pid max-unchanged-stats "},
    {"cut", "bcdf", " bytes characters delimiter fields output-delimiter "},
    {"sed", "efl", " expression file line-length "},
    {"gsed", "efl", " expression file line-length "},
    {"awk", "Ffvie", " field-separator file assign source include "},
    {"gawk", "FfvieEl", " field-separator file assign source include exec load ", "", false, "dDLop"},
    {"mawk", "FfvW"},
    {"jq", "fL", " from-file indent "},
    {"diff", "CDFILSUWxX",
     " show-function-line ignore-matching-lines label starting-file width exclude exclude-from from-file to-file "
     "tabsize ifdef line-format old-line-format new-line-format unchanged-line-format old-group-format "
     "new-group-format "
     "unchanged-group-format changed-group-format horizon-lines palette ",
     " context unified recursive "},
    {"patch", "BDdFgioprVYz",
     " prefix ifdef directory fuzz get input output strip reject-file version-control basename-prefix suffix "},
    {"split", "abClnt", " suffix-length bytes line-bytes lines number separator filter additional-suffix "},
    {"tr"},
    {"uniq", "fsw", " skip-fields skip-chars check-chars "},
    {"date", "dfrs", " date file reference set "},
    {"stat", "cf", " format printf "},
    {"du", "BdtX", " block-size max-depth threshold exclude exclude-from files0-from time-style "},
    {"ls", "ITw", " ignore tabsize width block-size hide indicator-style quoting-style sort time time-style format "},
    {"xxd", "cglos"},
    {"od", "AjNSt", " address-radix skip-bytes read-bytes format endian ", " strings width ", false, "w"},
    {"base64", "w", " wrap "},
    {"python", "cmWX"},
    {"python3", "cmWX"},
    {"node", "ceprC", " eval print require import loader input-type "},
    {"perl", "eEFiIlmMx"},
    {"ruby", "CEeFIKrTWx"},
    {"pip", "cdefirt", " requirement constraint editable index-url target prefix root dest cache-dir src log report "},
    {"pip3", "cdefirt", " requirement constraint editable index-url target prefix root dest cache-dir src log report "},
    {"psql", "cdfFhLopPRTUv", kPsql},
    {"mysql", "DehPSu", " database execute host port socket user "},
    {"pg_dump", "dfFhnNpStTU", " dbname file format host port username table schema "},
    {"sqlite3", "", " cmd init separator nullvalue "},
    {"openssl", "", "", "", true},
    {"gpg", "oru", " output recipient local-user passphrase-file homedir keyring "},
    {"gcc", "oIDLlxTUWfmOstd"},
    {"cc", "oIDLlxTU"},
    {"g++", "oIDLlxTU"},
    {"clang", "oIDLlxTU"},
    {"clang++", "oIDLlxTU"},
    {"go", "", "", "", true},
    {"java", "", "", "", true},
    {"javac", "", "", "", true},
    {"find", "", "", "", true},
    {"gfind", "", "", "", true},
    {"ffmpeg", "", "", "", true},
    {"convert", "", "", "", true},
    {"magick", "", "", "", true},
    {"xcodebuild", "", "", "", true},
    {"qemu-system-x86_64", "", "", "", true},
    {"pwsh", "", "", "", true},
    {"powershell", "", "", "", true},
    {"mvn", "", "", "", true},
    {"X", "", "", "", true},
    {"packer", "", "", "", true},
    {"vault", "", "", "", true},
    {"consul", "", "", "", true},
    {"nomad", "", "", "", true},
});

constexpr auto kTextOptions = std::to_array<std::string_view>(
    {"--message",     "--author",     "--format",      "--pretty", "--grep",    "--regexp",  "--expression",
     "--title",       "--body",       "--description", "--label",  "--subject", "--reason",  "--comment",
     "--header",      "--user-agent", "--data-raw",    "--glob",   "--iglob",   "--include", "--exclude",
     "--exclude-dir", "--trailer",    "--eval",        "--note",   "--text",    "--name",    "--filter",
     "--pattern",     "--query",      "--prompt"});

/// Calls `take` with every name of the list.
template <class Take>
void each_name(std::string_view names, Take take) {
  for (size_t at = names.find_first_not_of(' '); at != std::string_view::npos;) {
    const size_t end = std::min(names.find(' ', at), names.size());
    take(names.substr(at, end - at));
    at = names.find_first_not_of(' ', end);
  }
}

constexpr RowIndex kOptionIndex(kOptions, &OptionRow::program);

}  // namespace

const OptionRow* find_options(std::string_view program, std::string_view subcommand) {
  if (!subcommand.empty()) {
    const OptionRow* const row = kOptionIndex.find(std::string(program) + " " + std::string(subcommand));
    if (row != nullptr) return row;
  }
  return kOptionIndex.find(program);
}

const OptionRow* find_options(const SimpleCommand& command) {
  if (command.words.empty()) return nullptr;
  const size_t at = find_subcommand(command);
  return find_options(base_name(command.words[0].text), at < command.words.size() ? command.words[at].text : "");
}

bool takes_text(std::string_view option) {
  return is_one_of(option, kTextOptions);
}

bool has_name(std::string_view names, std::string_view name) {
  for (size_t at = names.find(name, 1); at != std::string_view::npos; at = names.find(name, at + 1)) {
    const size_t end = at + name.size();
    if (names[at - 1] == ' ' && end < names.size() && names[end] == ' ') return true;
  }
  return false;
}

bool is_option(std::string_view text) {
  return text.size() > 1 && text[0] == '-';
}

std::string_view complete_long(const OptionRow& row, std::string_view given) {
  if (has_name(row.longs, given) || has_name(row.flags, given)) return given;
  std::string_view found;
  size_t count = 0;
  const auto count_name = [&](std::string_view name) {
    if (!name.starts_with(given)) return;
    found = name;
    ++count;
  };
  each_name(row.longs, count_name);
  each_name(row.flags, count_name);
  return count == 1 ? found : "";
}

OptionUse read_option(const OptionRow* row, std::string_view text) {
  if (!is_option(text) || text == "--") return {};
  const size_t equals = text.find('=');
  if (text.starts_with("--") || (row != nullptr && row->has_long_letters)) {
    OptionUse out{.name = std::string(text.substr(0, equals))};
    if (equals != std::string_view::npos) out.value_at = equals + 1;
    if (row == nullptr || !text.starts_with("--")) return out;
    const std::string_view given = std::string_view(out.name).substr(2);
    const std::string_view full = complete_long(*row, given);
    const bool is_valued = row->longs == " * " ? full.empty() : !full.empty() && has_name(row->longs, full);
    if (full.size() > given.size()) out.name = "--" + std::string(full);
    out.takes_next = is_valued && equals == std::string_view::npos;
    return out;
  }
  const std::string_view letters = row == nullptr ? "" : row->letters;
  const size_t valued = letters.empty() ? std::string_view::npos : text.find_first_of(letters, 1);
  const size_t attached = row == nullptr || row->attached.empty() ? valued : text.find_first_of(row->attached, 1);
  if (attached < valued) {
    const size_t value_at = attached + 1 < text.size() ? attached + 1 : std::string_view::npos;
    return {.name = "-" + std::string(1, text[attached]), .value_at = value_at};
  }
  if (valued == std::string_view::npos) {
    // Without a row, anything behind the first letter may be a value as well as more letters.
    return {.name = "-" + std::string(1, row == nullptr ? text[1] : text.back()),
            .value_at = row == nullptr && text.size() > 2 ? 2 : std::string_view::npos};
  }
  OptionUse out{.name = "-" + std::string(1, text[valued])};
  if (valued + 1 < text.size()) {
    out.value_at = valued + 1;
  } else {
    out.takes_next = true;
  }
  return out;
}

}  // namespace grapnel::call
