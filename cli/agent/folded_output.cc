#include "cli/agent/folded_output.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "cli/console.h"
#include "cli/display_width.h"
#include "cli/hook_text.h"

namespace grapnel::cli {

namespace {

constexpr size_t kShownLines = 4;
/// Older output is rarely asked for, and some of it is large.
constexpr size_t kKept = 50;
constexpr std::string_view kIndent = "  | ";

/// A tab as blanks: where it would go depends on the column.
std::string without_tabs(std::string_view line) {
  std::string out;
  for (const char c : line) out += c == '\t' ? std::string(4, ' ') : std::string(1, c);
  return out;
}

}  // namespace

std::string printable_lines(std::string_view text) {
  std::string out;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of("\n\t", at), text.size());
    out += printable(text.substr(at, end - at));
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

std::string FoldedOutput::add(std::string_view text, size_t width) {
  const std::string_view trimmed = text::trim(text);
  if (trimmed.empty()) return "";
  texts_.emplace_back(trimmed);
  if (texts_.size() > kKept) {
    texts_.pop_front();
    ++dropped_;
  }
  const auto lines = text::split(trimmed, '\n');
  // A single line more is shown instead of a line that says so.
  const size_t shown = lines.size() <= kShownLines + 1 ? lines.size() : kShownLines;
  std::string out;
  bool is_cut = false;
  for (size_t i = 0; i < shown; ++i) {
    const std::string line = printable(without_tabs(lines[i]));
    const size_t room = width > kIndent.size() ? width - kIndent.size() : 1;
    is_cut |= display_width(line) > room;
    out += std::string(kIndent) + cut_to_width(line, room) + "\n";
  }
  const size_t more = lines.size() - shown;
  if (more == 0 && !is_cut) return out;
  const std::string number = std::to_string(dropped_ + texts_.size());
  return out + "  " + (more == 0 ? "…" : "… " + count_text(more, "more line")) + " (/show " + number + ")\n";
}

const std::string* FoldedOutput::find(std::string_view number) const {
  if (number.empty()) return texts_.empty() ? nullptr : &texts_.back();
  size_t wanted = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), wanted);
  const bool is_number = error == std::errc() && end == number.data() + number.size();
  if (!is_number || wanted <= dropped_ || wanted > dropped_ + texts_.size()) return nullptr;
  return &texts_[wanted - dropped_ - 1];
}

}  // namespace grapnel::cli
