#pragma once

#include <string_view>

#include "history/journal_query.h"

namespace grapnel {

/// Reads a query as people write it into one line: `verdict:deny -tool:Read session:"b1 f5" push`.
///
/// A word `key:value` is a condition, and a `-` in front of it negates it. Values with blanks are quoted; in quotes,
/// `\"` and `\\` stand for `"` and `\`. Several values of one key are alternatives, also `verdict:deny,ask`. All other
/// words are parts of the subject, in any case, and must all occur. The keys: verdict, tool, event, agent, session,
/// project, hook, would, id.
///
/// Fails: BadInput with the column, for an unknown key, a key without a value, a quote that is not closed, or a verdict
/// that does not exist.
Result<JournalQuery> read_query_text(std::string_view text);

}  // namespace grapnel
