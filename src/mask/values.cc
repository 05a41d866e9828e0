#include "mask/values.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mask/chars.h"
#include "mask/names.h"

namespace grapnel::mask {

namespace {

constexpr size_t kShortestOdd = 5;  ///< shorter words are found in every text
constexpr size_t kShortestMadeUp = 8;
constexpr size_t kShortestRandom = 20;  ///< from here on, a mixed word is no name any more

/// Values that say nothing: types, states, switches.
constexpr auto kPlainValues = std::to_array<std::string_view>({
    "true",     "false",       "null",    "none",     "nil",       "undefined", "yes",     "no",      "on",
    "off",      "string",      "str",     "text",     "int",       "integer",   "number",  "bool",    "boolean",
    "bytes",    "any",         "object",  "array",    "list",      "dict",      "enum",    "varchar", "char",
    "required", "optional",    "inherit", "default",  "auto",      "prompt",    "ask",     "stdin",   "missing",
    "invalid",  "expired",     "empty",   "unset",    "redacted",  "hidden",    "masked",  "example", "placeholder",
    "todo",     "tbd",         "unknown", "wrong",    "incorrect", "valid",     "ok",      "void",    "self",
    "this",     "password",    "passwd",  "token",    "secret",    "key",       "basic",   "bearer",  "oauth",
    "jwt",      "string|null", "return",  "function", "new",       "await",     "const",   "let",     "var",
    "and",      "or",          "not",     "is",       "in",        "if",        "else",    "async",   "was",
    "has",      "must",        "cannot",  "could",    "should",    "set",       "not-set", "n/a",     "changed",
    "plain",    "binary",      "env",     "file",     "username",  "user",      "id",
});

/// What stands in front of a dot in code: `self.token`, `process.env.TOKEN`.
constexpr auto kOwners = std::to_array<std::string_view>({
    "self",    "this",    "process", "os",   "config", "env",     "settings",    "req",   "request", "args",
    "opts",    "options", "params",  "user", "data",   "ctx",     "input",       "props", "state",   "std",
    "secrets", "vars",    "local",   "var",  "module", "github",  "event",       "body",  "res",     "response",
    "import",  "c",       "s",       "cfg",  "conf",   "context", "credentials", "auth",  "session", "payload",
    "form",    "account", "client",  "app",  "values", "matrix",  "inputs",
});

/// Words with a digit that everybody knows.
constexpr auto kKnownWords = std::to_array<std::string_view>({
    "base64",  "base32",  "base58",    "sha1",      "sha256", "sha384",  "sha512",   "utf8",     "utf16",
    "oauth2",  "oauth1",  "ed25519",   "x509",      "pkcs8",  "pkcs12",  "http2",    "ipv4",     "ipv6",
    "python3", "python2", "int32",     "int64",     "uint8",  "uint32",  "uint64",   "float32",  "float64",
    "latin1",  "rs256",   "hs256",     "es256",     "aes256", "rsa2048", "argon2",   "bcrypt",   "argon2id",
    "sqlite3", "boto3",   "urllib3",   "node18",    "node20", "node22",  "debian12", "ubuntu22", "localhost3000",
    "sha3",    "md5sum",  "sha256sum", "sha1sum",   "pbkdf2", "arm64",   "amd64",    "x86_64",   "win32",
    "es2022",  "es2020",  "es2015",    "base64url", "http1",  "tls1",    "gzip2",    "bzip2",    "mp3",
    "mp4",     "p12",     "pkcs11",    "auth0",
});

constexpr auto kSchemes =
    std::to_array<std::string_view>({"bearer", "basic", "token", "digest", "apikey", "negotiate"});

bool is_hex(std::string_view word) {
  const auto is_low = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  const auto is_high = [](char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); };
  return std::ranges::all_of(word, is_low) || std::ranges::all_of(word, is_high);
}

/// `$NAME`, `${NAME}`, `$(command)`, `{{ name }}`, `<name>`, `%s`, `@file` and the like.
bool is_placeholder(std::string_view value) {
  const char first = value.front();
  const char second = char_at(value, 1);
  if (first == '$') {
    const std::string_view rest = value.substr(1);
    return second == '{' || second == '(' || second == '\0' || std::ranges::all_of(rest, [](char c) {
             return is_letter(c) || is_digit(c) || c == '_' || c == ':' || c == '.';
           });
  }
  if (first == '<') return value.contains('>') || second == '\0';
  if (first == '{') return second == '{' || second == '}' || value.ends_with('}') || second == '\0';
  if (first == '%') return second == '(' || second == '{' || second == 's' || value.ends_with('%');
  if (first == '#') return second == '{';
  if (first == '[') return second == '\0' || second == ']';
  if (first == '@' || first == '&' || first == '*' || first == '!') {
    return value.size() < 2 ||
           std::ranges::all_of(
               value.substr(1),
               [](char c) { return is_letter(c) || c == '_' || c == '.' || c == '/' || c == '*' || c == ':'; });
  }
  // Nothing but one sign: `***`, `xxxx`, `....`.
  const bool is_filler = !is_digit(first) && (!is_letter(first) || first == 'x' || first == 'X');
  return is_filler && value.size() > 1 && std::ranges::all_of(value, [&](char c) { return c == first; });
}

/// `your-token-here`, `<insert key>`, `changeme`: what examples contain.
bool is_example(std::string_view lower) {
  return lower.starts_with("your") || lower.ends_with("_here") || lower.ends_with("-here") ||
         lower.starts_with("insert") || lower.starts_with("replace") || lower.starts_with("xxx") ||
         lower.starts_with("op://") || lower.starts_with("vault:") || lower.starts_with("arn:") ||
         lower.starts_with("env:") || lower.starts_with("file:") || lower.starts_with("ref+") ||
         lower.starts_with("enc[") || lower.starts_with("secretkeyref") || lower.starts_with("secretref");
}

/// `getenv(…)`, `self.token`, `process.env.TOKEN`, `os.environ['TOKEN']`: not the value, but where it comes from.
bool is_code(std::string_view value) {
  size_t at = skip(value, 0, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  if (at == 0) return false;
  const std::string owner = text::to_lower(value.substr(0, at));
  bool is_member = false;
  while (at < value.size() &&
         (value[at] == '.' || value[at] == ':' || value[at] == '?' || value[at] == '-' || value[at] == '>')) {
    const size_t from = at;
    at = skip(value, at, [](char c) { return c == '.' || c == ':' || c == '?' || c == '-' || c == '>'; });
    const std::string_view joint = value.substr(from, at - from);
    if (joint != "." && joint != "::" && joint != "?." && joint != "->") return false;
    const size_t end = skip(value, at, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
    if (end == at) return false;
    at = end;
    is_member = true;
  }
  if (char_at(value, at) == '(' || char_at(value, at) == '[' || char_at(value, at) == '<') return true;
  // `token!` takes the value out of an optional. A name with a digit in it is more likely a password that ends in a
  // sign.
  if (char_at(value, at) == '!' && at + 1 == value.size()) return std::ranges::none_of(value.substr(0, at), is_digit);
  if (is_member) return at == value.size() && is_among(owner, kOwners);
  // `token=newToken`: a variable that is named like what it holds.
  const std::string_view name = value.substr(0, at);
  const bool is_camel = is_lower(name.front()) && std::ranges::any_of(name, is_upper);
  return at == value.size() && is_camel && std::ranges::none_of(name, is_digit) && how_telling(name) == Telling::Yes;
}

/// A path whose parts are names. A secret in base64 may begin with a slash, too.
bool is_path(std::string_view value) {
  const bool begins_so = value.starts_with('/') || value.starts_with("./") || value.starts_with("../") ||
                         value.starts_with("~/") || value.starts_with("C:\\");
  return begins_so && !is_random(value);
}

/// Letters in one case, or with a capital at the front; digits; letters and up to `digits` digits behind them.
bool is_plain_part(std::string_view part, size_t digits) {
  size_t at = skip(part, 0, is_upper);
  // Capitals inside are the beginnings of further words, which have three letters or more: `SecretStore`.
  size_t letters = skip(part, at, is_lower);
  while (letters < part.size() && is_upper(part[letters]) && letters - at >= 2) {
    at = skip(part, letters, is_upper);
    letters = skip(part, at, is_lower);
  }
  const size_t end = skip(part, letters, is_digit);
  return end == part.size() && (end - letters <= digits || letters == 0);
}

/// Names of things: `us-east-1`, `db_password`, `node-v18.2`, `docs/page.md`.
bool is_slug(std::string_view value, size_t digits) {
  size_t from = 0;
  while (from <= value.size()) {
    const size_t end = std::min(value.find_first_of("-_.:/+,=~", from), value.size());
    if (!is_plain_part(value.substr(from, end - from), digits)) return false;
    from = end + 1;
  }
  return true;
}

/// `10ms`, `512MB`, `3rd`, `2x`.
bool is_amount(std::string_view value) {
  const size_t digits = skip(value, 0, [](char c) { return is_digit(c) || c == '.'; });
  const size_t end = skip(value, digits, is_letter);
  return digits > 0 && end == value.size() && end - digits <= 3;
}

/// Characters that code has and passwords of one word seldom have.
bool has_code_sign(std::string_view value) {
  return value.find_first_of("()[]{}<>`\"'\\|") != std::string_view::npos || value.contains("://") ||
         value.contains("->") || value.contains("::") || value.contains("==");
}

bool is_email(std::string_view value) {
  const size_t at = value.find('@');
  return at != std::string_view::npos && at > 0 && value.find('.', at) != std::string_view::npos &&
         is_slug(value.substr(0, at), 4) && is_slug(value.substr(at + 1), 4);
}

/// Whether a word could be a secret at all.
bool is_candidate(std::string_view value) {
  if (value.empty() || std::ranges::any_of(value, is_space) || has_code_sign(value)) return false;
  if (is_number(value) || is_amount(value) || is_path(value) || is_email(value)) return false;
  if (value.front() == '-' || value.front() == '$' || value.front() == '@' || value.front() == '#') return false;
  const std::string lower = text::to_lower(value);
  return !is_among(lower, kKnownWords) && !is_example(lower);
}

/// Whether a sign in front of `at` ends the value, judged by what comes behind the sign.
bool ends_value(std::string_view text, size_t at) {
  const char sign = text[at];
  const char next = char_at(text, at + 1);
  if (next == '\0' || is_space(next) || is_quote(next)) return true;
  const bool is_closing = sign == ')' || sign == '}' || sign == ']';
  if (is_closing) return std::string_view(",;.)}]|&:<").contains(next);
  if (sign == '|' || sign == '<' || sign == '>') return true;
  // `&page=2`, `,foo=bar`, `;Database=x`, `&&`: another member or command begins.
  if (next == sign) return true;
  const size_t name = skip(text, at + 1, [](char c) { return is_name_char(c) || c == '.' || c == ' ' || c == '['; });
  return name > at + 1 && (char_at(text, name) == '=' || char_at(text, name) == ':');
}

/// The end of what begins behind an opening quote at `at`.
size_t closing_quote(std::string_view text, size_t at, char quote, bool is_escaped) {
  for (size_t i = at; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      if (is_escaped && text[i + 1] == quote) return i;
      ++i;
      continue;
    }
    if (text[i] != quote) continue;
    // `'it'\''s'` is one word of the shell, and `'it''s'` one of SQL.
    if (quote == '\'' && text.substr(i).starts_with("'\\''")) {
      i += 3;
    } else if (quote == '\'' && text.substr(i).starts_with("'\"'\"'")) {
      i += 4;
    } else {
      return i;
    }
  }
  return text.size();
}

}  // namespace

Value value_at(std::string_view text, size_t at) {
  // `b"…"`, `N'…'`, `@"…"`: letters in front of a quote belong to it.
  if (at + 1 < text.size() && (is_letter(text[at]) || text[at] == '@' || text[at] == '$') &&
      (text[at + 1] == '"' || text[at + 1] == '\'')) {
    ++at;
  }
  const bool is_escaped = char_at(text, at) == '\\' && is_quote(char_at(text, at + 1));
  if (is_escaped) ++at;
  const char quote = char_at(text, at);
  if (is_quote(quote)) {
    const std::string triple(3, quote);
    if (text.substr(at).starts_with(triple)) {
      return {{at + 3, std::min(text.find(triple, at + 3), text.size())}, true};
    }
    return {{at + 1, closing_quote(text, at + 1, quote, is_escaped)}, true};
  }
  size_t end = at;
  while (end < text.size() && !is_space(text[end])) {
    const char c = text[end];
    if (c == '"' || c == '\'' || c == '`') break;
    if (c == '\\' && is_quote(char_at(text, end + 1))) break;
    if (c == '\\' && end + 1 < text.size() && text[end + 1] != 'n') {
      end += 2;
      continue;
    }
    if (c == '\\' && char_at(text, end + 1) == 'n') break;
    if (std::string_view(",;&)}]|<>").contains(c) && ends_value(text, end)) break;
    ++end;
  }
  return {{at, std::min(end, text.size())}, false};
}

Span header_value_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && text[end] != '\n' && text[end] != '\r' && text[end] != '"' && text[end] != '\'' &&
         text[end] != '`' && !text.substr(end).starts_with("\\n") && !text.substr(end).starts_with("\\\"") &&
         !text.substr(end).starts_with("\\r")) {
    ++end;
  }
  for (const std::string_view scheme : kSchemes) {
    if (text::to_lower(text.substr(at, scheme.size())) != scheme) continue;
    size_t from = at + scheme.size();
    if (char_at(text, from) == '\\') ++from;
    const size_t behind = skip(text, from, [](char c) { return is_blank(c) || c == ':'; });
    if (behind > from && behind < end) return {behind, end};
  }
  return {at, end};
}

bool is_number(std::string_view value) {
  return !value.empty() && std::ranges::any_of(value, is_digit) && std::ranges::all_of(value, [](char c) {
    return is_digit(c) || c == '.' || c == ',' || c == '-' || c == ':' || c == '_' || c == '+' || c == '%' || c == '/';
  });
}

bool is_uuid(std::string_view word) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (word.size() != kForm.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (kForm[i] == '-' ? word[i] != '-' : !is_hex(word.substr(i, 1))) return false;
  }
  return true;
}

bool is_harmless(std::string_view value, bool is_quoted) {
  if (value.empty() || is_placeholder(value)) return true;
  const std::string lower = text::to_lower(value);
  std::string_view bare = lower;
  while (!bare.empty() && std::string_view(".,;:!?)]}").contains(bare.back())) bare.remove_suffix(1);
  if (bare.empty() || is_among(bare, kPlainValues) || is_example(bare)) return true;
  const size_t scheme = skip(value, 0, [](char c) { return is_letter(c) || is_digit(c) || c == '+'; });
  if (is_path(value) || value.substr(scheme).starts_with("://")) return true;
  // `"Enter your password"`, `"Token expired"`: texts for people.
  if (!is_quoted) return is_code(value);
  return value.contains("${") || value.contains("$(") || value.contains("{{") || value.contains("#{") ||
         (value.starts_with('%') && value.size() < 4);
}

bool has_odd_part(std::string_view value) {
  if (value.size() < kShortestOdd || !is_candidate(value)) return false;
  const auto is_foreign = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };  // a letter: "oublié"
  const auto is_sign = [&](char c) {
    return !is_foreign(c) && !is_letter(c) && !is_digit(c) && !std::string_view("-_./:,=+").contains(c);
  };
  const bool has_digit = std::ranges::any_of(value, is_digit);
  if (!has_digit && std::ranges::none_of(value, is_sign)) {
    // Capitals in the middle of small letters, as no name has them.
    return std::ranges::none_of(value, is_foreign) && !is_slug(value, 0) &&
           !std::ranges::all_of(value, [](char c) { return is_upper(c) || c == '_'; });
  }
  // `Winter2024-abcX`: names do not end so.
  const bool ends_in_capital = value.size() >= 8 && is_upper(value.back()) && is_lower(value[value.size() - 2]);
  if (has_digit && ends_in_capital) return true;
  // `us-east-1`, `v1.2.3`, `section-4` are names; `hunter2` and `Winter2024` hang together.
  const bool has_joint = value.find_first_of("-_./:,=+") != std::string_view::npos;
  return !(has_joint && is_slug(value, 4));
}

bool looks_made_up(std::string_view value) {
  if (value.size() < kShortestMadeUp || !is_candidate(value) || is_slug(value, 4)) return false;
  const auto is_sign = [](char c) { return !is_letter(c) && !is_digit(c); };
  return std::ranges::any_of(value, is_letter) &&
         (std::ranges::any_of(value, is_digit) || std::ranges::any_of(value, is_sign));
}

bool is_random(std::string_view word) {
  while (word.ends_with('=')) word.remove_suffix(1);
  if (word.size() < kShortestRandom || is_uuid(word)) return false;
  size_t chunks = 0;
  size_t digit_runs = 0;
  size_t joints = 0;
  size_t letters = 0;
  bool has_upper = false;
  bool has_lower = false;
  bool has_hex_only = true;
  char before = '\0';
  for (const char c : word) {
    const bool is_joint = !is_letter(c) && !is_digit(c);
    if (is_joint) {
      ++joints;
    } else if (is_digit(c)) {
      if (!is_digit(before)) ++chunks, ++digit_runs;
    } else if (is_upper(c)) {
      if (!is_upper(before)) ++chunks;
      has_upper = true;
    } else {
      // A capital and the small letters behind it are one chunk.
      if (!is_letter(before)) ++chunks;
      has_lower = true;
    }
    if (is_letter(c)) ++letters;
    const bool is_hex_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (!is_joint && !is_digit(c) && !is_hex_letter) has_hex_only = false;
    before = c;
  }
  const size_t size = word.size() - joints;
  // Digests, also several of them, and numbers.
  if ((has_hex_only && !(has_upper && has_lower)) || letters == 0 || size < kShortestRandom - 2) return false;
  // Names have long chunks. In random words of all letters and digits, a chunk has two characters on average.
  if (has_upper && has_lower) return digit_runs > 0 ? size * 10 < chunks * 32 : size * 10 < chunks * 24;
  return digit_runs * 7 >= size && joints * 6 <= size;
}

}  // namespace grapnel::mask
