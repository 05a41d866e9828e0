#pragma once

#include <string>

#include "grapnel/event.h"

namespace grapnel::call {

/// What an event is about, in one line for people: the command of a shell call, the file of a read or a write, the
/// pattern of a search, the URL, the first line of a prompt; "" if there is nothing to name. It is not masked, and it
/// is as long as the agent wrote it.
std::string subject_of(const Event& event);

}  // namespace grapnel::call
