#pragma once

#include <string>

#include "grapnel/error.h"

#include "base/environment.h"
#include "cli/serve/request.h"

/// The other side of a server: whether there should be one, starting it, asking it.
namespace grapnel::cli {

/// Whether the user wants a server that is not there started: GRAPNEL_SERVE=auto, or `serve: auto` in settings.yaml.
/// GRAPNEL_SERVE=off is a no to both.
bool wants_server(const Environment& env);

/// Starts one that nobody waits for, unless one runs. Two that are started at once leave one. False when there is no
/// process for it. To be called when no threads run.
bool start_server(const Environment& env);

/// Waits until a server answers. Fails: Unavailable.
Result<void> wait_for_server(const Environment& env);

/// What a server says to a word of its own: `status`, `stop`. Fails: NotFound when none runs, Refused, Unavailable.
Result<std::string> ask_server(const Environment& env, std::string word);

/// The file this process was started from.
std::string own_program();

}  // namespace grapnel::cli
