#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case.h"

namespace grapnel::conformance {

/// `docs/deviations.md`: every case we answer otherwise than the real system, by dialect.
std::string write_deviations(const std::vector<Case>& cases);
/// One dialect's table of it, with an empty line in front; "" for none.
std::string write_deviations_of(std::string_view dialect, const std::vector<Case>& cases);

/// `docs/examples.md`: every example of the agents' documents, and the case that runs it.
std::string write_examples(const std::vector<Case>& cases);

}  // namespace grapnel::conformance
