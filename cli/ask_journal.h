#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

#include "base/environment.h"

namespace grapnel::cli {

/// What `grapnel-journal` answers to one of its verbs that are not for people: `fired` or `recent`. Missing when there
/// are no records, or when the program is not installed or takes too long: those who ask can do without.
Json ask_journal(const Environment& env, std::string_view verb);

/// The newest ids on record, the newest first: `events` or `sessions`.
std::vector<std::string> recent_ids(const Environment& env, std::string_view of);

}  // namespace grapnel::cli
