#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What generated pages are put together from.
namespace grapnel::conformance {

/// A text as a cell of a table.
std::string cell(std::string_view text);

/// The text set as code.
std::string code(std::string_view text);
/// All of them, set as code and separated by commas.
std::string code_list(std::span<const std::string_view> texts);

/// A JSON pointer or a key as people write it, `hooks.enabled`, set as code.
std::string dotted(std::string_view pointer);

/// A table, left out altogether while it has no rows.
class Table {
 public:
  explicit Table(std::initializer_list<std::string_view> columns);

  void row(std::initializer_list<std::string> cells);
  /// With an empty line in front.
  std::string text() const;

 private:
  std::string head_;
  std::string rows_;
};

}  // namespace grapnel::conformance
