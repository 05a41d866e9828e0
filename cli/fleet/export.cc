#include "base/error.h"
#include "cli/fleet/fleet_verbs.h"

namespace grapnel::cli {

int fleet_export(Invocation& in) {
  return report_failure(in, Error{Errc::NotFound, "not yet", {}, 0});
}

}  // namespace grapnel::cli
