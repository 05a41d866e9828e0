#include "model/registry.h"

#include "model/plan.h"

namespace grapnel {

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
