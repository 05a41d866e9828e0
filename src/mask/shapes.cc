#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "mask/chars.h"
#include "mask/secrets.h"
#include "mask/values.h"

namespace grapnel::mask {

namespace {

/// A token is recognised by its prefix and by how many characters follow. To support another service, add a row with
/// the prefix of its tokens and the shortest length that cannot be an ordinary word.
struct TokenShape {
  std::string_view prefix;
  size_t min_rest;
};
constexpr auto kTokens = std::to_array<TokenShape>({
    {"ghp_", 20},
    {"gho_", 20},
    {"ghu_", 20},
    {"ghs_", 20},
    {"ghr_", 20},
    {"github_pat_", 20},
    {"glpat-", 16},
    {"gldt-", 16},
    {"glrt-", 16},
    {"glcbt-", 16},
    {"glptt-", 16},
    {"glft-", 16},
    {"glsoat-", 16},
    {"gloas-", 16},
    {"GR1348941", 16},
    {"sk-", 16},
    {"sk_live_", 10},
    {"sk_test_", 10},
    {"rk_live_", 10},
    {"rk_test_", 10},
    {"whsec_", 16},
    {"xoxa-", 10},
    {"xoxb-", 10},
    {"xoxp-", 10},
    {"xoxr-", 10},
    {"xoxs-", 10},
    {"xoxc-", 10},
    {"xoxd-", 10},
    {"xoxe.", 10},
    {"xoxe-", 10},
    {"xapp-", 10},
    {"AKIA", 16},
    {"ASIA", 16},
    {"ABIA", 16},
    {"ACCA", 16},
    {"ABSK", 30},
    {"AIza", 30},
    {"ya29.", 20},
    {"GOCSPX-", 16},
    {"1//0", 20},
    {"hf_", 20},
    {"api_org_", 20},
    {"r8_", 20},
    {"gsk_", 20},
    {"pplx-", 20},
    {"xai-", 20},
    {"npm_", 20},
    {"pypi-", 20},
    {"rubygems_", 20},
    {"cio", 28},
    {"dckr_pat_", 16},
    {"SG.", 20},
    {"dop_v1_", 20},
    {"doo_v1_", 20},
    {"dor_v1_", 20},
    {"eyJ", 17},
    {"hvs.", 16},
    {"hvb.", 16},
    {"hvr.", 16},
    {"dapi", 32},
    {"glsa_", 20},
    {"glc_", 20},
    {"NRAK-", 16},
    {"NRJS-", 16},
    {"NRII-", 16},
    {"lin_api_", 16},
    {"secret_", 30},
    {"ntn_", 20},
    {"figd_", 16},
    {"PMAK-", 16},
    {"dp.pt.", 16},
    {"dp.st.", 16},
    {"dp.ct.", 16},
    {"fo1_", 16},
    {"fm2_", 16},
    {"sbp_", 20},
    {"sb_secret_", 16},
    {"pscale_", 16},
    {"CFPAT-", 16},
    {"ATATT3", 20},
    {"ATCTT3", 20},
    {"ATBB", 20},
    {"AGE-SECRET-KEY-", 20},
    {"ops_eyJ", 16},
    {"tskey-", 12},
    {"nfp_", 16},
    {"rnd_", 16},
    {"CCIPAT_", 16},
    {"bkua_", 16},
    {"sntrys_", 16},
    {"sntryu_", 16},
    {"sgp_", 16},
    {"squ_", 20},
    {"sqp_", 20},
    {"sqa_", 20},
    {"AKCp", 20},
    {"LTAI", 12},
    {"AKID", 20},
    {"AQVN", 20},
    {"y0_", 20},
    {"sq0atp-", 16},
    {"sq0csp-", 16},
    {"shpat_", 16},
    {"shpss_", 16},
    {"shpca_", 16},
    {"shppa_", 16},
    {"key-", 32},
    {"EAAC", 20},
    {"EAAG", 20},
    {"EAAA", 40},
    {"sl.", 40},
    {"pul-", 20},
    {"pnu_", 20},
    {"xkeysib-", 20},
    {"tfp_", 20},
    {"rdme_", 20},
    {"FLWSECK", 12},
    {"EZAK", 20},
    {"EZTK", 20},
    {"duffel_", 20},
    {"shippo_", 20},
    {"pat-na1-", 16},
    {"pat-eu1-", 16},
    {"sk.eyJ", 16},
    {"amzn.mws.", 16},
    {"v2.local.", 16},
    {"v4.local.", 16},
    {"vercel_", 20},
    {"vcp_", 20},
    {"phx_", 20},
    {"phc_", 30},
    {"CLOJARS_", 20},
    {"ico-", 20},
    {"SWMTKN-1-", 20},
    {"AQ.", 30},
    {"ATOA", 40},
    {"waka_", 20},
    {"dt0c01.", 20},
    {"sess-", 24},
    {"sess_", 24},
    {"pst-", 24},
    {"lsv2_", 20},
    {"jina_", 20},
    {"tvly-", 16},
    {"ak_live_", 10},
    {"acct_sk_", 10},
    {"cfut_", 20},
});

/// Addresses whose last parts are the secret.
constexpr auto kWebhooks = std::to_array<std::string_view>({
    "hooks.slack.com/services/",
    "hooks.slack.com/workflows/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    "webhook.office.com/webhookb2/",
    "hooks.zapier.com/hooks/catch/",
    "api.telegram.org/bot",
    "maker.ifttt.com/trigger/",
    "chat.googleapis.com/v1/spaces/",
    "outlook.office.com/webhook/",
    "open.feishu.cn/open-apis/bot/v2/hook/",
    "events.pagerduty.com/integration/",
    "hc-ping.com/",
    "hooks.airtable.com/",
});

/// How hashes of passwords begin.
constexpr auto kPasswordHashes = std::to_array<std::string_view>(
    {"$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "$7$", "{SSHA}", "{SHA}", "$scrypt$"});

bool is_token_char(char c) {
  return is_name_char(c) || c == '.' || c == '+' || c == '/' || c == '=' || c == '~';
}
bool is_hash_char(char c) {
  return is_token_char(c) || c == '$' || c == ',' || c == '}';
}

/// The rows sorted by their first character, and where each character's rows begin, for a quick search.
constexpr auto kSortedTokens = [] {
  auto rows = kTokens;
  std::ranges::sort(rows, {}, [](const TokenShape& row) { return static_cast<unsigned char>(row.prefix.front()); });
  return rows;
}();
constexpr auto kTokenStarts = [] {
  std::array<uint8_t, 257> starts{};
  for (const TokenShape& row : kTokens) ++starts[static_cast<unsigned char>(row.prefix.front()) + 1U];
  for (size_t c = 1; c < starts.size(); ++c) starts[c] = static_cast<uint8_t>(starts[c] + starts[c - 1]);
  return starts;
}();
static_assert(kTokens.size() < 256);

/// The length of the longest part between dashes.
size_t longest_part(std::string_view word) {
  size_t longest = 0;
  for (size_t from = 0; from <= word.size();) {
    const size_t end = std::min(word.find_first_of("-_/", from), word.size());
    longest = std::max(longest, end - from);
    from = end + 1;
  }
  return longest;
}

/// The token that begins at `at`.
std::optional<Span> token_at(std::string_view text, size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  for (size_t i = kTokenStarts[first]; i < kTokenStarts[first + 1U]; ++i) {
    const TokenShape& shape = kSortedTokens[i];
    if (!text.substr(at).starts_with(shape.prefix)) continue;
    size_t end = skip(text, at + shape.prefix.size(), is_token_char);
    // A full stop ends a sentence, and a slash begins the rest of a path.
    while (end > at && text[end - 1] == '.') --end;
    const std::string_view rest = text.substr(at + shape.prefix.size(), end - at - shape.prefix.size());
    // Words that are joined by dashes are a name: `sk-learn-pipeline-tests`, `key-value-store`.
    const bool is_name = std::ranges::none_of(rest, is_digit) && std::ranges::none_of(rest, is_upper) &&
                         rest.find_first_of("-_/") != std::string_view::npos && longest_part(rest) < 15;
    if (rest.size() >= shape.min_rest && !is_name) return Span{at, end};
  }
  return std::nullopt;
}

/// A private key from its BEGIN line to its END line. If the END line is missing, everything up to the end is masked.
std::optional<Span> pem_at(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("-----BEGIN ")) return std::nullopt;
  const size_t title = text.find("-----", at + 11);
  if (title == std::string_view::npos || !text.substr(at, title - at).contains("PRIVATE KEY")) return std::nullopt;
  const size_t footer = text.find("-----END ", title);
  if (footer == std::string_view::npos) return Span{at, text.size()};
  const size_t end = text.find("-----", footer + 9);
  return Span{at, end == std::string_view::npos ? text.size() : end + 5};
}

/// The password of `://user:password@`, or a token in place of the user: `://token@`.
std::optional<Span> url_password_at(std::string_view text, size_t at) {
  if (!text.substr(at).starts_with("://")) return std::nullopt;
  const size_t start = at + 3;
  size_t end = std::min(text.find_first_of(" \t\r\n\"'<>`", start), text.size());
  // The last `@` separates the password from the host, since a password may contain one, and also `/`, `?` and `#`, if
  // nobody escaped them. A path may contain an `@`, too, but then there is no password in front of the first slash.
  const size_t slash = std::min(text.find_first_of("/?#", start), end);
  const size_t colon = text.find(':', start);
  size_t sign = text.substr(0, slash).rfind('@');
  if (sign == std::string_view::npos || sign < start) {
    if (colon >= slash || is_digit(char_at(text, colon + 1))) return std::nullopt;
    sign = text.substr(0, end).find('@', colon);
  }
  if (sign == std::string_view::npos || sign < start || sign >= end) return std::nullopt;
  if (colon < sign) {
    const std::string_view password = text.substr(colon + 1, sign - colon - 1);
    // A variable, a placeholder, or what was masked before.
    const bool is_filled_in = password.empty() || std::string_view("$<{*").contains(password.front());
    return is_filled_in ? std::nullopt : std::optional(Span{colon + 1, sign});
  }
  const std::string_view user = text.substr(start, sign - start);
  const bool is_digest =
      user.size() >= 16 && std::ranges::any_of(user, is_digit) && std::ranges::any_of(user, is_letter);
  return is_digest || looks_made_up(user) ? std::optional(Span{start, sign}) : std::nullopt;
}

/// `user:password@host` without a scheme: `me:pw@tcp(db:3306)`, `rsync me:pw@host.example`.
std::optional<Span> login_at(std::string_view text, size_t at) {
  if (text[at] != '@' || at == 0) return std::nullopt;
  const bool is_go = text.substr(at).starts_with("@tcp(") || text.substr(at).starts_with("@unix(");
  const size_t end = skip(text, at + 1, [](char c) { return is_name_char(c) || c == '.'; });
  const std::string_view host = text.substr(at + 1, end - at - 1);
  // `react@18.2.0` is a version, `10.0.0.1` a host.
  const bool is_host = !host.empty() && (is_letter(host.front()) || std::ranges::count(host, '.') == 3);
  if (!is_go && !is_host) return std::nullopt;
  size_t begin = at;
  while (begin > 0 && !is_space(text[begin - 1]) && !is_quote(text[begin - 1]) && text[begin - 1] != ':' &&
         text[begin - 1] != '=' && text[begin - 1] != '/' && text[begin - 1] != '(') {
    --begin;
  }
  if (begin < 2 || text[begin - 1] != ':' || !is_name_char(text[begin - 2])) return std::nullopt;
  const std::string_view password = text.substr(begin, at - begin);
  if (text.substr(at + 1).starts_with("sha256")) return std::nullopt;
  if (is_go && !is_harmless(password, true)) return Span{begin, at};
  return has_odd_part(password) ? std::optional(Span{begin, at}) : std::nullopt;
}

/// `user/password@host` of Oracle's programs stands in commands.cc. A bot's token: `123456789:AA…`.
std::optional<Span> bot_token_at(std::string_view text, size_t at) {
  const size_t digits = skip(text, at, is_digit);
  if (digits - at < 6 || digits - at > 12 || char_at(text, digits) != ':') return std::nullopt;
  const size_t end = skip(text, digits + 1, is_name_char);
  const bool is_mixed = std::ranges::any_of(text.substr(digits + 1, end - digits - 1), is_letter);
  return end - digits - 1 >= 30 && is_mixed ? std::optional(Span{digits + 1, end}) : std::nullopt;
}

/// The part of a webhook's address that only its owner knows.
std::optional<Span> webhook_at(std::string_view text, size_t at) {
  for (const std::string_view address : kWebhooks) {
    if (!text.substr(at).starts_with(address)) continue;
    const size_t begin = at + address.size();
    const size_t end = std::min(text.find_first_of(" \t\r\n\"'<>`\\),;", begin), text.size());
    if (end > begin + 8) return Span{begin, end};
  }
  return std::nullopt;
}

std::optional<Span> password_hash_at(std::string_view text, size_t at) {
  if (text[at] != '$' && text[at] != '{') return std::nullopt;
  for (const std::string_view start : kPasswordHashes) {
    if (!text.substr(at).starts_with(start)) continue;
    const size_t end = skip(text, at + start.size(), is_hash_char);
    if (end - at - start.size() >= 20) return Span{at, end};
  }
  return std::nullopt;
}

std::optional<Span> shape_at(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == ':') return url_password_at(text, at);
  if (c == '@') return login_at(text, at);
  if (c == '$' || c == '{') return password_hash_at(text, at);
  if (!is_name_char(c)) return std::nullopt;
  if (c == '-') return pem_at(text, at);
  // Tokens begin at the start of a word: `task-sk-…` is not a token.
  if (at > 0 && is_name_char(text[at - 1])) return std::nullopt;
  if (is_digit(c)) {
    if (auto found = bot_token_at(text, at)) return found;
  }
  if (auto found = token_at(text, at)) return found;
  return is_lower(c) && text.substr(at, 32).contains('/') ? webhook_at(text, at) : std::nullopt;
}

/// A line of `.pgpass`: `host:port:database:user:secret`.
void find_password_line(std::string_view line, size_t offset, Spans& out) {
  if (std::ranges::count(line, ':') < 4) return;
  const std::vector<std::string_view> parts = text::split(line, ':');
  const std::string_view port = parts[1];
  const bool has_port = port == "*" || (!port.empty() && std::ranges::all_of(port, is_digit));
  const auto is_plain = [](std::string_view part) { return !part.empty() && part.find_first_of(" \t/(") == part.npos; };
  if (!has_port || !std::ranges::all_of(parts, is_plain) || is_number(parts[4])) return;
  out.push_back({offset + static_cast<size_t>(parts[4].data() - line.data()), offset + line.size()});
}

}  // namespace

void find_shapes(std::string_view text, Spans& out) {
  for (size_t at = 0; at < text.size();) {
    const auto found = shape_at(text, at);
    if (found) out.push_back(*found);
    at = found && found->end > at ? found->end : at + 1;
  }
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size());
    find_password_line(text.substr(line, end - line), line, out);
    line = end + 1;
  }
}

}  // namespace grapnel::mask
