#include "json/reader.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "json/error_text.h"
#include "json/escapes.h"
#include "json/scan.h"

namespace grapnel {

namespace {

constexpr uint32_t kNone = UINT32_MAX;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Reads the text in one pass.
///
/// Two tricks keep it fast. The text is a `std::string`, so a NUL byte follows its end; since NUL is valid nowhere in
/// JSON, looking at the next byte needs no check for the end. And while a container is open, its node's `next` holds
/// the index of its parent, so the tape is its own stack and nesting costs neither recursion nor memory.
///
/// The functions return false after they have noted the failure in `error_`.
class Reader {
 public:
  Reader(const std::string& text, const JsonReadOptions& options)
      : options_(options), begin_(text.data()), end_(begin_ + text.size()), at_(begin_) {}

  Result<std::vector<JsonNode>> read() {
    nodes_.reserve(std::min<size_t>(text().size() / 16 + 4, 4096));
    if (!read_document()) return std::unexpected(std::move(error_));
    return std::move(nodes_);
  }

 private:
  bool read_document();
  bool read_member();
  bool read_element();
  bool read_separator(char closing, const char* expected);
  bool read_value();
  bool read_string_node();
  [[gnu::noinline]] bool read_rich_string(const char* from);
  bool read_escape();
  bool read_number();
  bool read_digits(const char* where);
  bool read_word(std::string_view word, JsonKind kind);

  bool open_container(JsonKind kind);
  bool close_container();
  void add_scalar(const char* from, JsonKind kind, bool plain = true);
  void add_node(const JsonNode& node);
  void make_room();

  bool skip_gap();
  bool skip_blanks_and_comments();
  void skip_blanks();
  bool skip_comment();
  bool skip_multibyte();

  [[gnu::cold]] bool fail_at(const char* where, std::string message, Errc code = Errc::BadInput);
  [[gnu::cold]] bool fail_expected(std::string_view what);
  [[gnu::cold]] bool fail_in_string(const char* opening);

  std::string_view text() const { return {begin_, end_}; }
  uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - begin_); }
  std::string locate(const char* at) const;

  const JsonReadOptions& options_;
  const char* begin_;
  const char* end_;
  const char* at_;
  std::vector<JsonNode> nodes_;
  uint32_t open_ = kNone;  ///< the innermost open container
  uint32_t depth_ = 0;
  uint32_t gap_end_ = 0;  ///< the end of the last white space, comment or trailing comma
  Error error_;
};

/// A loop over items: each round reads one item of the innermost open container, or closes it.
bool Reader::read_document() {
  if (text().starts_with("\xEF\xBB\xBF")) at_ += 3;
  if (!skip_gap() || !read_value()) return false;
  while (open_ != kNone) {
    const bool good = nodes_[open_].kind == JsonKind::Object ? read_member() : read_element();
    if (!good) return false;
  }
  if (!skip_gap()) return false;
  return at_ == end_ || fail_expected("the end of the text");
}

/// Reads the next member and the comma before it, or the end of the object.
bool Reader::read_member() {
  const uint32_t object = open_;
  if (!read_separator('}', "',' or '}' after a member")) return false;
  if (open_ != object) return true;
  if (*at_ != '"') return fail_expected("a key in double quotes");
  if (!read_string_node() || !skip_gap()) return false;
  if (*at_ != ':') return fail_expected("':' after a key");
  ++at_;
  return skip_gap() && read_value();
}

bool Reader::read_element() {
  const uint32_t array = open_;
  if (!read_separator(']', "',' or ']' after an element")) return false;
  return open_ != array || read_value();
}

/// Goes from an opening bracket or a value to the next item. Closes the container if it ends here; callers see that by
/// `open_`.
bool Reader::read_separator(char closing, const char* expected) {
  if (!skip_gap()) return false;
  if (*at_ == closing) return close_container();
  const bool first = nodes_.size() == open_ + 1;
  if (first) return true;
  if (*at_ != ',') return fail_expected(expected);
  ++at_;
  if (!skip_gap()) return false;
  if (*at_ != closing || !options_.comments) return true;
  // The trailing comma means that the container is not in its compact spelling.
  gap_end_ = offset(at_);
  return close_container();
}

/// Reads a scalar completely. A container is only opened; the main loop reads its items.
bool Reader::read_value() {
  switch (*at_) {
    case '{':
      return open_container(JsonKind::Object);
    case '[':
      return open_container(JsonKind::Array);
    case '"':
      return read_string_node();
    case 't':
      return read_word("true", JsonKind::Bool);
    case 'f':
      return read_word("false", JsonKind::Bool);
    case 'n':
      return read_word("null", JsonKind::Null);
    default:
      return *at_ == '-' || is_digit(*at_) ? read_number() : fail_expected("a value");
  }
}

bool Reader::open_container(JsonKind kind) {
  if (depth_ == options_.max_depth) {
    return fail_at(at_, "nested deeper than " + std::to_string(depth_) + " levels", Errc::LimitExceeded);
  }
  ++depth_;
  const auto index = static_cast<uint32_t>(nodes_.size());
  add_node({.begin = offset(at_), .end = 0, .next = open_, .kind = kind, .plain = true});
  open_ = index;
  ++at_;
  return true;
}

/// The container is plain if the last gap in the text was before it.
bool Reader::close_container() {
  --depth_;
  ++at_;
  JsonNode& node = nodes_[open_];
  open_ = std::exchange(node.next, static_cast<uint32_t>(nodes_.size()));
  node.end = offset(at_);
  node.plain = gap_end_ <= node.begin;
  return true;
}

void Reader::add_scalar(const char* from, JsonKind kind, bool plain) {
  const auto next = static_cast<uint32_t>(nodes_.size() + 1);
  add_node({.begin = offset(from), .end = offset(at_), .next = next, .kind = kind, .plain = plain});
}

inline void Reader::add_node(const JsonNode& node) {
  if (nodes_.size() == nodes_.capacity()) [[unlikely]]
    make_room();
  nodes_.push_back(node);
}

/// Makes room for a tape that is as dense as it was so far, because growing step by step touches fresh pages, which
/// costs more than reading the text that fills them. At most eight times as much, since the rest of the text may be one
/// long string.
void Reader::make_room() {
  const size_t size = nodes_.size();
  const double rest = static_cast<double>(end_ - begin_) / static_cast<double>(at_ - begin_ + 1);
  nodes_.reserve(static_cast<size_t>(static_cast<double>(size) * std::clamp(rest * 1.05, 1.125, 8.0)) + 8);
}

bool Reader::read_word(std::string_view word, JsonKind kind) {
  const char* const from = at_;
  if (!std::string_view(at_, end_).starts_with(word)) return fail_expected("a value");
  at_ += word.size();
  add_scalar(from, kind);
  return true;
}

/// Only checks the grammar: `-`, digits without leading zeros, fraction, exponent.
bool Reader::read_number() {
  const char* const from = at_;
  if (*at_ == '-') ++at_;
  if (*at_ == '0' && is_digit(at_[1])) return fail_at(at_, "a number cannot have leading zeros");
  if (!read_digits("in a number")) return false;
  if (*at_ == '.') {
    ++at_;
    if (!read_digits("after the decimal point")) return false;
  }
  if (*at_ == 'e' || *at_ == 'E') {
    ++at_;
    if (*at_ == '+' || *at_ == '-') ++at_;
    if (!read_digits("in the exponent")) return false;
  }
  add_scalar(from, JsonKind::Number);
  return true;
}

bool Reader::read_digits(const char* where) {
  if (!is_digit(*at_)) return fail_expected(std::string("a digit ") + where);
  while (is_digit(*at_)) ++at_;
  return true;
}

/// Most strings have only plain bytes, so they are skipped many bytes at a time.
bool Reader::read_string_node() {
  const char* const from = at_;
  at_ = json::skip_plain_bytes(at_ + 1, end_);
  if (*at_ != '"') return read_rich_string(from);
  ++at_;
  add_scalar(from, JsonKind::String);
  return true;
}

/// Reads the rest of a string from its first byte that is not plain.
bool Reader::read_rich_string(const char* from) {
  bool plain = true;
  while (*at_ != '"') {
    if (*at_ == '\\') {
      plain = false;
      at_ = json::skip_simple_escapes(at_, end_);
      if (*at_ == '\\' && !read_escape()) return false;
    } else if (static_cast<unsigned char>(*at_) >= 0x80) {
      if (!skip_multibyte()) return false;
    } else {
      return fail_in_string(from);
    }
    at_ = json::skip_plain_bytes(at_, end_);
  }
  ++at_;
  add_scalar(from, JsonKind::String, plain);
  return true;
}

/// Checks an escape; what it stands for is decoded when somebody asks for the string.
bool Reader::read_escape() {
  const char kind = at_[1];
  const bool is_simple = kind == 'n' || kind == '"' || kind == '\\' || kind == '/' || kind == 't' || kind == 'r' ||
                         kind == 'b' || kind == 'f';
  if (is_simple) {
    at_ += 2;
    return true;
  }
  if (kind == 'u') {
    const std::string_view digits = std::string_view(at_, end_).substr(2, 4);
    if (digits.size() < 4 || !std::all_of(digits.begin(), digits.end(), is_hex_digit)) {
      return fail_at(at_, "expected four hexadecimal digits after \\u");
    }
    at_ += 6;
    return true;
  }
  return fail_at(at_, "unknown escape in a string: a backslash before " +
                          json::describe_found(std::string_view(at_ + 1, end_).substr(0, 4)));
}

/// Checks a run of characters that are not ASCII.
bool Reader::skip_multibyte() {
  while (static_cast<unsigned char>(*at_) >= 0x80) {
    const size_t length = json::multibyte_length(at_, end_);
    if (length == 0) return fail_at(at_, "invalid UTF-8: " + json::describe_byte(*at_));
    at_ += length;
  }
  return true;
}

/// The usual case inline: no white space at all.
bool Reader::skip_gap() {
  if (static_cast<unsigned char>(*at_) > ' ' && *at_ != '/') return true;
  return skip_blanks_and_comments();
}

bool Reader::skip_blanks_and_comments() {
  const char* const from = at_;
  for (;;) {
    skip_blanks();
    const bool comment = options_.comments && *at_ == '/' && (at_[1] == '/' || at_[1] == '*');
    if (!comment) break;
    if (!skip_comment()) return false;
  }
  if (at_ != from) gap_end_ = offset(at_);
  return true;
}

/// Indentation is usually made of blanks, so eight of them are skipped at once.
void Reader::skip_blanks() {
  for (;;) {
    while (end_ - at_ >= 8 && json::load_word(at_) == json::repeat_byte(' ')) at_ += 8;
    if (*at_ != ' ' && *at_ != '\n' && *at_ != '\r' && *at_ != '\t') return;
    ++at_;
  }
}

/// Comments are checked like strings, so that the text as a whole is valid UTF-8.
bool Reader::skip_comment() {
  const char* const from = at_;
  const bool line = at_[1] == '/';
  at_ += 2;
  for (;;) {
    if (at_ == end_) return line || fail_at(from, "this comment is not closed");
    if (line && (*at_ == '\n' || *at_ == '\r')) return true;
    if (!line && *at_ == '*' && at_[1] == '/') {
      at_ += 2;
      return true;
    }
    if (*at_ == '\0') return fail_at(at_, "byte 0x00 in a comment");
    if (static_cast<unsigned char>(*at_) < 0x80) {
      ++at_;
    } else if (!skip_multibyte()) {
      return false;
    }
  }
}

bool Reader::fail_at(const char* where, std::string message, Errc code) {
  error_ = {code, std::move(message), text::position_at("", text(), offset(where)), 0};
  return false;
}

/// At the end of the text, the message also says which bracket is not closed: that is where people must look.
bool Reader::fail_expected(std::string_view what) {
  std::string message = "expected " + std::string(what) + ", found " + json::describe_found({at_, end_});
  if (at_ == end_ && open_ != kNone) {
    const char* const opening = begin_ + nodes_[open_].begin;
    message += std::string(" (the '") + *opening + "' at " + locate(opening) + " is not closed)";
  }
  return fail_at(at_, std::move(message));
}

/// The most frequent mistakes in strings get a message of their own.
bool Reader::fail_in_string(const char* opening) {
  if (at_ == end_) return fail_at(opening, "this string is not closed");
  if (*at_ == '\n' || *at_ == '\r') return fail_at(at_, "a line break inside a string; write \\n or close the string");
  return fail_at(at_, "control character inside a string: " + json::describe_byte(*at_));
}

std::string Reader::locate(const char* at) const {
  return text::format_position(text::position_at("", text(), offset(at)));
}

}  // namespace

Result<std::vector<JsonNode>> read_tape(const std::string& text, const JsonReadOptions& options) {
  // Offsets and indices in the tape have 32 bits.
  const size_t limit = std::min<size_t>(options.max_bytes, kNone - 1);
  if (text.size() > limit) {
    return fail(Errc::LimitExceeded, "JSON text of " + std::to_string(text.size()) +
                                         " bytes is longer than the limit of " + std::to_string(limit));
  }
  return Reader(text, options).read();
}

}  // namespace grapnel
