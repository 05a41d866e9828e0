#pragma once

#include <string>

#include "grapnel/error.h"

#include "base/environment.h"
#include "cli/serve/request.h"

/// Everything around a server that is not the server itself: whether to start one, starting it, asking it.
namespace grapnel::cli {

/// Whether a server should be started when none runs: GRAPNEL_SERVE=auto, or `serve: auto` in settings.yaml.
/// GRAPNEL_SERVE=off overrides both.
bool wants_server(const Environment& env);

/// Starts a server in the background, unless one runs. If two are started at the same time, one of them ends. False
/// when no process can be started. Call it only while no other threads run, because it forks.
bool start_server(const Environment& env);

/// Waits until a server answers. Fails: Unavailable.
Result<void> wait_for_server(const Environment& env);

/// Sends a command to the server, `status` or `stop`, and returns its answer. Fails: NotFound when none runs, Refused,
/// Unavailable.
Result<std::string> ask_server(const Environment& env, std::string word);

/// The file this process was started from.
std::string own_program();

}  // namespace grapnel::cli
