#include "mask/mask.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mask/names.h"
#include "mask/secrets.h"

namespace grapnel {

namespace {

constexpr std::string_view kMask = "***";

/// The user's patterns are matched against words. These characters separate them.
constexpr std::string_view kBetweenWords = " \t\r\n\"'`";

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
  return apply_patterns(mask_known(text, mask::Search::All));
}

std::string Mask::apply_to_name(std::string_view text) const {
  return apply_patterns(mask_known(text, mask::Search::AllButRandom));
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
