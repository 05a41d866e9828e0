#pragma once

#include <string_view>

#include "grapnel/error.h"
#include "grapnel/json.h"

namespace grapnel::mcp {

/// What a server sent, as JSON. Bytes that are no UTF-8 become replacement characters: servers pass on what files and
/// other programs say, and one wrong letter should not cost the answer. Fails: BadInput.
Result<Json> read_message(std::string_view bytes);

}  // namespace grapnel::mcp
