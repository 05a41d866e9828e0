#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/environment.h"

namespace grapnel::cli {

enum class Style : uint8_t { Bold, Dim, Red, Green, Yellow };

/// Standard output and standard error. Colours only on a terminal, and never with NO_COLOR.
class Console {
 public:
  explicit Console(const Environment& env);

  /// Collected until `flush`, or until something goes to standard error.
  void out(std::string_view text) { pending_ += text; }
  void err(std::string_view text);
  /// An error or a notice of ours: `grapnel: text`.
  void say(std::string_view text);

  /// False when something could not be written since the last flush.
  bool flush();

  bool is_terminal() const { return terminal_; }
  /// The text in that style on standard output.
  std::string styled(Style style, std::string_view text) const;

 private:
  void write_pending();

  std::string pending_;
  bool terminal_ = false;
  bool colours_ = false;
  bool failed_ = false;
};

/// A file opened later must not become standard output because the caller closed it. Writing to what is put in its
/// place fails, so that an answer nobody can read is noticed.
void occupy_standard_descriptors();

/// Text from outside as one line for a terminal: control characters and invisible or direction-changing characters
/// are spelled out, so that nothing can hide or pretend.
std::string printable(std::string_view text);

/// A path as people would type it here: relative when it lies below the current directory.
std::string short_path(const std::string& path);

}  // namespace grapnel::cli
