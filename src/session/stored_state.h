#pragma once

#include "grapnel/session_store.h"

#include "mask/mask.h"

namespace grapnel {

/// The state as it may be written to a file: secrets in texts are masked. A decision that changes something, such as a
/// tool's input, has to be repeated byte by byte; if such a change contains a secret, the decision is left out, and
/// hooks are asked again when the same call is reported again. Variables that hooks set for the session stay as they
/// are, because later hooks need them.
SessionState fit_for_storage(SessionState state, const Mask& mask);

/// Whether the agent repeats the text that refused it, as the store has kept it.
bool repeats_refusal(std::string_view prompt, const SessionState& state);

}  // namespace grapnel
