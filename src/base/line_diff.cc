#include "base/line_diff.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace grapnel::text {

namespace {

constexpr size_t kAround = 3;

using Lines = std::vector<std::string_view>;

/// The lines of a text; a line break at the end begins no further line.
Lines lines_of(std::string_view text) {
  if (text.empty()) return {};
  if (text.ends_with('\n')) text.remove_suffix(1);
  return split(text, '\n');
}

/// Appends lines with the mark of a unified diff: blank, `-` or `+`.
void add_lines(std::string& out, char mark, Lines::const_iterator begin, Lines::const_iterator end) {
  for (auto line = begin; line != end; ++line) (out += mark).append(*line) += '\n';
}

/// The position of one side of the hunk, counted from 1, and its length: `3,5`. For an empty side, unified diffs give
/// the line before it.
std::string range(size_t first, size_t count) {
  return std::to_string(count == 0 ? first : first + 1) + ',' + std::to_string(count);
}

}  // namespace

/// Skips the equal lines at the start and at the end; everything in between is the hunk.
std::string line_diff(std::string_view file, std::string_view before, std::string_view after) {
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  if (old_lines == new_lines) return "";
  const auto same = std::ranges::mismatch(old_lines, new_lines);
  const size_t head = static_cast<size_t>(same.in1 - old_lines.begin());
  size_t tail = 0;
  // The equal end must not overlap the equal start: "a a" against "a" would otherwise count one line twice.
  while (tail < std::min(old_lines.size(), new_lines.size()) - head &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail]) {
    ++tail;
  }
  const size_t first = head - std::min(head, kAround);
  const size_t after_it = std::min(tail, kAround);
  const size_t old_end = old_lines.size() - tail;
  const size_t new_end = new_lines.size() - tail;
  std::string out = "--- " + std::string(file) + "\n+++ " + std::string(file) + "\n@@ -" +
                    range(first, old_end + after_it - first) + " +" + range(first, new_end + after_it - first) +
                    " @@\n";
  const auto at = [](const Lines& lines, size_t index) { return lines.begin() + static_cast<std::ptrdiff_t>(index); };
  add_lines(out, ' ', at(old_lines, first), at(old_lines, head));
  add_lines(out, '-', at(old_lines, head), at(old_lines, old_end));
  add_lines(out, '+', at(new_lines, head), at(new_lines, new_end));
  add_lines(out, ' ', at(old_lines, old_end), at(old_lines, old_end + after_it));
  return out;
}

std::string replace_each(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (;;) {
    const size_t at = from.empty() ? std::string_view::npos : text.find(from);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(at + from.size());
  }
}

}  // namespace grapnel::text
