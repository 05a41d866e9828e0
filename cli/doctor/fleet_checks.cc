#include <signal.h>

#include <cerrno>
#include <cstdlib>

#include "cli/doctor/doctor.h"
#include "cli/nats_version.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxNote = 4096;

// Nothing is asked over the network: the program that runs on this machine has noted which server it met.
void check_server(const DoctorContext& patient, Findings& findings) {
  const std::string path = patient.state_dir + "/" + std::string(kMetServerFile);
  const auto text = os::read_file(path, kMaxNote);
  const Json note = text ? Json::parse(*text).value_or(Json()) : Json();
  const std::string trouble = trouble_with_server(note["version"].as_string().value_or(""));
  if (trouble.empty()) return;
  findings.push_back({"fleet",
                      Severity::Warning,
                      "the server of this machine's fleet: " + trouble,
                      {path, 0, 0},
                      "who reaches the server could do more there than their role says; policies stay signed",
                      "tell those who run " + note["url"].as_string().value_or("the fleet") +
                          "; docs/fleet-operations.md says how to upgrade"});
}

/// Nothing starts the program again after the computer was restarted, unless somebody has told systemd to.
void check_program(const DoctorContext& patient, Findings& findings) {
  const std::string joined = patient.state_dir + "/fleet/machine.json";
  const std::string number = os::read_file(patient.state_dir + "/fleet/machine.pid", kMaxNote).value_or("");
  const auto process = static_cast<pid_t>(std::strtol(number.c_str(), nullptr, 10));
  const bool is_running = process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
  if (!os::stamp(joined) || is_running) return;
  findings.push_back({"fleet",
                      Severity::Warning,
                      "this machine is in a fleet, but the program for it does not run",
                      {joined, 0, 0},
                      "records wait here, and no new policy comes",
                      "run `grapnel fleet machine`, or let systemd do that (docs/fleet-operations.md); in CI, `grapnel "
                      "fleet flush` at the end is enough"});
}

}  // namespace

void check_fleet(const DoctorContext& patient, Findings& findings) {
  check_server(patient, findings);
  check_program(patient, findings);
}

}  // namespace grapnel::cli
