#include "decide/output_json.h"

#include <algorithm>

#include "base/text.h"

namespace grapnel {

namespace {

/// How many line starts are tried as the beginning of an object, and how many objects are read. Both keep the time for
/// a long output bounded, since every attempt parses the rest of the text.
constexpr int kMaxEmbeddedTries = 64;
constexpr int kMaxObjects = 16;
/// How often an answer may be put into a JSON string.
constexpr int kMaxWrappings = 4;
/// How many opening braces are tried as the start of an object inside other text, and how many bytes are read for it.
constexpr size_t kMaxTries = 256;
constexpr size_t kMaxScanned = size_t{4} << 20;

/// Whether every second byte of what looks like ASCII is NUL: UTF-16 without a byte-order mark. `first` is the place of
/// the first of these bytes, 0 or 1.
bool has_nul_at_every_second(std::string_view bytes, size_t first) {
  size_t nuls = 0;
  for (size_t i = first; i < bytes.size(); i += 2) nuls += bytes[i] == 0 ? 1 : 0;
  const bool has_others = std::ranges::count(bytes, '\0') > static_cast<std::ptrdiff_t>(nuls + nuls / 8);
  return bytes.size() >= 4 && !has_others && nuls * 8 >= bytes.size() * 3;
}

void append_utf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
  } else if (c < 0x10000) {
    out += {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3F)),
            static_cast<char>(0x80 | (c & 0x3F))};
  } else {
    out += {static_cast<char>(0xF0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 0x3F)),
            static_cast<char>(0x80 | ((c >> 6) & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
  }
}

std::string from_utf16(std::string_view bytes, bool is_big_endian) {
  const auto unit = [&](size_t at) {
    const auto a = static_cast<unsigned char>(bytes[at]);
    const auto b = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<uint32_t>(is_big_endian ? a << 8 | b : b << 8 | a);
  };
  std::string out;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    uint32_t c = unit(i);
    const bool is_pair = c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size() && (unit(i + 2) & 0xFC00) == 0xDC00;
    if (is_pair) c = 0x10000 + ((c - 0xD800) << 10) + (unit(i += 2) - 0xDC00);
    append_utf8(out, c);
  }
  return out;
}

/// Whether the bytes are UTF-32, as far as an answer needs it: three of every four bytes are NUL.
bool is_utf32(std::string_view bytes, size_t place) {
  size_t others = 0;
  for (size_t i = 0; i < bytes.size(); ++i) others += i % 4 != place && bytes[i] != 0 ? 1 : 0;
  return bytes.size() >= 8 && others * 16 <= bytes.size();
}

std::string from_utf32(std::string_view bytes, bool is_big_endian) {
  std::string out;
  for (size_t i = 0; i + 3 < bytes.size(); i += 4) {
    uint32_t c = 0;
    for (size_t k = 0; k < 4; ++k) c = c << 8 | static_cast<unsigned char>(bytes[i + (is_big_endian ? k : 3 - k)]);
    if (c <= 0x10FFFF) append_utf8(out, c);
  }
  return out;
}

/// Shells of other systems write UTF-16, and some programs UTF-32. Everything else is UTF-8, or becomes it.
std::string decoded(std::string_view bytes) {
  if (is_utf32(bytes, 0)) return from_utf32(bytes, false);
  if (is_utf32(bytes, 3)) return from_utf32(bytes, true);
  if (bytes.starts_with("\xFF\xFE") || has_nul_at_every_second(bytes, 1)) return from_utf16(bytes, false);
  if (bytes.starts_with("\xFE\xFF") || has_nul_at_every_second(bytes, 0)) return from_utf16(bytes, true);
  return std::string(bytes);
}

/// The same as valid UTF-8. Text without a NUL and without a byte-order mark has no wide characters.
std::string to_utf8(std::string_view bytes) {
  const bool may_be_wide =
      bytes.find('\0') != std::string_view::npos || bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  return text::to_valid_utf8(may_be_wide ? std::string_view(decoded(bytes)) : bytes);
}

/// The end of the control sequence that starts at `at` with an escape: a colour, or a title up to its end mark.
size_t end_of_escape(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("\x1b]")) {
    const size_t end = rest.find_first_of("\x07\x1b", 2);
    if (end == std::string_view::npos) return text.size();
    return at + end + (rest[end] == '\x07' ? 1 : 2);
  }
  if (!rest.starts_with("\x1b[")) return std::min(at + 2, text.size());
  size_t end = 2;
  while (end < rest.size() && (rest[end] < '@' || rest[end] > '~')) ++end;
  return std::min(at + end + 1, text.size());
}

/// The text without colours and other sequences for terminals, and with plain spaces.
std::string undecorated(std::string text) {
  constexpr std::string_view kWideSpace = "\xC2\xA0";
  if (text.find('\x1b') == std::string::npos && text.find(kWideSpace) == std::string::npos) return text;
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      i = end_of_escape(text, i);
    } else if (std::string_view(text).substr(i).starts_with(kWideSpace)) {
      out += ' ';
      i += kWideSpace.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

/// The position after the object that begins at `start`, found by counting braces outside strings; npos if it does not
/// end.
size_t end_of_object(std::string_view text, size_t start) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

/// Some hooks print their answer as a JSON string. Returns the object inside it, or the value itself if there is none.
Json unwrap(Json value) {
  Json inner = value;
  for (int i = 0; i < kMaxWrappings && inner.is_string(); ++i) inner = Json::parse(*inner.as_string()).value_or(Json());
  return inner.is_object() ? inner : value;
}

/// Removes the last object from the text and returns it; missing if there is none. The object must start at the
/// beginning of a line and reach to the end of the text. Line starts are tried from the end backwards, because a hook
/// prints its answer after its log lines.
Json take_last_object(std::string& text) {
  size_t at = text.size();
  for (int tries = 0; tries < kMaxEmbeddedTries && at > 0; ++tries) {
    const size_t newline = text.rfind("\n{", at - 1);
    const size_t start = newline == std::string::npos ? 0 : newline + 1;
    auto parsed = Json::parse(text.substr(start));
    if (parsed && parsed->is_object()) {
      text = text::trim(text.substr(0, start));
      return *parsed;
    }
    at = newline == std::string::npos ? 0 : newline;
  }
  return {};
}

/// Removes an object from the beginning of the text and returns it; missing if there is none. The object must end at
/// the end of a line. This finds the answer of a hook that goes on to print: a command after it must not lose a deny.
Json take_first_object(std::string& text) {
  if (!text.starts_with('{')) return {};
  size_t end = 0;
  for (int tries = 0; tries < kMaxEmbeddedTries; ++tries) {
    end = text.find("}\n", end);
    if (end == std::string::npos) return {};
    auto parsed = Json::parse(text.substr(0, ++end));
    if (!parsed || !parsed->is_object()) continue;
    text = text::trim(text.substr(end));
    return *parsed;
  }
  return {};
}

/// Takes objects off the end of the text until something else comes. The last one is the answer; the earlier ones may
/// be answers of hooks that this hook ran.
ParsedOutput find_embedded(std::string text) {
  ParsedOutput out;
  out.object = take_last_object(text);
  if (!out.object) out.object = take_first_object(text);
  for (int count = 1; out.object && count < kMaxObjects; ++count) {
    const Json before = take_last_object(text);
    if (!before) break;
    out.earlier.insert(out.earlier.begin(), before);
  }
  out.is_broken = !out.object && text.starts_with('{');
  out.inside = objects_in(text);
  out.text = std::move(text);
  return out;
}

/// Takes the answers out of a list, and of lists in it. Returns whether there are texts, too.
bool add_answers(const Json& list, int depth, ParsedOutput& out) {
  bool has_text = false;
  for (const Json& element : list.elements()) {
    has_text |= element.is_string();
    if (element.is_array() && depth > 0) has_text |= add_answers(element, depth - 1, out);
    const Json value = unwrap(element);
    if (!value.is_object()) continue;
    if (out.object) out.earlier.push_back(out.object);
    out.object = value;
  }
  return has_text;
}

/// A list of answers is the same as one after another. A list of other values is text, unless it has no texts either.
ParsedOutput read_list(const Json& list, std::string text) {
  ParsedOutput out;
  const bool has_text = add_answers(list, kMaxWrappings, out);
  if (!out.object && has_text) out.text = std::move(text);
  return out;
}

}  // namespace

std::vector<Json> objects_in(std::string_view text) {
  std::vector<Json> out;
  size_t at = text.find('{');
  size_t scanned = 0;
  for (size_t tries = 0; at != std::string_view::npos && tries < kMaxTries && scanned < kMaxScanned; ++tries) {
    const size_t end = end_of_object(text, at);
    scanned += std::min(end, text.size()) - at;
    auto parsed =
        end == std::string_view::npos ? Result<Json>(Json()) : Json::parse(std::string(text.substr(at, end - at)));
    const bool is_object = parsed && parsed->is_object();
    if (is_object) out.push_back(*parsed);
    // Continue after an object, or at the next brace if this one did not start valid JSON.
    at = text.find('{', is_object ? end : at + 1);
  }
  return out;
}

ParsedOutput parse_output(std::string_view bytes) {
  if (bytes.empty()) return {};
  const std::string text(text::trim(undecorated(to_utf8(bytes))));
  if (text.empty()) return {};
  auto parsed = Json::parse(text);
  if (!parsed && text.starts_with('{')) parsed = Json::parse(text, {.comments = true});
  if (!parsed) return find_embedded(text);
  const Json value = unwrap(*parsed);
  // A plain JSON string stays text, with its quotes; numbers, booleans and null say nothing at all.
  if (value.is_object()) return {.object = value};
  if (value.is_string()) return {.text = text};
  if (value.as_bool() == false) return {.is_false = true};
  return read_list(value, text);
}

}  // namespace grapnel
