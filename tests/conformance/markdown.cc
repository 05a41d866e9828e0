#include "conformance/markdown.h"

#include <algorithm>

namespace grapnel::conformance {

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string code_list(std::span<const std::string_view> texts) {
  std::string out;
  for (const std::string_view text : texts) out += (out.empty() ? "" : ", ") + code(text);
  return out;
}

std::string dotted(std::string_view pointer) {
  std::string out(pointer.starts_with('/') ? pointer.substr(1) : pointer);
  std::ranges::replace(out, '/', '.');
  return code(out);
}

Table::Table(std::initializer_list<std::string_view> columns) {
  std::string line;
  for (const std::string_view column : columns) {
    head_ += "| " + std::string(column) + " ";
    line += "|---";
  }
  head_ += "|\n" + line + "|\n";
}

void Table::row(std::initializer_list<std::string> cells) {
  for (const std::string& one : cells) rows_ += "| " + cell(one) + " ";
  rows_ += "|\n";
}

std::string Table::text() const {
  return rows_.empty() ? "" : "\n" + head_ + rows_;
}

}  // namespace grapnel::conformance
