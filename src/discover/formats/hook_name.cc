#include "discover/formats/hook_name.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/text.h"
#include <utf8proc.h>

namespace grapnel {

namespace {

constexpr size_t kMaxName = 64;
/// Converters append a number when a name is already taken.
constexpr size_t kRoomForNumber = 16;

/// The code points of a text, up to the first byte that is not valid UTF-8.
std::vector<utf8proc_int32_t> characters_of(std::string_view text) {
  std::vector<utf8proc_int32_t> out;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  auto left = static_cast<utf8proc_ssize_t>(text.size());
  while (left > 0) {
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t read = utf8proc_iterate(bytes, left, &character);
    if (read <= 0) break;
    out.push_back(character);
    bytes += read;
    left -= read;
  }
  return out;
}

/// By Unicode category: letters (L*) and numbers (N*) of any script.
bool is_letter_or_digit(utf8proc_int32_t character) {
  switch (utf8proc_category(character)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string normalise_name(std::string_view name) {
  name = text::trim(name);
  utf8proc_uint8_t* mapped = nullptr;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                                             static_cast<utf8proc_ssize_t>(name.size()), &mapped, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(name);
  return {reinterpret_cast<const char*>(mapped), static_cast<size_t>(size)};
}

/// Every byte that does not continue a character starts one.
size_t count_characters(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::string> name_mistakes(const std::string& name) {
  std::vector<std::string> out;
  const auto characters = characters_of(name);
  // Scripts without case have no lower-case form, so their letters pass.
  const auto is_upper = [](utf8proc_int32_t c) { return utf8proc_tolower(c) != c; };
  const auto is_usable = [](utf8proc_int32_t c) { return c == '-' || is_letter_or_digit(c); };
  const std::string quoted = "'" + text::cap(name, 200) + "'";
  if (characters.size() > kMaxName) {
    out.push_back("name exceeds 64 character limit (" + std::to_string(characters.size()) + " chars)");
  }
  if (std::ranges::any_of(characters, is_upper)) out.push_back("name " + quoted + " must be lowercase");
  if (name.starts_with('-') || name.ends_with('-')) out.emplace_back("name cannot start or end with a hyphen");
  if (name.find("--") != std::string::npos) out.emplace_back("name cannot have consecutive hyphens");
  if (!std::ranges::all_of(characters, is_usable)) {
    out.push_back("name " + quoted + " contains invalid characters; letters, digits and hyphens are fine");
  }
  return out;
}

/// Keeps a name that is already fine, in any script. Otherwise only ASCII letters and digits are kept, and each run of
/// other characters becomes one hyphen.
std::string usable_name(const std::string& text) {
  const std::string normal = normalise_name(text);
  if (!normal.empty() && name_mistakes(normal).empty()) return normal;
  std::string out;
  for (const char c : text::to_lower(normal)) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_word) out += c;
    if (!is_word && !out.empty() && !out.ends_with('-')) out += '-';
  }
  // Only ASCII is left, so any byte is a good place to cut.
  out.resize(std::min(out.size(), kMaxName - kRoomForNumber));
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "hook" : out;
}

}  // namespace grapnel
