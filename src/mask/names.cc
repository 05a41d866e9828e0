#include "mask/names.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"
#include "mask/chars.h"

namespace grapnel::mask {

namespace {

/// A word that ends like one of these tells by itself: `password`, `pgpassword`, `authtoken`.
constexpr auto kTellingEnds = std::to_array<std::string_view>({
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "pwd",
    "pswd",
    "secret",
    "token",
    "apikey",
    "bearer",
    "credential",
    "senha",
    "passwrd",
    "depasse",
    "wachtwoord",
});
constexpr auto kTellingWords =
    std::to_array<std::string_view>({"pass", "pw", "psk", "credentials", "creds", "cred", "passwords", "secrets",
                                     "contrasena", "psw", "passe", "mdp", "heslo"});
/// `sshpass`, `dbpass`, `userpass` end in "pass" and tell; these words do not.
constexpr auto kOtherPasses = std::to_array<std::string_view>(
    {"bypass", "compass", "encompass", "trespass", "surpass", "overpass", "underpass", "onepass", "multipass"});

constexpr auto kHeaders = std::to_array<std::string_view>({"authorization", "cookie"});

/// In front of `key`: these keys are always secret.
constexpr auto kSecretKeys = std::to_array<std::string_view>({
    "api",     "access",    "secret",  "private", "priv",     "signing", "encryption", "encrypt",   "master",
    "account", "auth",      "shared",  "hmac",    "aes",      "jwt",     "sign",       "accesskey", "crypto",
    "cipher",  "preshared", "license", "licence", "recovery", "unlock",  "decryption",
});
/// And these never are.
constexpr auto kOpenKeys = std::to_array<std::string_view>({
    "primary", "foreign", "public", "pub",   "cache", "sort",  "partition", "unique",      "index", "object",
    "row",     "map",     "hash",   "group", "state", "react", "i",         "translation", "query", "sorting",
});
/// One word that contains both: `accountkey`.
constexpr auto kJoinedKeys = std::to_array<std::string_view>({
    "accountkey",
    "accesskey",
    "secretkey",
    "privatekey",
    "masterkey",
    "sharedkey",
    "authkey",
    "signingkey",
    "encryptionkey",
    "privkey",
    "sharedaccesskey",
    "presharedkey",
});

/// Names that tell only together with a value that looks made up.
constexpr auto kHints = std::to_array<std::string_view>({
    "key",       "keys",   "tokens", "auth",       "sid",     "sig",      "signature", "nonce",      "csrf",
    "xsrf",      "salt",   "seed",   "pat",        "dsn",     "mnemonic", "session",   "jsessionid", "phpsessid",
    "sessionid", "sessid", "hmac",   "community",  "webhook", "license",  "connstr",   "otp",        "totp",
    "pin",       "login",  "jwt",    "sessionkey", "userpwd", "code",     "cert",
});
constexpr auto kDigitNames = std::to_array<std::string_view>({"pin", "otp", "cvv", "cvc", "totp", "passcode", "mfa"});

/// A name that ends in one of these words is about a secret, but its value is none: `token_count`, `password_file`.
constexpr auto kHarmlessEnds = std::to_array<std::string_view>({
    "count",     "counts",    "counter",   "limit",    "limits",      "file",      "files",   "path",       "paths",
    "dir",       "url",       "uri",       "endpoint", "ttl",         "expiry",    "expires", "expiration", "type",
    "types",     "name",      "names",     "id",       "ids",         "length",    "len",     "size",       "budget",
    "max",       "min",       "policy",    "regex",    "pattern",     "field",     "fields",  "header",     "headers",
    "prompt",    "algorithm", "algo",      "encoding", "version",     "env",       "var",     "ref",        "refs",
    "arn",       "stdin",     "fd",        "format",   "kind",        "store",     "manager", "provider",   "class",
    "required",  "enabled",   "disabled",  "rotation", "reset",       "index",     "usage",   "cost",       "price",
    "rate",      "window",    "per",       "cache",    "age",         "days",      "hours",   "seconds",    "ms",
    "timeout",   "strength",  "hint",      "label",    "placeholder", "validator", "valid",   "input",      "checker",
    "issuer",    "audience",  "scope",     "scopes",   "engine",      "backend",   "helper",  "command",    "cmd",
    "lookup",    "access",    "mode",      "method",   "status",      "state",     "total",   "used",       "left",
    "remaining", "author",    "form",      "page",     "view",        "column",    "table",   "test",       "tests",
    "error",     "errors",    "generator", "parser",   "stream",      "ring",      "board",   "source",     "location",
    "region",    "handler",   "exists",    "at",       "by",          "from",      "date",    "time",       "updated",
    "created",   "only",      "list",      "less",
});

bool tells(std::string_view word) {
  if (is_among(word, kTellingWords)) return true;
  if (word.ends_with("pass") && !is_among(word, kOtherPasses)) return true;
  return std::ranges::any_of(kTellingEnds, [&](std::string_view end) { return word.ends_with(end); });
}

Telling how_telling_key(std::string_view kind) {
  if (is_among(kind, kSecretKeys)) return Telling::Yes;
  return is_among(kind, kOpenKeys) ? Telling::No : Telling::IfOdd;
}

}  // namespace

std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(text::to_lower(word));
    word.clear();
  };
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter(c)) {
      finish();
      continue;
    }
    // A capital begins a word, also the last one of several: `APIKey` is `api`, `key`.
    const bool ends_capitals = i > 0 && is_upper(name[i - 1]) && is_lower(char_at(name, i + 1));
    if (is_upper(c) && i > 0 && (is_lower(name[i - 1]) || ends_capitals)) finish();
    word += c;
  }
  finish();
  return words;
}

namespace {

/// Every telling name contains one of these. Sorted by the first letter.
constexpr auto kStems = std::to_array<std::string_view>({
    "adgangskode", "auth",   "bearer", "clave", "code", "community", "connstr",    "contrase",   "cookie", "cred",
    "csrf",        "cert",   "cv",     "dsn",   "hasł", "heslo",     "hmac",       "identified", "jelsz",  "jwt",
    "kennwort",    "key",    "licen",  "login", "mdp",  "mfa",       "mnemonic",   "nonce",      "otp",    "parol",
    "pass",        "pat",    "pin",    "psk",   "psw",  "pw",        "salasana",   "salt",       "secret", "seed",
    "senha",       "senord", "sess",   "sid",   "sig",  "token",     "wachtwoord", "webhook",    "xsrf",   "zugang",
});
constexpr auto kStemStarts = [] {
  std::array<uint8_t, 27> starts{};
  for (size_t c = 0; c < starts.size(); ++c) {
    const auto is_before = [&](std::string_view stem) { return static_cast<size_t>(stem.front() - 'a') < c; };
    starts[c] = static_cast<uint8_t>(std::ranges::count_if(kStems, is_before));
  }
  return starts;
}();
static_assert(std::ranges::is_sorted(kStems, {}, [](std::string_view stem) { return stem.front(); }));

constexpr char lower(char c) {
  return is_upper(c) ? static_cast<char>(c | 0x20) : c;
}

/// The letters that may stand second in a stem, as bits, for each first letter: most texts need no more than this.
constexpr auto kSecondLetters = [] {
  std::array<uint32_t, 26> table{};
  for (const std::string_view stem : kStems) table[static_cast<size_t>(stem[0] - 'a')] |= 1U << (stem[1] - 'a');
  return table;
}();

}  // namespace

bool may_tell(std::string_view text) {
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    if (!is_letter(text[at])) continue;
    const auto first = static_cast<size_t>(lower(text[at]) - 'a');
    const auto second = static_cast<size_t>(lower(text[at + 1]) - 'a');
    if (second >= 26 || (kSecondLetters[first] >> second & 1U) == 0) continue;
    for (size_t i = kStemStarts[first]; i < kStemStarts[first + 1]; ++i) {
      const std::string_view stem = kStems[i];
      size_t same = 1;
      while (same < stem.size() && lower(char_at(text, at + same)) == stem[same]) ++same;
      if (same == stem.size()) return true;
    }
  }
  return false;
}

Telling how_telling(std::string_view name) {
  if (name.size() > 80 || !may_tell(name)) return Telling::No;
  // The shell's own variables.
  if (name == "PWD" || name == "OLDPWD") return Telling::No;
  std::vector<std::string> words = words_of_name(name);
  // `client-key-data` is a key, and `secret_key_base` as well.
  if (words.size() > 2 && (words.back() == "data" || words.back() == "base")) words.pop_back();
  if (words.empty()) return Telling::No;
  const std::string& last = words.back();
  if (is_among(last, kHeaders)) return Telling::Header;
  if (words.size() > 1 && is_among(last, kHarmlessEnds)) return Telling::No;
  if (last == "key" || last == "keys") {
    return words.size() == 1 ? Telling::IfOdd : how_telling_key(words[words.size() - 2]);
  }
  if (is_among(last, kJoinedKeys)) return Telling::Yes;
  if (std::ranges::any_of(words, tells)) return Telling::Yes;
  if (is_among(last, kDigitNames)) return Telling::IfDigits;
  if (is_among(last, kHints) || last.ends_with("key")) return Telling::IfOdd;
  return Telling::No;
}

bool counts_something(std::string_view name) {
  const std::vector<std::string> words = words_of_name(name);
  return std::ranges::none_of(
      words, [](std::string_view word) { return word.starts_with("pass") || word.ends_with("pass") || word == "pwd"; });
}

}  // namespace grapnel::mask
