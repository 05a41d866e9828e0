#include "mcp/message.h"

#include "base/text.h"

namespace grapnel::mcp {

Result<Json> read_message(std::string_view bytes) {
  if (!text::is_valid_utf8(bytes)) return Json::parse(text::to_valid_utf8(bytes));
  return Json::parse(std::string(bytes));
}

}  // namespace grapnel::mcp
