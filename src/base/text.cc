#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace grapnel::text {

namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The bytes at the start of a text that form one character or one mistake.
struct Sequence {
  size_t length = 1;
  bool is_valid = false;
};

/// Follows table 3-7 of the Unicode standard, which says what may follow each lead byte. A mistake ends at the first
/// byte that can no longer belong to a character.
Sequence next_sequence(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;  // not overlong
  const unsigned char highest = lead == 0xED   ? 0x9F
                                : lead == 0xF4 ? 0x8F
                                               : 0xBF;  // neither a surrogate nor beyond U+10FFFF
  for (size_t i = 1; i < length; ++i) {
    const bool fits = i < s.size() && (i == 1 ? byte(i) >= lowest && byte(i) <= highest : (byte(i) & 0xC0) == 0x80);
    if (!fits) return {i, false};
  }
  return {length, true};
}

/// How many bytes at the start of the text form whole characters. Most texts are ASCII, so eight bytes at once are
/// tried first.
size_t valid_prefix(std::string_view s) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t at = 0;
  while (at < s.size()) {
    uint64_t word = kHighBits;
    if (s.size() - at >= sizeof word) std::memcpy(&word, s.data() + at, sizeof word);
    if ((word & kHighBits) == 0) {
      at += sizeof word;
      continue;
    }
    const Sequence next = next_sequence(s.substr(at));
    if (!next.is_valid) return at;
    at += next.length;
  }
  return at;
}

/// The edit distance: how many letters must be added, removed, replaced or swapped with their neighbour. This is the
/// usual table of which only three rows are kept; a swap needs the row before the previous one.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string format_position(const SourcePos& pos) {
  std::string out = pos.file;
  if (pos.line != 0) out += (out.empty() ? "line " : ":") + std::to_string(pos.line);
  if (pos.line != 0 && pos.column != 0) out += ":" + std::to_string(pos.column);
  return out;
}

SourcePos position_at(std::string file, std::string_view content, size_t offset) {
  const std::string_view before = content.substr(0, std::min(offset, content.size()));
  const auto line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {std::move(file), line, static_cast<uint32_t>(before.size() - start + 1)};
}

std::string_view trim(std::string_view s) {
  if (s.starts_with(kBom)) s.remove_prefix(kBom.size());
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = s.find(separator);
    parts.push_back(s.substr(0, at));
    if (at == std::string_view::npos) return parts;
    s.remove_prefix(at + 1);
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (;;) {
    const size_t valid = valid_prefix(bytes);
    out += bytes.substr(0, valid);
    if (valid == bytes.size()) return out;
    bytes.remove_prefix(valid);
    out += kReplacement;
    bytes.remove_prefix(next_sequence(bytes).length);
  }
}

/// Uses the same table as `to_valid_utf8`, so the two always agree.
bool is_valid_utf8(std::string_view bytes) {
  return valid_prefix(bytes) == bytes.size();
}

/// Moves the cut back to the start of a character.
std::string cap(std::string_view s, size_t limit) {
  if (s.size() <= limit) return std::string(s);
  size_t cut = limit;
  while (cut > 0 && (static_cast<unsigned char>(s[cut]) & 0xC0) == 0x80) --cut;
  return std::string(s.substr(0, cut)) + " [" + std::to_string(s.size() - cut) + " bytes cut]";
}

/// Every byte that is no continuation byte starts a character.
size_t find_character(std::string_view s, size_t count) {
  for (size_t at = 0; at < s.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(s[at]) & 0xC0) != 0x80;
    if (starts && count-- == 0) return at;
  }
  return s.size();
}

/// Candidates must be closer than the best one so far, so the first of equals wins.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string folded = to_lower(word);
  std::string_view best;
  // Short words may differ by two letters and long ones by a third. A word never resembles one with which it shares
  // nothing.
  size_t best_distance = std::min(std::max<size_t>(2, word.size() / 3) + 1, word.size());
  for (const std::string_view candidate : candidates) {
    const size_t apart = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (apart >= best_distance) continue;  // the difference in length alone is too much
    const size_t distance = edit_distance(folded, to_lower(candidate));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

/// Only ASCII, and without the locale: names and keywords are ASCII.
std::string to_lower(std::string_view s) {
  std::string out(s);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

/// Goes through both texts at once and remembers the last star. After a mismatch, that star takes one more character.
/// Earlier stars never need to change, so this takes at most quadratic time.
bool fits_wild(std::string_view text, std::string_view pattern) {
  size_t t = 0;
  size_t p = 0;
  size_t star = std::string_view::npos;
  size_t retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// Also safe inside of attributes in double quotes.
std::string escape_markup(std::string_view s) {
  std::string out;
  for (const char c : s) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace grapnel::text
