#include "grapnel/error.h"

#include "base/text.h"

namespace grapnel {

std::string Error::to_string() const {
  if (!at) return message;
  return text::format_position(*at) + ": " + message;
}

/// The form that compilers use, so that editors can jump to the place.
std::string ConfigProblem::to_string() const {
  const std::string place = text::format_position(at);
  std::string out = place.empty() ? "" : place + ": ";
  out += severity == Severity::Error ? "error: " : "warning: ";
  out += message;
  if (!hint.empty()) out += " (" + hint + ")";
  return out;
}

}  // namespace grapnel
