#include "cli/ui/query.h"

#include "base/clock.h"
#include "cli/ui/api.h"

namespace grapnel::cli {

namespace {

std::string time_at(std::optional<int64_t> ms) {
  if (!ms || *ms <= 0) return "";
  return format_timestamp(std::chrono::system_clock::time_point(std::chrono::milliseconds(*ms)));
}

Result<JournalQuery> query_with(const std::string& q, std::optional<int64_t> from, std::optional<int64_t> to) {
  JournalQuery query;
  query.text = q;
  query.since = time_at(from);
  query.until = time_at(to);
  return query;
}

}  // namespace

Result<JournalQuery> query_of(const HttpRequest& request) {
  return query_with(request.parameter("q"), number_in(request, "from"), number_in(request, "to"));
}

Result<JournalQuery> query_of(const Json& body) {
  return query_with(body["q"].as_string().value_or(""), body["from"].as_integer(), body["to"].as_integer());
}

}  // namespace grapnel::cli
