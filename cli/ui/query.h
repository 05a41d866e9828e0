#pragma once

#include "cli/ui/http.h"
#include "history/journal_reader.h"

namespace grapnel::cli {

/// The times `from` and `to` of a request; 0 where there is none.
TimeSpan span_of(const HttpRequest& request);

/// The query of a request: `q`, and the times `from` and `to` in milliseconds since 1970. Fails: BadInput.
Result<JournalQuery> query_of(const HttpRequest& request);
/// The same from the body of a POST.
Result<JournalQuery> query_of(const Json& body);

}  // namespace grapnel::cli
