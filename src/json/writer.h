#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

namespace grapnel {

struct JsonNode;

/// How to lay out text. What follows the style matters to `Pretty` only.
struct JsonLayout {
  JsonStyle style = JsonStyle::Compact;
  std::string_view newline = "\n";
  std::string_view unit = "  ";  ///< one level of indentation
  std::string_view indent = "";  ///< in front of every line but the first
};

/// Whether the text a value stands in is its compact spelling already.
bool is_compact(const JsonNode& node);

/// Appends a value as text; a missing one as `null`. Scalars and keys are spliced as they stand in the source, and so
/// is a whole subtree when its source is compact already and that is the style.
void append_json(std::string& out, const Json& value, const JsonLayout& layout);
/// The same for a node of a document.
void append_json(std::string& out, const JsonDocument& document, uint32_t node, const JsonLayout& layout);

}  // namespace grapnel
