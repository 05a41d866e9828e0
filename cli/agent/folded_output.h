#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace grapnel::cli {

/// Text from outside for a terminal: no character in it can move the cursor or hide anything. Line feeds and tabs stay.
std::string printable_lines(std::string_view text);

/// What tools printed in a conversation. The screen gets only the first lines of it; the rest is kept, so that `/show`
/// can show all.
class FoldedOutput {
 public:
  /// Keeps the text and returns what to show of it: a few lines of at most `width` columns and, if there is more, a
  /// line that says how much and how to see it. Each line ends with a line feed; "" if there is no text.
  std::string add(std::string_view text, size_t width);

  /// The whole text with that number, or the newest one for "". Null when there is none.
  const std::string* find(std::string_view number) const;

 private:
  std::deque<std::string> texts_;
  size_t dropped_ = 0;  ///< how many old ones were forgotten; numbers go on
};

}  // namespace grapnel::cli
