#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "json/document.h"

namespace grapnel {

/// Checks that `text` is exactly one JSON document and lays out its tape, in one pass.
///
/// RFC 8259, strictly; with `options.comments` also comments wherever white space may stand and one comma before a
/// closing bracket. The text must be UTF-8; a byte-order mark in front is skipped. Lone surrogate escapes are allowed
/// by the grammar and pass. Comments must be UTF-8 without NUL bytes.
///
/// Fails: BadInput ("expected ',' or '}' after a member, found 'x'") or LimitExceeded, with line and column.
Result<std::vector<JsonNode>> read_tape(const std::string& text, const JsonReadOptions& options);

}  // namespace grapnel
