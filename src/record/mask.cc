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
    "credential",
    "authorization",
});
/// Names with a telling word that describe an amount or a place and not a secret: `max_tokens`, `token_count`.
constexpr auto kHarmlessEndings = std::to_array<std::string_view>({"tokens", "_count", "_limit", "_file", "_path"});

/// The user's patterns are matched against words. These characters separate them.
constexpr std::string_view kBetweenWords = " \t\r\n\"'`";

/// `Authorization: Bearer x`: the scheme stays readable, only the value behind it is masked.
constexpr auto kSchemes = std::to_array<std::string_view>({"bearer ", "basic ", "token "});

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
  if (!has_telling_word(name)) return false;
  const std::string lower = text::to_lower(name);
  return std::ranges::none_of(kHarmlessEndings, [&](std::string_view end) { return lower.ends_with(end); });
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

/// The password of `://user:password@`.
std::optional<Span> find_url_password(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("://")) return std::nullopt;
  const size_t start = at + 3;
  const size_t end = std::min(text.find_first_of(" \t\r\n/\"'<>", start), text.size());
  // The last `@` separates the password from the host, since a password may contain one.
  const size_t sign = text.substr(0, end).rfind('@');
  const size_t colon = text.find(':', start);
  if (sign == std::string_view::npos || sign < start || colon >= sign || colon + 1 == sign) return std::nullopt;
  return Span{colon + 1, sign};
}

size_t skip_scheme(std::string_view text, size_t at) {
  const std::string lower = text::to_lower(text.substr(at, 8));
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

/// The value that follows a telling name: `NAME=value`, `"name": "value"`, `--name value`.
std::optional<Span> find_named(std::string_view text, size_t at) {
  const size_t name_end = skip(text, at, is_word);
  if (!is_telling(text.substr(at, name_end - at))) return std::nullopt;
  size_t next = name_end;
  if (next < text.size() && (text[next] == '"' || text[next] == '\'')) ++next;
  next = skip(text, next, is_blank);
  // A blank alone separates a name from its value only for options: in prose, "token" is followed by an ordinary word.
  const bool is_assigned = next < text.size() && (text[next] == '=' || text[next] == ':');
  if (!is_assigned && !(text.substr(at).starts_with("--") && next > name_end)) return std::nullopt;
  if (is_assigned) next = skip(text, next + 1, is_blank);
  if (next >= text.size()) return std::nullopt;
  const Span value = value_at(text, next);
  return value.end > value.begin ? std::optional(value) : std::nullopt;
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
  explicit SecretFinder(std::string_view text) : text_(text), has_names_(has_telling_word(text)) {}

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
    return has_names_ ? find_named(text_, at) : std::nullopt;
  }

  std::string_view text_;
  bool has_names_;  ///< the text contains a telling word somewhere
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
