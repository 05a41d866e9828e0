#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/agent_command.h"
#include "os/resolve.h"

namespace grapnel::cli {

namespace {

std::string own_directory() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

/// Becomes the agent's program; returns only when that cannot be.
int start_agent(Invocation& in) {
  const std::string beside = own_directory();
  const auto program = os::find_executable(kAgentProgram, beside + ":" + std::string(in.env.get("PATH")), ".");
  if (!program) {
    in.console.say(std::string(kAgentProgram) + " is not installed: it is neither in " + printable(beside) +
                   " nor in a directory of PATH");
    return kInternal;
  }
  std::vector<std::string> words(in.words.begin(), in.words.end());
  words.insert(words.begin(), std::string(kAgentProgram));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program->c_str(), argv.data());
  in.console.say("cannot start " + printable(*program) + ": " + std::strerror(errno));
  return kInternal;
}

}  // namespace

const Command kAgent = agent_command(start_agent);

}  // namespace grapnel::cli
