#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "json/document.h"

namespace grapnel {

/// Checks that `text` is exactly one JSON document and makes its tape, in one pass.
///
/// It follows RFC 8259 strictly. With `options.comments`, comments are allowed wherever white space is, and one comma
/// before a closing bracket. The text must be UTF-8; a byte-order mark at the start is skipped. The grammar allows
/// escapes of lone surrogates, so they are accepted. Comments must be UTF-8 without NUL bytes.
///
/// Fails: BadInput ("expected ',' or '}' after a member, found 'x'") or LimitExceeded, with line and column.
Result<std::vector<JsonNode>> read_tape(const std::string& text, const JsonReadOptions& options);

}  // namespace grapnel
