#include "cli/doctor/doctor.h"
#include "cli/pack/pack_home.h"

namespace grapnel::cli {

// A pack that is not what its author published may be somebody's quick repair, or an attack.
void check_packs(const DoctorContext& patient, Findings& findings) {
  for (const Scope scope : {Scope::User, Scope::Project}) {
    for (const ConfigProblem& problem : pack_problems(pack_home(patient.project, patient.env, scope))) {
      findings.push_back({"packs", problem.is_error() ? Severity::Error : Severity::Warning, problem.message,
                          problem.at, "its hooks may do something else than those that were published", problem.hint});
    }
  }
}

}  // namespace grapnel::cli
