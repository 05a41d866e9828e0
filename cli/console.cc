#include "cli/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include <sys/ioctl.h>

#include "base/text.h"

namespace grapnel::cli {

namespace {

/// False when a byte could not be written: the reader has closed the pipe, or the disk is full. errno says which.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

/// A range of characters that are invisible or change the direction of text. All of them have three bytes in UTF-8, and
/// UTF-8 sorts like the code points, so two string comparisons decide whether a character is in the range.
struct HiddenRange {
  std::string_view first, last;
};
constexpr auto kHidden = std::to_array<HiddenRange>({
    {"\u200B", "\u200F"},  // zero width, direction marks
    {"\u2028", "\u202E"},  // separators, embeddings, overrides
    {"\u2060", "\u206F"},  // joiners, isolates
    {"\uFEFF", "\uFEFF"},  // byte-order mark
});

bool is_hidden(std::string_view sequence) {
  for (const HiddenRange& range : kHidden) {
    if (sequence >= range.first && sequence <= range.last) return true;
  }
  return false;
}

/// A byte as `\x1b`.
std::string spell_byte(unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

std::string spell_control(char c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  return spell_byte(static_cast<unsigned char>(c));
}

/// The length of a UTF-8 sequence, from its first byte. The text is known to be valid UTF-8.
size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

}  // namespace

Console::Console(const Environment& env) : terminal_(::isatty(STDOUT_FILENO) == 1) {
  colours_ = terminal_ && env.get("NO_COLOR").empty() && env.get("TERM") != "dumb";
}

// Output that is already collected is written first, so that both streams appear in the order of the calls.
void Console::err(std::string_view text) {
  write_pending();
  write_all(STDERR_FILENO, text);
  last_written_ = text::trim(text);
}

void Console::say(std::string_view text) {
  err("grapnel: " + std::string(text) + "\n");
  last_said_ = text;
}

void Console::progress(std::string_view text) {
  if (::isatty(STDERR_FILENO) != 1) return;
  constexpr std::string_view kClearLine = "\r\033[K";
  write_all(STDERR_FILENO, std::string(kClearLine).append(text));
}

// The flag is reset, so that the next flush reports only what failed after this one.
bool Console::flush() {
  write_pending();
  return !std::exchange(failed_, false);
}

void Console::write_pending() {
  if (!write_all(STDOUT_FILENO, pending_)) {
    failed_ = true;
    reader_left_ |= errno == EPIPE;
  }
  pending_.clear();
}

// A terminal that does not know its size is treated like a file.
size_t Console::width() const {
  constexpr size_t kUsual = 80;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

std::string Console::styled(Style style, std::string_view text) const {
  // In the order of `Style`.
  constexpr std::string_view kCodes[] = {"1", "2", "31", "32", "33"};
  if (!colours_) return std::string(text);
  return "\033[" + std::string(kCodes[static_cast<size_t>(style)]) + "m" + std::string(text) + "\033[0m";
}

// open() returns the lowest free number, so this fills the gaps among 0, 1 and 2 until a higher number comes back.
void occupy_standard_descriptors() {
  for (int fd = ::open("/dev/null", O_RDONLY); fd >= 0; fd = ::open("/dev/null", O_RDONLY)) {
    if (fd <= STDERR_FILENO) continue;
    ::close(fd);
    return;
  }
}

std::string printable(std::string_view text) {
  const std::string valid = text::to_valid_utf8(text);
  std::string out;
  for (size_t at = 0; at < valid.size();) {
    const auto lead = static_cast<unsigned char>(valid[at]);
    const std::string_view sequence = std::string_view(valid).substr(at, sequence_length(lead));
    // U+0080 to U+009F are control characters as well; some terminals start an escape sequence with them.
    const bool is_c1 = lead == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
    if (lead < 0x20 || lead == 0x7F) {
      out += spell_control(valid[at]);
    } else if (is_c1 || (sequence.size() == 3 && is_hidden(sequence))) {
      for (const char byte : sequence) out += spell_byte(static_cast<unsigned char>(byte));
    } else {
      out += sequence;
    }
    at += sequence.size();
  }
  return out;
}

std::string short_path(const std::string& path) {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string() + "/";
  return !error && path.starts_with(here) && path.size() > here.size() ? path.substr(here.size()) : path;
}

}  // namespace grapnel::cli
