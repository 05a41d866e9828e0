#include <array>

#include "cli/doctor/doctor.h"

namespace grapnel::cli {

std::string_view to_string(Severity severity) {
  constexpr auto kNames = std::to_array<std::string_view>({"error", "warning", "note"});
  return kNames[static_cast<size_t>(severity)];
}

std::span<const Check> all_checks() {
  // One row for each check; the name is the member "check" in JSON. Findings are sorted by severity afterwards, so the
  // order here only decides among findings of the same severity.
  static constexpr auto kChecks = std::to_array<Check>({
      {"configuration", check_configuration},
      {"programs", check_programs},
      {"guards", check_guards},
      {"shells", check_shells},
      {"duplicates", check_duplicates},
      {"agents", check_agents},
      {"bridges", check_bridges},
      {"switches", check_switched_off},
      {"packs", check_packs},
      {"sandboxes", check_sandboxes},
      {"trust", check_trust},
      {"journal", check_journal},
      {"speed", check_speed},
      {"models", check_models},
      {"build", check_build},
      {"fleet", check_fleet},
  });
  return kChecks;
}

}  // namespace grapnel::cli
