#include "call/file_table.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "call/words.h"

namespace grapnel::call {

namespace {

constexpr auto kFiles = std::to_array<FileRow>({
    {"cp", Operands::LastWritten, " -t --target-directory "},
    {"ln", Operands::LastWritten, " -t --target-directory "},
    {"install", Operands::LastWritten, " -t --target-directory "},
    {"rsync", Operands::LastWritten, " --log-file --backup-dir --partial-dir --temp-dir "},
    {"scp", Operands::LastWritten},
    {"mv", Operands::Written, " -t --target-directory "},
    {"tee", Operands::Written},
    {"sponge", Operands::Written},
    {"dd"},
    {"cpio", Operands::Read, " -D --directory "},
    {"pax", Operands::Read},
    {"tar"},
    {"bsdtar"},
    {"zip", Operands::FirstWritten, " -O --out "},
    {"7z", Operands::Written},
    {"unzip", Operands::Read, " -d "},
    {"sort", Operands::Read, " -o --output -T --temporary-directory "},
    {"shuf", Operands::Read, " -o --output "},
    {"uniq", Operands::LastOfTwo},
    {"xxd", Operands::LastOfTwo},
    {"split", Operands::LastOfTwo},
    {"curl", Operands::Read,
     " -o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --output-dir --etag-save "
     "--libcurl "},
    {"wget", Operands::Read,
     " -O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies --warc-file "
     "--rejected-log --hsts-file "},
    {"gcc", Operands::Read, " -o -MF "},
    {"g++", Operands::Read, " -o -MF "},
    {"cc", Operands::Read, " -o -MF "},
    {"clang", Operands::Read, " -o -MF "},
    {"clang++", Operands::Read, " -o -MF "},
    {"ld", Operands::Read, " -o -Map "},
    {"as", Operands::Read, " -o "},
    {"go", Operands::Read, " -o -coverprofile -cpuprofile -memprofile "},
    {"rustc", Operands::Read, " -o --out-dir "},
    {"cargo", Operands::Read, " --target-dir --out-dir --root "},
    {"openssl", Operands::Read, " -out -keyout -writerand -CAserial "},
    {"gpg", Operands::Read, " -o --output "},
    {"ssh-keygen", Operands::Read, " -f "},
    {"ssh", Operands::None, " -E -S -o "},
    {"start-stop-daemon", Operands::None, " -p --pidfile -O --output "},
    {"less", Operands::Read, " -o -O --log-file --LOG-FILE "},
    {"ltrace", Operands::Read, " -o --output "},
    {"valgrind", Operands::Read, " --log-file --xml-file "},
    {"mktemp", Operands::Written, " -p --tmpdir "},
    {"tcpdump", Operands::None, " -w "},
    {"iconv", Operands::Read, " -o --output "},
    {"objcopy", Operands::LastWritten},
    {"strip", Operands::Written, " -o "},
    {"bison", Operands::Read, " -o --output --defines --header --graph "},
    {"flex", Operands::Read, " -o --outfile --header-file "},
    {"ctags", Operands::Read, " -f -o "},
    {"xsltproc", Operands::Read, " -o --output "},
    {"xmllint", Operands::Read, " -o --output "},
    {"aria2c", Operands::None, " -o -d -l --out --dir --log --save-session "},
    {"age", Operands::Read, " -o --output "},
    {"uudecode", Operands::Read, " -o --output-file "},
    {"base64", Operands::Read, " -o --output "},
    {"mysql", Operands::Read, " --tee "},
    {"nmap", Operands::None, " -oN -oX -oG -oA -oS "},
    {"screen", Operands::None, " -Logfile "},
    {"parallel", Operands::Read, " --joblog --results --tmpdir "},
    {"strace", Operands::Read, " -o --output "},
    {"patch", Operands::FirstWritten, " -o --output -d --directory -r --reject-file "},
    {"sed", Operands::Read, "", true},
    {"gsed", Operands::Read, "", true},
    {"awk", Operands::Read, "", true},
    {"gawk", Operands::Read, " -d -p -o --dump-variables --profile --pretty-print ", true},
    {"mawk", Operands::Read, "", true},
    {"perl", Operands::Read},
    {"grep", Operands::Read, "", true},
    {"egrep", Operands::Read, "", true},
    {"fgrep", Operands::Read, "", true},
    {"zgrep", Operands::Read, "", true},
    {"rg", Operands::Read, "", true},
    {"ag", Operands::Read, "", true},
    {"ack", Operands::Read, "", true},
    {"jq", Operands::Read, "", true},
    {"yq", Operands::Read, "", true},
    {"tr", Operands::None},
    {"chmod", Operands::Written, "", true},
    {"chown", Operands::Written, "", true},
    {"chgrp", Operands::Written, "", true},
    {"setfacl", Operands::Written},
    {"chattr", Operands::Written},
    {"echo", Operands::None},
    {"printf", Operands::None},
    {"export", Operands::None},
    {"declare", Operands::None},
    {"local", Operands::None},
    {"kill", Operands::None},
    {"sleep", Operands::None},
    {"seq", Operands::None},
    {"true", Operands::None},
    {"false", Operands::None},
    {"alias", Operands::None},
    {"expr", Operands::None},
    {"date"},
    {"ps", Operands::None},
    {"git"},
    {"git clone", Operands::LastOfTwo, " --separate-git-dir "},
    {"git init", Operands::Written, " --separate-git-dir "},
    {"git worktree", Operands::Written},
    {"git submodule", Operands::LastWritten},
    {"git checkout", Operands::Written},
    {"git restore", Operands::Written},
    {"git rm", Operands::Written},
    {"git mv", Operands::Written},
    {"git diff", Operands::Read, " --output "},
    {"git log", Operands::Read, " --output "},
    {"git show", Operands::Read, " --output "},
    {"git archive", Operands::Read, " -o --output "},
    {"git config", Operands::Read, " -f --file "},
    {"git apply", Operands::Read, " --directory "},
    {"git am", Operands::Read, " --directory "},
    {"git format-patch", Operands::Read, " -o --output-directory --output "},
    {"git bundle", Operands::Written},
    {"docker", Operands::Read, " --iidfile --cidfile "},
    {"docker cp", Operands::LastWritten},
    {"docker save", Operands::Read, " -o --output "},
    {"docker export", Operands::Read, " -o --output "},
    {"kubectl"},
    {"kubectl cp", Operands::LastWritten},
    {"make", Operands::Read, " -C --directory "},
    {"gmake", Operands::Read, " -C --directory "},
    {"ninja", Operands::Read, " -C "},
    {"cmake", Operands::Read, " -B --prefix --install-prefix "},
    {"tree", Operands::Read, " -o "},
    {"gh", Operands::Read, " -D --dir -O --output "},
    {"gh repo", Operands::LastWritten},
    {"aws", Operands::Read},
    {"aws s3", Operands::LastWritten},
    {"aws s3api", Operands::LastWritten},
    {"gcloud storage", Operands::LastWritten},
    {"npm", Operands::Read, " --prefix --globalconfig --userconfig --cache "},
    {"pip", Operands::Read, " -t --target --prefix --root -d --dest --cache-dir --src --log --report "},
    {"pip3", Operands::Read, " -t --target --prefix --root -d --dest --cache-dir --src --log --report "},
    {"pandoc", Operands::Read, " -o --output "},
    {"ffmpeg", Operands::LastWritten},
    {"convert", Operands::LastWritten},
    {"magick", Operands::LastWritten},
    {"python", Operands::Read},
    {"python3", Operands::Read},
    {"node", Operands::Read},
    {"ruby", Operands::Read},
    {"bash", Operands::Read},
    {"sh", Operands::Read},
    {"source", Operands::Read},
    {".", Operands::Read},
    {"nginx", Operands::Read},
    {"sshd", Operands::Read},
    {"apachectl", Operands::Read},
    {"named-checkconf", Operands::Read},
    {"visudo", Operands::Written, " -f --file "},
    {"csplit", Operands::Read, " -f --prefix "},
    {"history", Operands::Read, " -a -w "},
    {"flock", Operands::FirstWritten},
    {"time", Operands::Read, " -o --output "},
    {"gtime", Operands::Read, " -o --output "},
    {"perf", Operands::Read, " -o --output "},
    {"ansible-playbook", Operands::Read},
    {"shellcheck", Operands::Read},
    {"yamllint", Operands::Read},
    {"crontab", Operands::Read},
    {"systemctl", Operands::None},
    {"service", Operands::None},
    {"apt", Operands::Read},
    {"apt-get", Operands::Read},
    {"psql", Operands::Read, " -o --output -L --log-file "},
    {"pg_dump", Operands::Read, " -f --file "},
    {"mysqldump", Operands::Read, " -r --result-file "},
    {"sqlite3", Operands::FirstWritten},
    {"script", Operands::Written, " -O --log-out -I --log-in -B --log-io -T --log-timing "},
    {"nc", Operands::None},
    {"ncat", Operands::None, " -o --output -x --hex-dump "},
});

/// Letters of options whose value is no file, for some programs.
struct TextLetters {
  std::string_view program;
  std::string_view letters;
};
constexpr auto kTextLetters = std::to_array<TextLetters>({{"git", "mSGLcC"},
                                                          {"grep", "eABCmdD"},
                                                          {"egrep", "eABCm"},
                                                          {"rg", "egtTABCmrEMj"},
                                                          {"sed", "e"},
                                                          {"awk", "Fv"},
                                                          {"gawk", "Fv"},
                                                          {"curl", "AHXueQrwmCyYzxU"},
                                                          {"python", "c"},
                                                          {"python3", "c"},
                                                          {"bash", "c"},
                                                          {"sh", "c"},
                                                          {"perl", "eE"},
                                                          {"node", "ep"},
                                                          {"gh", "tbBlH"},
                                                          {"xargs", "IdELnPs"},
                                                          {"cut", "dfbc"},
                                                          {"sort", "ktS"}});

constexpr auto kSystemFiles = std::to_array<SystemFileRow>({
    {"useradd", "", "/etc/passwd"},
    {"adduser", "", "/etc/passwd"},
    {"usermod", "", "/etc/passwd"},
    {"userdel", "", "/etc/passwd"},
    {"deluser", "", "/etc/passwd"},
    {"chsh", "", "/etc/passwd"},
    {"chfn", "", "/etc/passwd"},
    {"vipw", "", "/etc/passwd"},
    {"passwd", "", "/etc/shadow"},
    {"chpasswd", "", "/etc/shadow"},
    {"groupadd", "", "/etc/group"},
    {"groupmod", "", "/etc/group"},
    {"groupdel", "", "/etc/group"},
    {"addgroup", "", "/etc/group"},
    {"gpasswd", "", "/etc/group"},
    {"vigr", "", "/etc/group"},
    {"visudo", "", "/etc/sudoers"},
    {"hostnamectl", "set-hostname", "/etc/hostname"},
    {"hostnamectl", "hostname", "/etc/hostname"},
    {"timedatectl", "set-timezone", "/etc/localtime"},
    {"localectl", "set-", "/etc/locale.conf"},
    {"update-alternatives", "--set", "/etc/alternatives"},
    {"update-alternatives", "--install", "/etc/alternatives"},
    {"update-ca-certificates", "", "/etc/ssl/certs"},
    {"update-rc.d", "", "/etc/init.d"},
    {"systemctl", "enable", "/etc/systemd/system"},
    {"systemctl", "disable", "/etc/systemd/system"},
    {"systemctl", "mask", "/etc/systemd/system"},
    {"systemctl", "edit", "/etc/systemd/system"},
    {"ssh-keygen", "-A", "/etc/ssh"},
    {"pip", "--global", "/etc/pip.conf"},
    {"pip3", "--global", "/etc/pip.conf"},
    {"a2enmod", "", "/etc/apache2"},
    {"a2ensite", "", "/etc/apache2"},
    {"locale-gen", "", "/etc/locale.gen"},
    {"add-apt-repository", "", "/etc/apt/sources.list"},
    {"etckeeper", "", "/etc/.git"},
});

struct DirectoryRow {
  std::string_view program;
  std::string_view options;
};
constexpr auto kDirectories = std::to_array<DirectoryRow>({{"env", " -C --chdir "},
                                                           {"sudo", " -D --chdir "},
                                                           {"git", " -C "},
                                                           {"make", " -C --directory "},
                                                           {"tar", " -C --directory "},
                                                           {"systemd-run", " --working-directory "},
                                                           {"start-stop-daemon", " -d --chdir "},
                                                           {"unshare", " -w --wd "},
                                                           {"parallel", " --workdir --wd "},
                                                           {"patch", " -d --directory "},
                                                           {"npm", " -C --prefix "},
                                                           {"curl", " --output-dir "}});

}  // namespace

const FileRow* find_files(const SimpleCommand& command) {
  const std::string_view program = base_name(command.words[0].text);
  const size_t at = find_subcommand(command);
  if (at < command.words.size()) {
    const std::string key = std::string(program) + " " + command.words[at].text;
    const auto* const found = std::ranges::find(kFiles, key, &FileRow::program);
    if (found != kFiles.end()) return found;
  }
  const auto* const found = std::ranges::find(kFiles, program, &FileRow::program);
  return found == kFiles.end() ? nullptr : found;
}

bool names_target(std::string_view name) {
  constexpr auto kParts = std::to_array<std::string_view>({"out", "dest", "target", "prefix", "save", "log", "trace",
                                                           "dump", "hist", "root", "pidfile", "bindir", "worktree",
                                                           "gitdir", "indexfile", "controlpath", "knownhosts"});
  std::string lower = text::to_lower(name);
  std::erase_if(lower, [](char c) { return c == '-' || c == '_'; });
  return std::ranges::any_of(kParts, [&](std::string_view part) { return lower.contains(part); });
}

bool is_text_letter(std::string_view program, char letter) {
  const auto* const row = std::ranges::find(kTextLetters, program, &TextLetters::program);
  return row != kTextLetters.end() && row->letters.contains(letter);
}

std::span<const SystemFileRow> system_files() {
  return kSystemFiles;
}

std::string_view directory_options(std::string_view program) {
  const auto* const row = std::ranges::find(kDirectories, program, &DirectoryRow::program);
  return row == kDirectories.end() ? "" : row->options;
}

}  // namespace grapnel::call
