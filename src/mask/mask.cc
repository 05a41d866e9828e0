#include "mask/mask.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mask/chars.h"
#include "mask/names.h"
#include "mask/secrets.h"
#include "mask/values.h"

namespace grapnel {

namespace {

constexpr std::string_view kMask = "***";

/// The user's patterns are matched against words. These characters separate them.
constexpr std::string_view kBetweenWords = " \t\r\n\"'`";

/// Shorter secrets are not searched for elsewhere: they would be found in every text.
constexpr size_t kMinKnown = 3;

/// Members that hold an identifier, a digest or a path, by the last word of their name.
constexpr auto kIdentifiers = std::to_array<std::string_view>({
    "id",
    "ids",
    "uuid",
    "path",
    "dir",
    "cwd",
    "sha",
    "hash",
    "digest",
    "checksum",
    "integrity",
    "etag",
    "commit",
    "oid",
});

std::string mask_known(std::string_view text, mask::Search search) {
  std::string out;
  size_t at = 0;
  for (const mask::Span& secret : mask::find_secrets(text, search)) {
    out.append(text, at, secret.begin - at).append(kMask);
    at = secret.end;
  }
  return out.append(text, at);
}

/// The ways in which a secret of a command is written elsewhere: without the shell's quotes, and as JSON has it.
void add_spellings(const std::string& secret, std::vector<std::string>& out) {
  std::string bare;
  for (const char c : secret) {
    if (!std::string_view("'\"\\").contains(c)) bare += c;
  }
  const std::string in_json = Json::string(secret).dump();
  for (const std::string& spelling : {secret, bare, in_json.substr(1, in_json.size() - 2)}) {
    if (spelling.size() >= kMinKnown && std::ranges::find(out, spelling) == out.end()) out.push_back(spelling);
  }
}

/// Whether the text at [begin, end) is a word of its own. A password that is a usual word may be a part of others.
bool is_whole_word(std::string_view text, size_t begin, size_t end) {
  const bool starts = begin == 0 || !mask::is_name_char(text[begin - 1]);
  return starts && (end >= text.size() || !mask::is_name_char(text[end]));
}

bool names_identifier(std::string_view key) {
  const std::vector<std::string> words = mask::words_of_name(key);
  return !words.empty() && std::ranges::find(kIdentifiers, words.back()) != kIdentifiers.end();
}

/// `{"name": "DB_PASSWORD", "value": "…"}`: the name that another member gives to this object's value.
std::string name_given(const Json& object) {
  for (const std::string_view key : {"name", "key", "variable", "header"}) {
    if (auto name = object[key].as_string()) return *name;
  }
  return "";
}

}  // namespace

Mask::Mask(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (text::trim(pattern).empty()) continue;
    if (auto matcher = Matcher::compile(pattern, MatchSyntax::SearchRegex)) patterns_.push_back(std::move(*matcher));
  }
}

std::string Mask::apply(std::string_view text) const {
  return apply_known(apply_patterns(mask_known(text, mask::Search::All)));
}

std::string Mask::apply_to_name(std::string_view text) const {
  return apply_known(apply_patterns(mask_known(text, mask::Search::AllButRandom)));
}

std::vector<std::string> Mask::secrets_in(std::string_view text) const {
  std::vector<std::string> secrets;
  for (const mask::Span& span : mask::find_secrets(text)) {
    add_spellings(std::string(text.substr(span.begin, span.end - span.begin)), secrets);
  }
  return secrets;
}

Mask Mask::knowing(const std::vector<std::string>& secrets) const {
  Mask mask = *this;
  mask.known_.insert(mask.known_.end(), secrets.begin(), secrets.end());
  return mask;
}

std::string Mask::apply_known(std::string text) const {
  for (const std::string& secret : known_) {
    const bool may_be_part = mask::has_odd_part(secret);
    for (size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      const bool is_it = may_be_part || is_whole_word(text, at, at + secret.size());
      if (is_it) text.replace(at, secret.size(), kMask);
      at += is_it ? kMask.size() : secret.size();
    }
  }
  return text;
}

std::string Mask::apply_patterns(std::string text) const {
  if (patterns_.empty()) return text;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(kBetweenWords, at), text.size());
    const std::string_view word = std::string_view(text).substr(at, end - at);
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
  if (value.is_array()) return apply_to_elements(value);
  return value.is_object() ? apply_to_members(value) : value;
}

Json Mask::apply_to_elements(const Json& array) const {
  std::vector<Json> elements;
  std::string before;
  for (const Json& element : array.elements()) {
    // `["Authorization", "Bearer …"]`, `["--token", "…"]`: a list of names and values, or of a command's words.
    elements.push_back(apply_to_member(before, element));
    before = element.as_string().value_or("");
  }
  return Json::array(elements);
}

Json Mask::apply_to_members(const Json& object) const {
  std::vector<std::pair<std::string, Json>> members;
  const std::string given = name_given(object);
  for (const JsonMember& member : object.members()) {
    const bool is_value = !given.empty() && (member.key == "value" || member.key == "default");
    members.emplace_back(member.key, apply_to_member(is_value ? given : member.key, member.value));
  }
  return Json::object(members);
}

/// A value whose name is telling is masked as a whole, and so are the elements of a list under such a name.
Json Mask::apply_to_member(std::string_view key, const Json& value) const {
  const bool is_number = value.as_integer().has_value();
  if (value.is_string() || is_number) {
    const std::string text = is_number ? value.dump() : *value.as_string();
    if (mask::is_secret_member(key, text)) return Json::string(kMask);
    if (is_number) return value;
    if (names_identifier(key)) return Json::string(apply_to_name(text));
    return apply(value);
  }
  if (!value.is_array()) return apply(value);
  std::vector<Json> elements;
  const bool is_plain = std::ranges::all_of(value.elements(), [](const Json& element) { return element.is_string(); });
  if (!is_plain || mask::how_telling(key) == mask::Telling::No) return apply(value);
  for (const Json& element : value.elements()) elements.push_back(apply_to_member(key, element));
  return Json::array(elements);
}

}  // namespace grapnel
