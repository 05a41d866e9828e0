#pragma once

#include <chrono>
#include <string>

#include "dialect/dialect.h"

/// The columns of dialect tables in words, for the pages about dialects.
///
/// A new enumerator needs a sentence here: without one the compiler complains.
namespace grapnel::conformance {

std::string words_for(Effect effect);
std::string words_for(ExitMeaning meaning);
std::string words_for(TextMeaning meaning);
std::string words_for(MatchSyntax syntax);
std::string words_for(Setting setting);
std::string words_for(GroupKey key);
std::string words_for(HookKey key);
std::string words_for(OnFailure policy);
std::string words_for(Verdict verdict);
std::string words_for(Strategy strategy);

/// Whether this kind of handler can run today.
bool can_run(HandlerType type);

/// `60 seconds`, `2 minutes`, `1.5 seconds`.
std::string words_for(std::chrono::milliseconds duration);

}  // namespace grapnel::conformance
