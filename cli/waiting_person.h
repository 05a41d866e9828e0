#pragma once

#include <memory>

#include "grapnel/person.h"

#include "base/environment.h"

namespace grapnel::cli {

/// A person who answers in the page or with `grapnel approve`, if the settings say `ask: page` (docs/approvals.md).
/// `reader` is a pipe to whoever reads the decision, or -1: nobody waits for an answer that nobody reads.
std::shared_ptr<Person> make_waiting_person(const Environment& env, int reader);

/// How long a hook may wait for a person, for an agent that has waited `elapsed` for it already: no longer than the
/// agent itself waits for the entry that `grapnel install` wrote, with the timeout that the entry has now.
std::chrono::milliseconds patience_for(const Environment& env, std::string_view agent, EventKind kind,
                                       std::chrono::milliseconds wish, std::chrono::milliseconds elapsed);

}  // namespace grapnel::cli
