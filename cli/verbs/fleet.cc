#include "cli/fleet_command.h"
#include "cli/helper_program.h"

namespace grapnel::cli {

namespace {

/// The fleet has a program of its own, which parses the words again.
int start_fleet(Invocation& in) {
  return become_helper_program(in, kFleetProgram, {in.words.begin(), in.words.end()});
}

}  // namespace

const Command kFleet = fleet_command(start_fleet);

}  // namespace grapnel::cli
