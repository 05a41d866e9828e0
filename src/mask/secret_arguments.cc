#include "mask/secret_arguments.h"

#include <algorithm>
#include <array>

#include "base/row_index.h"

namespace grapnel::mask {

namespace {

constexpr auto kArguments = std::to_array<ArgumentRow>({
    {"curl|curlie", "-u", Place::Pair},
    {"curl|curlie", "--user", Place::Pair},
    {"curl", "-U", Place::Pair},
    {"curl", "--proxy-user", Place::Pair},
    {"curl", "-b", Place::Either},
    {"curl", "--cookie", Place::Next},
    {"curl", "-E", Place::Pair},
    {"curl", "--cert", Place::Pair},
    {"curl", "--oauth2-bearer", Place::Next},
    {"http|https|xh|xhs", "-a", Place::Pair},
    {"http|https|xh|xhs", "--auth", Place::Pair},
    {"http|https|xh|xhs -A bearer", "-a", Place::Next},
    {"ab|siege|wrk|hey", "-A", Place::Pair},
    {"ab|hey", "-a", Place::Pair},
    {"ab", "-P", Place::Pair},
    {"sshpass", "-p", Place::Either},
    {"mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mysqlimport|mysqlsh|mycli|mysqlcheck", "-p", Place::Attached},
    {"mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport", "-p", Place::Either},
    {"redis-cli|valkey-cli|keydb-cli", "-a", Place::Either},
    {"redis-cli|valkey-cli AUTH", "1", Place::Last},
    {"redis-cli|valkey-cli auth", "1", Place::Last},
    {"redis-cli|valkey-cli requirepass", "1", Place::Last},
    {"docker|podman|nerdctl|helm|oras|skopeo|buildah|crane|az|oc|argocd|cf|ibmcloud|nuget|kafka|harbor login", "-p",
     Place::Either},
    {"cf auth", "2", Place::Word},
    {"cf login", "-p", Place::Either},
    {"twine", "-p", Place::Either},
    {"cqlsh|influx|evil-winrm|crackmapexec|netexec|nxc|rdesktop|hydra|medusa|ncrack|mssql-cli|couchbase-cli", "-p",
     Place::Either},
    {"rabbitmqadmin|ncftp|ncftpput|ncftpget|xfreerdp|tsh|wakeonlan|mysqlslap", "-p", Place::Either},
    {"ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd|ldapcompare", "-w", Place::Either},
    {"ldappasswd", "-s", Place::Either},
    {"smbclient|rpcclient|winexe|smbget|net|smbmap|wmic", "-U", Place::Percent},
    {"lftp", "-u", Place::Comma},
    {"openssl", "-k", Place::Next},
    {"openssl", "-K", Place::Next},
    {"openssl", "-pass", Place::Next},
    {"openssl", "-passin", Place::Next},
    {"openssl", "-passout", Place::Next},
    {"openssl passwd", "1", Place::Last},
    {"mkpasswd", "1", Place::Last},
    {"ssh-keygen", "-N", Place::Either},
    {"ssh-keygen", "-P", Place::Either},
    {"zip|unzip|zipcloak|sqlcmd|bcp|mosquitto_pub|mosquitto_sub|ipmitool|osql|tsql|isql", "-P", Place::Either},
    {"7z|7za|7zz|rar|unrar|7zr", "-p", Place::Attached},
    {"rar|unrar", "-hp", Place::Attached},
    {"plink|pscp|psftp|putty|kitty", "-pw", Place::Next},
    {"keytool|jarsigner|apksigner", "-storepass", Place::Next},
    {"keytool|jarsigner|apksigner", "-keypass", Place::Next},
    {"security", "-w", Place::Next},
    {"security", "-P", Place::Next},
    {"security unlock-keychain", "-p", Place::Next},
    {"security create-keychain", "-p", Place::Next},
    {"snmpwalk|snmpget|snmpset|snmpbulkwalk", "-c", Place::Next},
    {"snmpwalk|snmpget|snmpset|snmpbulkwalk", "-A", Place::Next},
    {"snmpwalk|snmpget|snmpset|snmpbulkwalk", "-X", Place::Next},
    {"htpasswd", "1", Place::Last},
    {"rabbitmqctl add_user", "2", Place::Word},
    {"rabbitmqctl change_password", "2", Place::Word},
    {"rabbitmqctl authenticate_user", "2", Place::Word},
    {"cargo|vault|pulumi|npm|wandb|huggingface-cli|tailscale|sentry-cli login", "1", Place::Word},
    {"flyctl|fly auth token", "1", Place::Last},
    {"snyk auth", "1", Place::Word},
    {"twilio login", "2", Place::Word},
    {"isql|iusql", "3", Place::Word},
    {"heroku auth:token", "1", Place::Word},
    {"ConvertTo-SecureString", "1", Place::Word},
    {"cmdkey", "/pass:", Place::Attached},
    {"runas", "/password:", Place::Attached},
    {"net user", "2", Place::Word},
    {"wpa_passphrase", "2", Place::Word},
    {"mc|mcli alias set", "4", Place::Word},
    {"mc|mcli config host add", "4", Place::Word},
    {"gh|glab secret set", "--body", Place::Next},
    {"gh|glab secret set", "-b", Place::Either},
    {"gh|glab variable set", "--body", Place::Next},
    {"aws", "--secret-string", Place::Next},
    {"aws ssm put-parameter", "--value", Place::Next},
    {"az keyvault", "--value", Place::Next},
    {"doppler|vercel|netlify|wrangler|infisical|chamber|railway|render secrets set", "1", Place::Values},
    {"fly|flyctl|supabase|doppler|infisical|gh|eas|modal secrets", "1", Place::Values},
    {"heroku config:set", "1", Place::Values},
    {"vault", "1", Place::Values},
    {"kubectl|oc create secret", "--from-literal", Place::Values},
    {"chamber write", "3", Place::Word},
    {"netlify env:set", "2", Place::Word},
    {"rclone obscure", "1", Place::Word},
    {"nmcli", "password", Place::Next},
    {"nmcli", "wifi-sec.psk", Place::Next},
    {"nmcli", "802-11-wireless-security.psk", Place::Next},
    {"sops", "--set", Place::Next},
    {"cryptsetup", "--key", Place::Next},
    {"xfreerdp|xfreerdp3|wfreerdp", "/p:", Place::Attached},
    {"signtool", "/p", Place::Next},
    {"net use", "2", Place::Last},
    {"psexec", "-p", Place::Next},
    {"git-crypt unlock", "1", Place::Word},
    {"ansible-vault", "--vault-password", Place::Next},
    {"svn|svnadmin", "--password", Place::Next},
    {"wget", "--password", Place::Next},
    {"create-user|createuser", "-p", Place::Next},
    {"send", "1", Place::OddWord},
    {"masterauth|requirepass|auth_pass|primaryauth", "1", Place::OddWord},
    {"doctl", "-t", Place::Next},
    {"pywhisker|impacket-secretsdump", "-p", Place::Next},
    {"gcloud|gsutil", "--access-token", Place::Next},
    {"useradd|usermod", "-p", Place::Either},
    {"adb|scrcpy", "--password", Place::Next},
    {"kinit|kpasswd", "-w", Place::Next},
    {"pdftk|qpdf", "user_pw", Place::Next},
    {"pdftk|qpdf", "owner_pw", Place::Next},
    {"qpdf", "--encrypt", Place::Next},
    {"hdiutil|diskutil", "-passphrase", Place::Next},
    {"tar|gpg|gpg2", "--passphrase", Place::Next},
    {"wg|wg-quick", "private-key", Place::Next},
    {"iwconfig|iw", "key", Place::Next},
    {"bw|bitwarden unlock", "1", Place::Word},
    {"bw login", "2", Place::Word},
    {"influx|influxd auth", "--token", Place::Next},
    {"ngrok|cloudflared authtoken", "1", Place::Last},
    {"ngrok add-authtoken", "1", Place::Last},
    {"composer|poetry|yarn|bundle config", "2", Place::OddWord},
});

constexpr size_t count_programs() {
  size_t count = 0;
  for (const ArgumentRow& row : kArguments) {
    count += 1 + static_cast<size_t>(std::ranges::count(row.program.substr(0, row.program.find(' ')), '|'));
  }
  return count;
}

/// All programs of the table, sorted by name, so that most words cost one search.
constexpr std::array<ProgramRow, count_programs()> programs_by_name() {
  std::array<ProgramRow, count_programs()> rows{};
  size_t count = 0;
  for (const ArgumentRow& row : kArguments) {
    const std::string_view names = row.program.substr(0, row.program.find(' '));
    for (size_t from = 0; from <= names.size();) {
      const size_t end = std::min(names.find('|', from), names.size());
      rows[count++] = {names.substr(from, end - from), &row};
      from = end + 1;
    }
  }
  std::ranges::sort(rows, {}, &ProgramRow::name);
  return rows;
}
constexpr auto kPrograms = programs_by_name();
constexpr RowIndex kProgramIndex(kPrograms, &ProgramRow::name);

/// Commands that read a secret from their standard input: what is piped or fed into them is one.
constexpr auto kReaders = std::to_array<std::string_view>({
    "--password-stdin",
    "--with-token",
    "sudo -S",
    "sudo -kS",
    "-S ",
    "chpasswd",
    "--stdin",
    "--passphrase-fd",
    "smbpasswd",
    "cryptsetup",
    "secret create",
    "secret set",
    "secrets create",
    "secrets versions add",
    "secret put",
    "passwd",
    "--pw-stdin",
    "--password-file=-",
    "--key-file -",
    "--key-file=-",
    "auth login",
    "login",
    "gpg --batch",
    "vault",
    "kinit",
    "security import",
    "pass insert",
    "secret-tool",
    "secrets set",
    "--token-stdin",
    "--api-key-stdin",
    "openssl enc",
    "-pass stdin",
    "htpasswd -i",
    "ansible-vault encrypt",
    "ssh-add",
    "kubeseal",
    "sops",
    "wg set",
    "wg pubkey",
    "obscure",
    "su - ",
    "signin",
});

}  // namespace

std::span<const ProgramRow> rows_about(std::string_view program) {
  const ProgramRow* const first = kProgramIndex.find(program);
  if (first == nullptr) return {};
  const ProgramRow* end = first + 1;
  while (end != kPrograms.data() + kPrograms.size() && end->name == program) ++end;
  return {first, end};
}

bool reads_secret(std::string_view command) {
  return std::ranges::any_of(kReaders, [&](std::string_view reader) { return command.contains(reader); });
}

}  // namespace grapnel::mask
