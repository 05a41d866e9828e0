#pragma once

#include <string>
#include <vector>

#include "cli/fleet/courier.h"
#include "fleet/central_store.h"

/// Questions to the central store. People ask the collector, with the rights of their role; nobody but collectors
/// reaches the database.
///
///   query  {"what": "log", "filter": {…}}      {"records": […], "before": N}
///   query  {"what": "registry", "digest": …}   {"registry": …}
///   query  {"what": "stats", "filter": {…}}    {"hooks": […]}
///   query  {"what": "machines"}                {"machines": […], "records": N}
namespace grapnel::cli {

/// What the collector answers.
std::string answer_query(fleet::CentralStore& store, const std::string& body);

Json filter_json(const fleet::RecordFilter& filter);
fleet::RecordFilter filter_from(const Json& json);

/// Asks the collector. Fails: Unavailable; Refused with its words.
Result<Json> ask_collector(Courier& courier, const Json& question);
/// All records that fit, oldest first, page after page.
Result<std::vector<fleet::CentralRecord>> ask_for_records(Courier& courier, fleet::RecordFilter filter);
/// The public key of a machine. Fails: NotFound.
Result<std::string> ask_for_key(Courier& courier, const std::string& machine);

}  // namespace grapnel::cli
