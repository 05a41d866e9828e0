#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace grapnel::os {

/// A process above this one.
struct Ancestor {
  pid_t pid = 0;
  std::string name;                ///< the kernel's short name of its program
  std::vector<std::string> words;  ///< its command line; empty if it may not be read
  uint64_t started = 0;            ///< when it started, in ticks since the machine did: ids are used again
};

/// The processes above a process, the parent first; above this one if none is named. Empty where /proc cannot be read.
std::vector<Ancestor> ancestors(pid_t below = 0);

/// When a process started, in ticks since the machine did; 0 if there is no such process.
uint64_t process_start(pid_t pid);

}  // namespace grapnel::os
