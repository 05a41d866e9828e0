#pragma once

#include <string>
#include <vector>

#include "cli/fleet/fleet_files.h"
#include "fleet/central_store.h"

/// Questions to the central store. People ask the collector, with the rights of their role; nobody but collectors
/// reaches the database.
///
///   query  {"what": "log", "filter": {…}}      {"records": […], "before": N}
///   query  {"what": "registry", "digest": …}   {"registry": …}
///   query  {"what": "stats", "filter": {…}}    {"hooks": […]}
///   query  {"what": "machines", "after": …}    {"machines": […], "records": N, "after": the last name if there are
///   more} query  {"what": "export", "hash": …, "filter": {"after": N, …}}
///                                              {"records": […], "begins_again": true or false}
namespace grapnel::cli {

/// What the collector answers.
std::string answer_query(fleet::CentralStore& store, const std::string& body);

Json filter_json(const fleet::RecordFilter& filter);
fleet::RecordFilter filter_from(const Json& json);

/// The connection of somebody who may read: an operator or a reader. Fails as `FleetHome::connect`.
Result<std::unique_ptr<Courier>> connect_to_read(const Environment& env);

/// Asks the collector. Fails: Unavailable; Refused with its words.
Result<Json> ask_collector(Courier& courier, const Json& question,
                           std::chrono::milliseconds patience = std::chrono::seconds(30));
/// All machines, page after page, and how many records have arrived: `machines` and `records`. Fails as
/// `ask_collector`.
Result<Json> ask_for_machines(Courier& courier);
/// All records that fit, oldest first, page after page.
Result<std::vector<fleet::CentralRecord>> ask_for_records(Courier& courier, fleet::RecordFilter filter);
/// Records behind a row, oldest first. `begins_again`: the central store does not have that row, so these are its first
/// ones. `hash` is that of the row; at the beginning, `filter.after` is 0. Fails as `ask_collector`.
struct ExportPage {
  std::vector<fleet::CentralRecord> records;
  bool begins_again = false;
};
Result<ExportPage> ask_for_export(Courier& courier, const fleet::RecordFilter& filter, const std::string& hash);
/// The public key of a machine. Fails: NotFound.
Result<std::string> ask_for_key(Courier& courier, const std::string& machine);

}  // namespace grapnel::cli
