#pragma once

#include "grapnel/json.h"

#include "base/environment.h"

namespace grapnel::cli {

/// What the hooks of today would decide about the event of a record, as the page shows it (docs/ui.md). The engine
/// itself decides, with the hook files, the trust and the switches as they are now. Only rules answer: hooks that would
/// start a program or ask somebody are named in `not_run`. Nothing is recorded, and sessions learn nothing. If the
/// record has kept too little of the event, the answer has only `cannot`.
Json decide_today(const Environment& env, const Json& record);

}  // namespace grapnel::cli
