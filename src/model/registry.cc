#include "model/registry.h"

#include "base/text.h"
#include "model/plan.h"

namespace grapnel {

std::string Problem::to_string() const {
  const std::string place = text::format_position(at);
  std::string out = place.empty() ? "" : place + ": ";
  out += severity == Severity::Error ? "error: " : "warning: ";
  out += message;
  if (!hint.empty()) out += " (" + hint + ")";
  return out;
}

std::string_view to_string(Reason reason) {
  switch (reason) {
    case Reason::Planned:
      return "runs";
    case Reason::OtherEvent:
      return "other event";
    case Reason::Disabled:
      return "disabled";
    case Reason::Untrusted:
      return "untrusted";
    case Reason::NoMatch:
      return "no match";
    case Reason::Duplicate:
      return "duplicate";
  }
  return "";
}

}  // namespace grapnel
