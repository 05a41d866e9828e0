#include "cli/agent_command.h"
#include "cli/helper_program.h"

namespace grapnel::cli {

namespace {

/// The agent is a program of its own, which parses the words again.
int start_agent(Invocation& in) {
  return become_helper_program(in, kAgentProgram, {in.words.begin(), in.words.end()});
}

}  // namespace

const Command kAgent = agent_command(start_agent);

}  // namespace grapnel::cli
