#include "agent/tools/html_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/text.h"

/// The converter makes one pass over the page. Plain text, tags and character references are handled one after the
/// other, and each step removes what it has used from the front. No tree is built, so unclosed or wrongly nested
/// elements do no harm.
namespace grapnel::agent {

namespace {

/// Elements whose content is not text for readers.
constexpr auto kSilent = std::to_array<std::string_view>({"script", "style", "noscript", "template", "svg"});
/// Elements that begin and end a line.
constexpr auto kBlocks = std::to_array<std::string_view>(
    {"address",  "article", "aside",  "blockquote", "body",  "br",   "dd",    "div",   "dl", "dt",
     "fieldset", "figure",  "footer", "form",       "h1",    "h2",   "h3",    "h4",    "h5", "h6",
     "head",     "header",  "hr",     "html",       "li",    "main", "nav",   "ol",    "p",  "pre",
     "section",  "table",   "tbody",  "td",         "tfoot", "th",   "thead", "title", "tr", "ul"});

/// A named character reference. The table has the ones that are common in prose; an unknown one stays as it is.
struct Reference {
  std::string_view name;
  std::string_view text;
};
constexpr auto kReferences = std::to_array<Reference>({
    {"amp", "&"},
    {"apos", "'"},
    {"copy", "©"},
    {"gt", ">"},
    {"hellip", "…"},
    {"laquo", "«"},
    {"ldquo", "“"},
    {"lsquo", "‘"},
    {"lt", "<"},
    {"mdash", "—"},
    {"nbsp", " "},
    {"ndash", "–"},
    {"quot", "\""},
    {"raquo", "»"},
    {"rdquo", "”"},
    {"rsquo", "’"},
});

/// The value of a text that consists of digits only; nothing for any other text.
std::optional<uint32_t> number_in(std::string_view digits, int base) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// A code point as UTF-8.
std::string encode(uint32_t code) {
  const auto byte = [](uint32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | (code >> 6)), byte(0x80 | (code & 0x3F))};
  if (code < 0x10000) return {byte(0xE0 | (code >> 12)), byte(0x80 | ((code >> 6) & 0x3F)), byte(0x80 | (code & 0x3F))};
  return {byte(0xF0 | (code >> 18)), byte(0x80 | ((code >> 12) & 0x3F)), byte(0x80 | ((code >> 6) & 0x3F)),
          byte(0x80 | (code & 0x3F))};
}

/// The text of the reference `&name;`; nothing for an unknown one, which then stays as it is.
std::optional<std::string> decode(std::string_view name) {
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    const bool is_hex = name.starts_with('x') || name.starts_with('X');
    const auto code = number_in(is_hex ? name.substr(1) : name, is_hex ? 16 : 10);
    if (!code || *code == 0 || *code > 0x10FFFF) return std::nullopt;
    return encode(*code);
  }
  const auto* const known = std::ranges::find(kReferences, name, &Reference::name);
  if (known == kReferences.end()) return std::nullopt;
  return std::string(known->text);
}

/// Builds the text: runs of white space become one space, and a line ends where a block begins or ends. A space is only
/// written once a character follows it, so lines never begin or end with one.
class Lines {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        gap_ = true;
        continue;
      }
      if (gap_ && !out_.empty() && !out_.ends_with('\n')) out_ += ' ';
      gap_ = false;
      out_ += c;
    }
  }
  void break_line() {
    if (!out_.empty() && !out_.ends_with('\n')) out_ += '\n';
    gap_ = false;
  }
  std::string take() && {
    while (out_.ends_with('\n')) out_.pop_back();
    return text::to_valid_utf8(out_);
  }

 private:
  std::string out_;
  bool gap_ = false;
};

struct Tag {
  std::string name;  ///< in lower case; "" for comments and declarations
  bool closes = false;
  size_t length = 0;  ///< from `<` on
};

/// How much of the text `end` completes, or all of it when `end` is missing.
size_t length_until(std::string_view text, std::string_view end) {
  const size_t at = text.find(end);
  return at == std::string_view::npos ? text.size() : at + end.size();
}

/// Reads the tag at the beginning of a text that starts with `<`. The length is 0 if this is just a `<`. A `>` inside
/// quotes does not end the tag.
Tag read_tag(std::string_view text) {
  Tag tag;
  if (text.starts_with("<!--")) return {"", false, length_until(text, "-->")};
  if (text.starts_with("<!") || text.starts_with("<?")) return {"", false, length_until(text, ">")};
  size_t at = 1;
  tag.closes = text.substr(at).starts_with('/');
  at += tag.closes ? 1 : 0;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (at >= text.size() || !is_letter(text[at])) return tag;
  const size_t name_end = std::min(text.find_first_of(" \t\r\n\f/>", at), text.size());
  tag.name = text::to_lower(text.substr(at, name_end - at));
  char quote = 0;
  for (at = name_end; at < text.size() && (quote != 0 || text[at] != '>'); ++at) {
    if (quote != 0) {
      if (text[at] == quote) quote = 0;
    } else if (text[at] == '"' || text[at] == '\'') {
      quote = text[at];
    }
  }
  tag.length = std::min(at + 1, text.size());
  return tag;
}

/// The length of a silent element's content, up to its closing tag.
size_t silence(std::string_view text, const std::string& name) {
  for (size_t at = text.find("</"); at != std::string_view::npos; at = text.find("</", at + 2)) {
    if (text::to_lower(text.substr(at + 2, name.size())) == name) return at;
  }
  return text.size();
}

/// Adds the reference at the beginning of the text and returns its length. No known name is longer than ten characters.
size_t add_reference(std::string_view text, Lines& lines) {
  const size_t end = text.substr(0, 12).find(';');
  const auto decoded = end == std::string_view::npos ? std::nullopt : decode(text.substr(1, end - 1));
  lines.add(decoded ? *decoded : "&");
  return decoded ? end + 1 : 1;
}

/// Handles the tag at the beginning of the text and returns how much of the text that covers.
size_t add_tag(std::string_view text, Lines& lines) {
  const Tag tag = read_tag(text);
  if (tag.length == 0) {
    lines.add("<");
    return 1;
  }
  if (std::ranges::find(kBlocks, tag.name) != kBlocks.end()) {
    lines.break_line();
    if (tag.name == "li" && !tag.closes) lines.add("- ");
  }
  const bool is_silent = !tag.closes && std::ranges::find(kSilent, tag.name) != kSilent.end();
  return tag.length + (is_silent ? silence(text.substr(tag.length), tag.name) : 0);
}

}  // namespace

std::string html_to_text(std::string_view html) {
  Lines lines;
  while (!html.empty()) {
    const size_t plain = std::min(html.find_first_of("<&"), html.size());
    lines.add(html.substr(0, plain));
    html.remove_prefix(plain);
    if (html.empty()) break;
    html.remove_prefix(html.front() == '<' ? add_tag(html, lines) : add_reference(html, lines));
  }
  return std::move(lines).take();
}

}  // namespace grapnel::agent
