#pragma once

#include <string>

#include "grapnel/error.h"
#include "grapnel/event.h"
#include "grapnel/project.h"
#include "grapnel/session_store.h"

#include "base/environment.h"
#include "cli/arguments.h"

/// Finds the project of an event: the directories whose hook files apply to it.
///
/// Several directories have a say. None of them can make the hooks of another one disappear:
///
///   --project      what the user named; then nothing else counts
///   the session    what the first event of the session found, kept in the session's state
///   the event      its working directory, and the project that it names
///   the agent      its variables and further members of the payload, from the dialect's table (`DialectProject`)
namespace grapnel::cli {

/// What the project of an event depends on, besides the event.
struct EventPlace {
  const Arguments& args;
  const Environment& env;
  std::string cwd;         ///< stands in for a directory that the event does not name; "": of this process
  SessionStore& sessions;  ///< where the project of a session is kept
  bool keeps = true;       ///< false: what is found is not kept for the session
};

/// The project of an event. The first event of a session decides about the root for the whole session, because an agent
/// may go elsewhere (`cd sub`, `cd /tmp`) and must not leave its guards behind. Fails: BadInput when `--project` is not
/// a directory.
Result<ProjectDirs> project_of_event(const Event& event, const EventPlace& place);

/// The event with a working directory. An event that names no directory happens where the command was started, which
/// need not be the root of the project.
Event placed_event(Event event, const ProjectDirs& project, const std::string& cwd);

}  // namespace grapnel::cli
