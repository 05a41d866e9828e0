#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/environment.h"

namespace grapnel::cli {

/// What a program prints. Verbs build their output as text and pass it to a console; nothing else writes to the
/// standard streams.
enum class Style : uint8_t { Bold, Dim, Red, Green, Yellow };

/// Standard output and standard error of this process. Colours are used only on a terminal, and never with NO_COLOR.
class Console {
 public:
  explicit Console(const Environment& env);

  /// Adds text to standard output. It is collected until `flush`, or until something goes to standard error.
  void out(std::string_view text) {
    pending_ += text;
    has_output_ |= !text.empty();
  }
  void err(std::string_view text);
  /// Prints an error or a notice of Grapnel itself: `grapnel: text`.
  void say(std::string_view text);

  /// Shows how far some work is, in a line of standard error that the next call replaces; "" removes the line. Does
  /// nothing if standard error is no terminal.
  void progress(std::string_view text);

  /// Writes what is collected. False when something could not be written since the last flush.
  bool flush();

  /// Whether anything went to standard output.
  bool has_output() const { return has_output_; }
  /// Whether the reader of standard output has closed the pipe; it wants no more.
  bool reader_left() const { return reader_left_; }
  /// What was said last, or written to standard error if nothing was said.
  const std::string& last_error() const { return last_said_.empty() ? last_written_ : last_said_; }

  bool is_terminal() const { return terminal_; }
  /// How many columns a line may have: the terminal's, or 80 if standard output is none.
  size_t width() const;
  /// The text with the codes for a style, or the plain text when colours are off.
  std::string styled(Style style, std::string_view text) const;

 private:
  void write_pending();

  std::string pending_;
  bool terminal_ = false;
  bool colours_ = false;
  bool failed_ = false;
  bool reader_left_ = false;
  bool has_output_ = false;
  std::string last_said_, last_written_;
};

/// Opens /dev/null in place of the standard descriptors that the caller closed; otherwise a file that is opened later
/// would become standard output. The descriptor is read-only, so that writing to it fails and a lost answer is noticed.
void occupy_standard_descriptors();

/// Text from outside, made safe to print on one line: control characters and characters that are invisible or change
/// the direction of text are spelled out, so that nothing can hide or pretend to be something else.
std::string printable(std::string_view text);

/// A path as people would type it: relative when it is below the current directory.
std::string short_path(const std::string& path);

}  // namespace grapnel::cli
