#pragma once

#include <string>
#include <vector>

#include "grapnel/engine.h"

/// Hooks, mistakes and explanations as JSON, in the same way for the command (docs/json.md) and for the library for C.
namespace grapnel {

/// The name of the pack that a hook file is part of (docs/packs.md); "" when it is part of none.
std::string pack_of(const std::string& file);

/// The canonical names of its events. Those that have no kind of their own are named as their agent names them.
std::vector<std::string> event_names(const HookInfo& hook);

Json to_json(const SourcePos& at);
Json to_json(const ConfigProblem& problem);
Json to_json(const HookInfo& hook);
Json to_json(const HookExplanation& share);

}  // namespace grapnel
