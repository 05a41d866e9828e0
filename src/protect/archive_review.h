#pragma once

#include <string>
#include <vector>

#include "call/call.h"
#include "protect/places.h"

/// Archives that are unpacked bring files whose names the command line does not have. If the archive exists and is not
/// compressed, the names in it are searched for places; otherwise the directory into which it is unpacked decides.
namespace grapnel::protect {

/// Whether the command unpacks an archive.
bool unpacks(const shell::SimpleCommand& command);

/// Where the command unpacks: the values of its options for that, or the directories in which it may run.
std::vector<std::string> unpacked_into(const shell::SimpleCommand& command, const std::vector<std::string>& directories,
                                       const std::string& home);

/// A place that would be overwritten. `archives` are the files that the command names; `roots` are directories in which
/// archives are unpacked all the time (the project): there only the names in the archive count.
const ProtectedPlace* unpacked_over(const ProtectedPlaces& places, const std::vector<std::string>& targets,
                                    const std::vector<std::string>& archives, const std::string& root);

}  // namespace grapnel::protect
