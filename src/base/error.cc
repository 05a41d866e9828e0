#include "grapnel/error.h"

#include "base/text.h"

namespace grapnel {

std::string Error::to_string() const {
  if (!at) return message;
  return text::format_position(*at) + ": " + message;
}

}  // namespace grapnel
