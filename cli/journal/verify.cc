#include "history/verify.h"

#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"

namespace grapnel::cli {

namespace {

/// The file and the line of a fault, as editors understand it.
std::string place_of(const ChainFault& fault) {
  return place_text({fault.file, static_cast<uint32_t>(fault.line), 0});
}

void print_report_json(Invocation& in, const ChainReport& report) {
  std::vector<Json> faults;
  for (const ChainFault& fault : report.faults) {
    faults.push_back(Json::object({{"file", Json::string(fault.file)},
                                   {"line", Json::number(static_cast<int64_t>(fault.line))},
                                   {"what", Json::string(fault.what)}}));
  }
  const Json json = Json::object({{"records", Json::number(static_cast<int64_t>(report.records))},
                                  {"unfinished", Json::number(static_cast<int64_t>(report.torn))},
                                  {"faults", Json::array(faults)}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
}

}  // namespace

/// Checks the chain of digests in the record files. The status is `kNo` when a record was removed, changed or cut off.
int verify_log(Invocation& in) {
  const auto report = verify_chain(in.env.state_dir());
  if (!report) {
    in.console.say(printable(report.error().to_string()));
    return kInternal;
  }
  if (in.args.has("--json")) {
    print_report_json(in, *report);
  } else {
    for (const ChainFault& fault : report->faults) in.console.out(place_of(fault) + ": " + fault.what + "\n");
    in.console.out(count_text(report->records, "record") + ", " +
                   (report->faults.empty() ? "all as they were written" : count_text(report->faults.size(), "fault")));
    // A writer could not finish such a line. That is no fault of the chain, because no record refers to it.
    if (report->torn > 0) in.console.out("; " + count_text(report->torn, "line") + " never finished");
    in.console.out("\n");
  }
  return report->faults.empty() ? kOk : kNo;
}

}  // namespace grapnel::cli
