#include "cli/ui/query.h"

#include "cli/ui/api.h"
#include "history/query_text.h"

namespace grapnel::cli {

namespace {

Result<JournalQuery> query_with(const std::string& q, const TimeSpan& span) {
  auto query = read_query_text(q);
  if (!query) return query;
  if (span.from > 0) query->since = time_of(span.from);
  if (span.to > 0) query->until = time_of(span.to);
  return query;
}

}  // namespace

TimeSpan span_of(const HttpRequest& request) {
  return {number_in(request, "from").value_or(0), number_in(request, "to").value_or(0)};
}

Result<JournalQuery> query_of(const HttpRequest& request) {
  return query_with(request.parameter("q"), span_of(request));
}

Result<JournalQuery> query_of(const Json& body) {
  return query_with(body["q"].as_string().value_or(""),
                    {body["from"].as_integer().value_or(0), body["to"].as_integer().value_or(0)});
}

}  // namespace grapnel::cli
