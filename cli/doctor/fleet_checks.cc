#include "cli/doctor/doctor.h"
#include "cli/nats_version.h"
#include "os/files.h"

namespace grapnel::cli {

// Nothing is asked over the network: the program that runs on this machine has noted which server it met.
void check_fleet(const DoctorContext& patient, Findings& findings) {
  constexpr size_t kMaxNote = 4096;
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

}  // namespace grapnel::cli
