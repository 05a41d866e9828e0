#pragma once

#include <string>
#include <vector>

#include "conformance/case.h"

namespace grapnel::conformance {

/// `docs/deviations.md`: every case we answer otherwise than the real system, by dialect.
std::string write_deviations(const std::vector<Case>& cases);

/// `docs/examples.md`: every example of the agents' documents, and the case that runs it.
std::string write_examples(const std::vector<Case>& cases);

}  // namespace grapnel::conformance
