#include "record/mask.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace grapnel {

namespace {

// The text is searched from left to right. At each position, `SecretFinder` tries the kinds of secrets in turn and
// returns the first span that it finds; `mask_known` replaces the span and goes on behind it. Cheap checks come first,
// because nearly all positions contain no secret: the first character of a token is looked up in a table, and names are
// tried only if the whole text contains a telling word somewhere.

constexpr std::string_view kMask = "***";

/// A token is recognised by its prefix and by how many characters follow. To support another service, add a row with
/// the prefix of its tokens and the shortest length that cannot be an ordinary word.
struct TokenShape {
  std::string_view prefix;
  size_t min_rest;
};
constexpr auto kTokens = std::to_array<TokenShape>({
    {"ghp_", 20},   {"gho_", 20},    {"ghu_", 20},     {"ghs_", 20},     {"ghr_", 20},     {"github_pat_", 20},
    {"glpat-", 16}, {"sk-", 16},     {"sk_live_", 16}, {"sk_test_", 16}, {"rk_live_", 16}, {"rk_test_", 16},
    {"xoxa-", 10},  {"xoxb-", 10},   {"xoxp-", 10},    {"xoxr-", 10},    {"xoxs-", 10},    {"AKIA", 16},
    {"ASIA", 16},   {"AIza", 30},    {"ya29.", 20},    {"hf_", 20},      {"npm_", 30},     {"pypi-", 30},
    {"SG.", 40},    {"dop_v1_", 40}, {"eyJ", 30},
});

/// A name that contains one of these words is a telling name.
constexpr auto kTellingWords = std::to_array<std::string_view>({
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "access-key",
    "private_key",
    "private-key",
    "account_key",
    "account-key",
    "accountkey",
    "credential",
    "authorization",
    "bearer",
});
/// Names that are telling only as a whole: `compass=` and `author=` are not.
constexpr auto kTellingNames = std::to_array<std::string_view>(
    {"pass", "pwd", "auth", "sig", "signature", "cookie", "set-cookie", "passcode", "sshpass"});
/// And such endings: `MYSQL_PWD`, `become_pass`.
constexpr auto kTellingEndings = std::to_array<std::string_view>({"_pass", "-pass", "_pwd"});
/// A name that ends like this is telling if its value looks random: `SIGNING_KEY=`, `?key=`. Many keys are no secrets.
constexpr std::string_view kKeyEnding = "key";
constexpr size_t kRandomLength = 16;  ///< from this length on, letters mixed with digits look random

/// Options that are followed by a secret, and the program that has them. `login` stands for `docker login` and the
/// like, whose `-p` means something else without it.
struct SecretOption {
  std::string_view program;
  std::string_view option;
  char behind = '\0';        ///< the secret is the part behind this: `user:secret`
  bool is_attached = false;  ///< the secret follows without a blank, as in `mysql -psecret`
};
constexpr auto kSecretOptions = std::to_array<SecretOption>({
    {"curl", "-u", ':'},
    {"curl", "--user", ':'},
    {"curl", "-U", ':'},
    {"curl", "--proxy-user", ':'},
    {"curl", "-u", ':', true},
    {"curl", "-b"},
    {"curl", "--cookie"},
    {"http", "-a", ':'},
    {"https", "-a", ':'},
    {"sshpass", "-p"},
    {"sshpass", "-p", '\0', true},
    {"mysql", "-p", '\0', true},
    {"mysqldump", "-p", '\0', true},
    {"mysqladmin", "-p", '\0', true},
    {"mariadb", "-p", '\0', true},
    {"mongo", "-p"},
    {"mongosh", "-p"},
    {"redis-cli", "-a"},
    {"login", "-p"},
    {"ldapsearch", "-w"},
    {"smbclient", "-U", '%'},
    {"openssl", "-k"},
    {"ssh-keygen", "-N"},
    {"zip", "-P"},
    {"unzip", "-P"},
    {"unzip", "-P", '\0', true},
    {"sqlcmd", "-P"},
    {"xh", "-a", ':'},
    {"7z", "-p", '\0', true},
    {"mosquitto_pub", "-P"},
});

/// Names with a telling word that describe an amount or a place and not a secret: `max_tokens`, `token_count`.
constexpr auto kHarmlessEndings = std::to_array<std::string_view>({"tokens", "_count", "_limit", "_file", "_path"});

/// The user's patterns are matched against words. These characters separate them.
constexpr std::string_view kBetweenWords = " \t\r\n\"'`";

/// `Authorization: Bearer x`: the scheme stays readable, only the value behind it is masked.
constexpr auto kSchemes =
    std::to_array<std::string_view>({"bearer ", "basic ", "token ", "bearer\\ ", "basic\\ ", "token\\ "});

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}
bool is_token(char c) {
  return is_word(c) || c == '.' || c == '+' || c == '/' || c == '=' || c == '~';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool has_telling_word(std::string_view text) {
  const std::string lower = text::to_lower(text);
  return std::ranges::any_of(kTellingWords, [&](std::string_view word) { return lower.contains(word); });
}

/// Whether the value of this name is secret.
bool is_telling(std::string_view name) {
  // The shell's own variables.
  if (name == "PWD" || name == "OLDPWD") return false;
  const std::string lower = text::to_lower(name);
  // `--pass` and `-pass` are the same name.
  const std::string_view bare = std::string_view(lower).substr(std::min(lower.find_first_not_of('-'), lower.size()));
  if (std::ranges::find(kTellingNames, bare) != kTellingNames.end()) return true;
  if (std::ranges::any_of(kTellingEndings, [&](std::string_view end) { return lower.ends_with(end); })) return true;
  if (lower.starts_with("--") && lower.ends_with("pass") && !lower.ends_with("bypass")) return true;
  if (!has_telling_word(name)) return false;
  return std::ranges::none_of(kHarmlessEndings, [&](std::string_view end) { return lower.ends_with(end); });
}

/// Letters mixed with digits, and long enough that nobody would type it.
bool looks_random(std::string_view value) {
  if (value.size() < kRandomLength) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_other = [&](char c) { return !is_digit(c) && !is_letter(c) && !std::string_view("_-+/=").contains(c); };
  return std::ranges::any_of(value, is_digit) && std::ranges::any_of(value, is_letter) &&
         std::ranges::none_of(value, is_other);
}

/// Whether the text may contain a telling name, in one pass over it. Most texts do not.
bool may_have_names(std::string_view text) {
  constexpr auto kParts = std::to_array<std::string_view>({"pass", "pwd", "auth", "sig", "cookie", "key"});
  const std::string lower = text::to_lower(text);
  return std::ranges::any_of(kParts, [&](std::string_view part) { return lower.contains(part); }) ||
         std::ranges::any_of(kTellingWords, [&](std::string_view word) { return lower.contains(word); });
}

size_t skip(std::string_view text, size_t at, bool (*is_part)(char)) {
  while (at < text.size() && is_part(text[at])) ++at;
  return at;
}

/// The bytes to mask, [begin, end).
struct Span {
  size_t begin;
  size_t end;
};

/// The first characters of all prefixes, as a table for a quick check.
constexpr std::array<bool, 256> starts_of_tokens() {
  std::array<bool, 256> starts{};
  for (const TokenShape& shape : kTokens) starts[static_cast<unsigned char>(shape.prefix.front())] = true;
  return starts;
}
constexpr std::array<bool, 256> kTokenStarts = starts_of_tokens();

/// The token that begins at `at`.
std::optional<Span> find_token(std::string_view text, size_t at) {
  if (!kTokenStarts[static_cast<unsigned char>(text[at])]) return std::nullopt;
  for (const TokenShape& shape : kTokens) {
    if (!text.substr(at).starts_with(shape.prefix)) continue;
    const size_t end = skip(text, at + shape.prefix.size(), is_token);
    if (end - at - shape.prefix.size() >= shape.min_rest) return Span{at, end};
  }
  return std::nullopt;
}

/// A private key from its BEGIN line to its END line. If the END line is missing, everything up to the end is masked.
std::optional<Span> find_pem(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("-----BEGIN ")) return std::nullopt;
  const size_t title = text.find("-----", at + 11);
  if (title == std::string_view::npos || !text.substr(at, title - at).ends_with("PRIVATE KEY")) return std::nullopt;
  const size_t footer = text.find("-----END ", title);
  if (footer == std::string_view::npos) return Span{at, text.size()};
  const size_t end = text.find("-----", footer + 9);
  return Span{at, end == std::string_view::npos ? text.size() : end + 5};
}

/// The password of `://user:password@`, or a token in place of the user: `://token@`.
std::optional<Span> find_url_password(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("://")) return std::nullopt;
  const size_t start = at + 3;
  const size_t end = std::min(text.find_first_of(" \t\r\n/\"'<>", start), text.size());
  // The last `@` separates the password from the host, since a password may contain one.
  const size_t sign = text.substr(0, end).rfind('@');
  const size_t colon = text.find(':', start);
  if (sign == std::string_view::npos || sign < start || colon + 1 == sign) return std::nullopt;
  if (colon < sign) return Span{colon + 1, sign};
  return looks_random(text.substr(start, sign - start)) ? std::optional(Span{start, sign}) : std::nullopt;
}

size_t skip_scheme(std::string_view text, size_t at) {
  const std::string lower = text::to_lower(text.substr(at, 9));
  for (const std::string_view scheme : kSchemes) {
    if (lower.starts_with(scheme)) return at + scheme.size();
  }
  return at;
}

/// The value from `at` to the closing quote or, without quotes, to the end of the word.
Span value_at(std::string_view text, size_t at) {
  const char quote = text[at];
  if (quote != '"' && quote != '\'') {
    at = skip_scheme(text, at);
    return {at, std::min(text.find_first_of(" \t\r\n,;&\"'})", at), text.size())};
  }
  at = skip_scheme(text, at + 1);
  return {at, std::min(text.find(quote, at), text.size())};
}

/// Whether the word in front of the one that contains `at` is `set`.
bool is_set(std::string_view text, size_t at) {
  const size_t blank = text.substr(0, at).find_last_of(" \t");
  return blank != std::string_view::npos && text.substr(0, blank).ends_with(" set");
}

/// The value that follows a telling name: `NAME=value`, `"name": "value"`, `--name value`.
std::optional<Span> find_named(std::string_view text, size_t at) {
  const size_t name_end = skip(text, at, is_word);
  const std::string_view name = text.substr(at, name_end - at);
  const bool is_key = text::to_lower(name).ends_with(kKeyEnding);
  const bool is_told = is_telling(name);
  if (!is_told && !is_key) return std::nullopt;
  size_t next = name_end;
  if (next < text.size() && (text[next] == '"' || text[next] == '\'')) ++next;
  if (next < text.size() && text[next] == ']') ++next;  // environ['API_SECRET'] = …
  next = skip(text, next, is_blank);
  // A blank alone separates a name from its value only for options and in `config set NAME value`: in prose, "token" is
  // followed by an ordinary word.
  const bool is_assigned = next < text.size() && (text[next] == '=' || text[next] == ':');
  const bool is_apart = text.substr(at).starts_with("--") || is_set(text, at);
  if (!is_assigned && !(is_apart && next > name_end)) return std::nullopt;
  if (is_assigned) next = skip(text, next + 1, is_blank);
  if (next >= text.size()) return std::nullopt;
  const Span value = value_at(text, next);
  const bool is_secret = is_told || looks_random(text.substr(value.begin, value.end - value.begin));
  return is_secret && value.end > value.begin ? std::optional(value) : std::nullopt;
}

/// Whether the program is named in the command that the option at `at` belongs to.
bool is_option_of(std::string_view text, size_t at, std::string_view program) {
  const size_t before = at == 0 ? std::string_view::npos : text.find_last_of("|;&\n(`", at - 1);
  const std::string_view command = text.substr(before == std::string_view::npos ? 0 : before + 1);
  const size_t length = at - (before == std::string_view::npos ? 0 : before + 1);
  for (size_t found = command.find(program); found < length; found = command.find(program, found + 1)) {
    const bool starts = found == 0 || !is_word(command[found - 1]);
    const size_t end = found + program.size();
    if (starts && end < command.size() && is_blank(command[end])) return true;
  }
  return false;
}

/// The second characters of all these options, as a table for a quick check.
constexpr std::array<bool, 256> starts_of_options() {
  std::array<bool, 256> starts{};
  for (const SecretOption& row : kSecretOptions) starts[static_cast<unsigned char>(row.option[1])] = true;
  return starts;
}
constexpr std::array<bool, 256> kOptionStarts = starts_of_options();

/// The value of an option that is known to be followed by a secret.
std::optional<Span> find_option(std::string_view text, size_t at) {
  if (text[at] != '-' || at + 1 == text.size()) return std::nullopt;
  if (!kOptionStarts[static_cast<unsigned char>(text[at + 1])]) return std::nullopt;
  for (const SecretOption& row : kSecretOptions) {
    if (!text.substr(at).starts_with(row.option)) continue;
    size_t next = at + row.option.size();
    if (next >= text.size() || row.is_attached == (is_blank(text[next]) || text[next] == '=')) continue;
    if (!row.is_attached) next = skip(text, next + 1, is_blank);
    if (next >= text.size() || !is_option_of(text, at, row.program)) continue;
    const Span value = value_at(text, next);
    const size_t sign = text.substr(0, value.end).find(row.behind, value.begin);
    if (row.behind != '\0' && sign == std::string_view::npos) continue;
    const Span secret{row.behind != '\0' ? sign + 1 : value.begin, value.end};
    if (secret.end > secret.begin) return secret;
  }
  return std::nullopt;
}

/// `Bearer x` without a name in front, as in a header that stands alone. Short words behind "bearer" are prose.
std::optional<Span> find_bearer(std::string_view text, size_t at) {
  if (text[at] != 'b' && text[at] != 'B') return std::nullopt;
  const std::string lower = text::to_lower(text.substr(at, 7));
  if (lower != "bearer ") return std::nullopt;
  const size_t end = skip(text, at + 7, is_token);
  return end - at - 7 >= 8 ? std::optional(Span{at + 7, end}) : std::nullopt;
}

/// Finds secrets in one text, from left to right.
class SecretFinder {
 public:
  explicit SecretFinder(std::string_view text) : text_(text), has_names_(may_have_names(text)) {}

  std::optional<Span> find_from(size_t at) const {
    for (; at < text_.size(); ++at) {
      if (auto found = find_at(at)) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<Span> find_at(size_t at) const {
    const char c = text_[at];
    if (c == ':') return find_url_password(text_, at);
    if (!is_word(c)) return std::nullopt;
    if (c == '-') {
      if (auto found = find_pem(text_, at)) return found;
    }
    // Tokens and names begin at the start of a word. `task-sk-…` is not a token.
    if (at > 0 && is_word(text_[at - 1])) return std::nullopt;
    if (auto found = find_token(text_, at)) return found;
    if (auto found = find_bearer(text_, at)) return found;
    if (auto found = find_option(text_, at)) return found;
    return has_names_ ? find_named(text_, at) : std::nullopt;
  }

  std::string_view text_;
  bool has_names_;  ///< the text may contain a telling name somewhere
};

std::string mask_known(std::string_view text) {
  const SecretFinder secrets(text);
  std::string out;
  size_t at = 0;
  while (const auto secret = secrets.find_from(at)) {
    out.append(text, at, secret->begin - at).append(kMask);
    at = secret->end;
  }
  return out.append(text, at);
}

}  // namespace

Mask::Mask(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (text::trim(pattern).empty()) continue;
    if (auto matcher = Matcher::compile(pattern, MatchSyntax::SearchRegex)) patterns_.push_back(std::move(*matcher));
  }
}

std::string Mask::apply(std::string_view text) const {
  return patterns_.empty() ? mask_known(text) : apply_patterns(mask_known(text));
}

std::string Mask::apply_patterns(std::string_view text) const {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(kBetweenWords, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const auto is_found = [&](const Matcher& pattern) { return pattern.matches(word); };
    out += !word.empty() && std::ranges::any_of(patterns_, is_found) ? kMask : word;
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

Json Mask::apply(const Json& value) const {
  if (value.is_string()) {
    const std::string text = *value.as_string();
    const std::string clean = apply(text);
    return clean == text ? value : Json::string(clean);
  }
  if (value.is_array()) {
    std::vector<Json> elements;
    for (const Json& element : value.elements()) elements.push_back(apply(element));
    return Json::array(elements);
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, Json>> members;
  for (const JsonMember& member : value.members()) {
    const bool is_secret = member.value.is_string() && is_telling(member.key);
    members.emplace_back(member.key, is_secret ? Json::string(kMask) : apply(member.value));
  }
  return Json::object(members);
}

}  // namespace grapnel
