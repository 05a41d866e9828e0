#include <algorithm>
#include <array>

#include "mask/chars.h"
#include "mask/secrets.h"
#include "mask/values.h"

namespace grapnel::mask {

namespace {

/// What looks random and is public: digests, keys of the public kind, identifiers of agents and their services.
constexpr auto kPublicStarts = std::to_array<std::string_view>({
    "sha1-", "sha256-", "sha384-", "sha512-", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNr", "toolu_",
    "call_", "msg_",    "req_",    "resp_",   "run_",        "chatcmpl-",   "pk_live_",     "pk_test_", "pk.eyJ",
    "ssh-",  "call-",   "thread_", "evt_",    "cus_",        "price_",      "prod_",        "MII",
});
/// And what stands in front of such a word.
constexpr auto kPublicLeads = std::to_array<std::string_view>({
    "h1:",
    "sha256:",
    "sha512:",
    "SHA256:",
    "MD5:",
    "base64,",
    "/nix/store/",
    "sha1:",
    "integrity=",
    "etag=",
    "ETag: ",
    "checksum=",
    "digest=",
    "sha512=",
    "sha256=",
});

constexpr size_t kLongest = 600;  ///< longer runs are data, such as a picture

bool is_run_char(char c) {
  return is_letter(c) || is_digit(c) || c == '+' || c == '/' || c == '_' || c == '-' || c == '=' || c == '~' ||
         c == '.';
}

bool is_public(std::string_view text, size_t at, std::string_view word) {
  const std::string_view before = text.substr(0, at);
  return std::ranges::any_of(kPublicStarts, [&](std::string_view start) { return word.starts_with(start); }) ||
         std::ranges::any_of(kPublicLeads, [&](std::string_view lead) { return before.ends_with(lead); });
}

/// Whether directories with plain names stand in front of the last part: `build/reports/2024-06-01T12-30-00Z`.
bool has_plain_directories(std::string_view word) {
  const size_t slash = word.rfind('/');
  if (slash == std::string_view::npos) return false;
  for (size_t from = 0; from <= slash;) {
    const size_t end = word.find('/', from);
    const std::string_view part = word.substr(from, end - from);
    const bool is_plain = part.size() > 2 && std::ranges::all_of(part, is_lower);
    if (!is_plain) return false;
    from = end + 1;
  }
  return true;
}

/// The parts of paths, host names and file names are judged one by one; base64 has slashes and dots, too.
void judge(std::string_view text, Span run, Spans& out) {
  const std::string_view word = text.substr(run.begin, run.end - run.begin);
  if (is_public(text, run.begin, word) || word.size() > kLongest) return;
  // Directories get random names all the time: `/tmp/tmp.x7Bq…/notes`. A `//` is the start of an address.
  const bool is_path = (word.starts_with('/') && !word.starts_with("//")) || word.starts_with("~/");
  if (is_path && (run.begin == 0 || !is_letter(text[run.begin - 1]))) return;
  const bool is_name = word.contains('.') || word.starts_with('/') || std::ranges::count(word, '/') > 3 ||
                       has_plain_directories(word) || std::ranges::count(word, '=') > 2 ||
                       text.substr(0, run.begin).ends_with(":");
  if (!is_name && is_random(word)) {
    // `name=word`: only the word.
    const size_t equals = word.find_last_not_of('=');
    const size_t sign = word.substr(0, equals).rfind('=');
    out.push_back({sign == std::string_view::npos ? run.begin : run.begin + sign + 1, run.end});
    return;
  }
  for (size_t from = 0; from < word.size();) {
    const size_t end = std::min(word.find_first_of("/.=", from), word.size());
    const std::string_view part = word.substr(from, end - from);
    if (!is_public(text, run.begin + from, part) && is_random(part)) out.push_back({run.begin + from, run.begin + end});
    from = end + 1;
  }
}

}  // namespace

void find_random_words(std::string_view text, Spans& out) {
  for (size_t at = 0; at < text.size();) {
    // Certificates and public keys; shapes.cc finds private ones.
    if (text.substr(at).starts_with("-----BEGIN ")) at = std::min(text.find("-----END ", at), text.size());
    const size_t end = skip(text, at, is_run_char);
    if (end - at >= 20) judge(text, {at, end}, out);
    at = end + 1;
  }
}

}  // namespace grapnel::mask
