#include "run/secret_filter.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "match/matcher.h"

/// Which variables of the environment hooks may see. The lists and the order of the rules are those of Gemini CLI,
/// whose hooks rely on them; a hook that needs one more variable can name it in its own settings.
namespace grapnel {

namespace {

using Name = std::string_view;

/// Kept even in strict mode: variables that programs need to run at all, and variables of GitHub actions that Gemini
/// passes on.
constexpr auto kHarmless = std::to_array<Name>({
    "PATH",
    "SYSTEMROOT",
    "COMSPEC",
    "PATHEXT",
    "WINDIR",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "SYSTEMDRIVE",
    "HOME",
    "LANG",
    "SHELL",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "TERM",
    "COLORTERM",
    "ADDITIONAL_CONTEXT",
    "AVAILABLE_LABELS",
    "BRANCH_NAME",
    "DESCRIPTION",
    "EVENT_NAME",
    "GITHUB_ENV",
    "IS_PULL_REQUEST",
    "ISSUES_TO_TRIAGE",
    "ISSUE_BODY",
    "ISSUE_NUMBER",
    "ISSUE_TITLE",
    "PULL_REQUEST_NUMBER",
    "REPOSITORY",
    "TITLE",
    "TRIGGERING_ACTOR",
});
/// Dropped although no word in their name gives them away: they identify accounts and databases.
constexpr auto kNever = std::to_array<Name>({
    "CLIENT_ID",
    "DB_URI",
    "CONNECTION_STRING",
    "AWS_DEFAULT_REGION",
    "AZURE_CLIENT_ID",
    "AZURE_TENANT_ID",
    "SLACK_WEBHOOK_URL",
    "TWILIO_ACCOUNT_SID",
    "DATABASE_URL",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_ACCOUNT",
    "FIREBASE_PROJECT_ID",
});
/// A name that contains one of these words is dropped.
constexpr auto kSecretWords = std::to_array<Name>({
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "KEY",
    "AUTH",
    "CREDENTIAL",
    "CREDS",
    "PRIVATE",
    "CERT",
});
/// Values that are secret under any name: private keys, certificates, URLs with a password, and tokens of well-known
/// services.
constexpr Name kSecretValue =
    "-----BEGIN (RSA |OPENSSH |EC |PGP )?PRIVATE KEY|-----BEGIN CERTIFICATE|(https?|ftp|smtp)://[^\\s/:@]+:[^\\s/@]+@|"
    "(ghp|gho|ghu|ghs|ghr|github_pat)_[A-Za-z0-9_]{36,}|AIzaSy[A-Za-z0-9_-]{33}|AKIA[A-Z0-9]{16}|"
    "eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+|(sk|rk)_(live|test)_[A-Za-z0-9]{24}|xox[abpr]-";

std::string to_upper(std::string_view s) {
  std::string out(s);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return out;
}

/// `name` must be in upper case already.
bool lists(std::span<const Name> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool lists(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::any_of(names, [&](const std::string& listed) { return to_upper(listed) == name; });
}

/// Whether hooks see this variable. The first rule that applies decides, so the order matters: a value that is a secret
/// outweighs a name that the user allowed.
bool keeps(std::string_view name, std::string_view value, const SecretFilter& filter, const Matcher& secret_value) {
  const std::string upper = to_upper(name);
  if (upper.starts_with("GEMINI_CLI_")) return true;
  if (secret_value.matches(value)) return false;
  if (upper.starts_with("GIT_CONFIG_")) return true;
  if (lists(filter.allowed, upper)) return true;
  if (lists(filter.blocked, upper)) return false;
  if (lists(kHarmless, upper)) return true;
  if (lists(kNever, upper) || filter.strict) return false;
  return std::ranges::none_of(kSecretWords, [&](Name word) { return upper.find(word) != std::string::npos; });
}

}  // namespace

Environment without_secrets(const Environment& env, const SecretFilter& filter) {
  const Matcher secret_value = *Matcher::compile(kSecretValue, MatchSyntax::SearchRegex);
  std::vector<std::string> kept;
  for (const std::string& entry : env.entries()) {
    if (keeps(name_of_entry(entry), value_of_entry(entry), filter, secret_value)) kept.push_back(entry);
  }
  return Environment(std::move(kept));
}

}  // namespace grapnel
