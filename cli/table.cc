#include "cli/table.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace grapnel::cli {

namespace {

constexpr size_t kGap = 2;

/// The width of each column if there were room for everything; 0 for a column without content.
std::vector<size_t> natural_widths(std::span<const Column> columns, const std::vector<std::vector<Cell>>& rows) {
  std::vector<size_t> widths(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    for (const auto& row : rows) widths[i] = std::max(widths[i], display_width(row[i].text));
    if (widths[i] > 0) widths[i] = std::max(widths[i], display_width(columns[i].title));
  }
  return widths;
}

/// Takes column after column away from the widest that may shrink, until a line fits or none may shrink further.
void shrink(std::span<const Column> columns, std::vector<size_t>& widths, size_t room) {
  const auto used = static_cast<size_t>(std::ranges::count_if(widths, [](size_t width) { return width > 0; }));
  size_t total = std::accumulate(widths.begin(), widths.end(), size_t{0}) + kGap * (used > 0 ? used - 1 : 0);
  for (; total > room; --total) {
    size_t* widest = nullptr;
    for (size_t i = 0; i < columns.size(); ++i) {
      const bool may_shrink = columns[i].least > 0 && widths[i] > columns[i].least;
      if (may_shrink && (widest == nullptr || widths[i] >= *widest)) widest = &widths[i];
    }
    if (widest == nullptr) return;
    --*widest;
  }
}

std::string line_text(std::span<const Column> columns, std::span<const size_t> widths, const std::vector<Cell>& row,
                      const Console& console) {
  std::string out;
  // Blanks are written only when something follows them.
  size_t blanks = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (widths[i] == 0) continue;
    const std::string text = cut_to_width(row[i].text, widths[i], columns[i].keep);
    const size_t rest = widths[i] - display_width(text);
    if (columns[i].right) blanks += rest;
    if (!text.empty()) {
      // The blanks are outside of the colour codes.
      out += std::string(blanks, ' ') + (row[i].style ? console.styled(*row[i].style, text) : text);
      blanks = 0;
    }
    blanks += kGap + (columns[i].right ? 0 : rest);
  }
  return out + "\n";
}

}  // namespace

void Table::add(std::vector<Cell> row) {
  row.resize(columns_.size());
  for (Cell& cell : row) cell.text = printable(cell.text);
  rows_.push_back(std::move(row));
}

std::string Table::text(const Console& console, size_t width) const {
  std::vector<size_t> widths = natural_widths(columns_, rows_);
  shrink(columns_, widths, width);
  std::vector<Cell> head;
  for (const Column& column : columns_) head.push_back({std::string(column.title), Style::Bold});
  const bool has_head = std::ranges::any_of(columns_, [](const Column& column) { return !column.title.empty(); });
  std::string out;
  if (has_head && !rows_.empty()) out += line_text(columns_, widths, head, console);
  for (const auto& row : rows_) out += line_text(columns_, widths, row, console);
  return out;
}

}  // namespace grapnel::cli
