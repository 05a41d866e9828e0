#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

namespace grapnel {

struct JsonNode;

/// How to lay out text. All members except the style matter only for `Pretty`.
struct JsonLayout {
  JsonStyle style = JsonStyle::Compact;
  std::string_view newline = "\n";
  std::string_view unit = "  ";  ///< one level of indentation
  std::string_view indent = "";  ///< before every line except the first
};

/// Whether a value's source text is already its compact spelling.
bool is_compact(const JsonNode& node);

/// Appends a value as text; a missing one as `null`. Scalars and keys are copied as they are spelled in the source. A
/// whole subtree is copied if its source is compact and the style is `Compact`.
void append_json(std::string& out, const Json& value, const JsonLayout& layout);
/// The same for a node of a document.
void append_json(std::string& out, const JsonDocument& document, uint32_t node, const JsonLayout& layout);

}  // namespace grapnel
