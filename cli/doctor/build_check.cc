#include "cli/doctor/doctor.h"
#include "shell/syntax.h"

namespace grapnel::cli {

// The shell grammar is optional at build time.
void check_build(const DoctorContext&, Findings& findings) {
  if (shell::has_grammar()) return;
  findings.push_back({"build",
                      Severity::Warning,
                      "this build has no shell grammar",
                      {},
                      "rules about commands understand plain words only; they treat everything else as unknown, so "
                      "they ask or deny more often, and allow nothing",
                      "build Grapnel with tree-sitter-bash"});
}

}  // namespace grapnel::cli
