#pragma once

#include "call/call.h"

/// Commands that get the names of files from a lister: `find -exec`, `grep -l | xargs`, `for f in $(find …)`.
namespace grapnel::protect {

/// What a command does to the files whose names it gets: `Yes` if it surely changes them, `No` if it only reads them or
/// does what harms no guard, such as `chmod 644`.
call::Certainty changes_listed(const shell::SimpleCommand& command);

}  // namespace grapnel::protect
