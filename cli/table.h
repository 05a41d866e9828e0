#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/display_width.h"

namespace grapnel::cli {

/// One column of a table. Columns that may shrink give way when a line would be wider than the terminal: first the
/// widest of them, and none below its `least`.
struct Column {
  std::string_view title;  ///< "" in all columns: the table has no head
  size_t least = 0;        ///< 0: never cut
  Keep keep = Keep::Start;
  bool right = false;  ///< aligned to the right, as numbers are
};

/// One cell: the text as it came from outside (the table makes it printable), and its colour.
struct Cell {
  std::string text;
  std::optional<Style> style = std::nullopt;
};

/// Lines in columns, as wide as their contents and at most as wide as the console. There are two blanks between columns
/// and none at the end of a line; a column without any content is left out.
///
///   Table table({{"hook", 12}, {"runs", 0, Keep::Start, true}});
///   table.add({{"format"}, {"12"}});
///   console.out(table.text(console));
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a line; cells that are missing at its end are empty.
  void add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }

  std::string text(const Console& console) const { return text(console, console.width()); }
  std::string text(const Console& console, size_t width) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace grapnel::cli
