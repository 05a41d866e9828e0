#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "base/environment.h"

/// The sessions that are known by their ids. People type the beginning of an id; it is enough if no other begins so.
namespace grapnel::cli {

/// The directory of the agent's transcripts.
std::string transcripts_dir(const Environment& env);

/// The ids of all sessions with a transcript in that directory, the newest first.
std::vector<std::string> agent_sessions(const std::string& directory);

/// The id that is meant: the given one, or the only one that begins with it. "" when there is none. Fails: BadInput
/// when several begin with it.
Result<std::string> id_meant_by(const std::string& given, const std::vector<std::string>& ids);

}  // namespace grapnel::cli
