#include "cli/weakened_note.h"

#include "base/clock.h"
#include "cli/hook_source.h"
#include "engine/event_ids.h"
#include "record/own_records.h"

namespace grapnel::cli {

void record_weakening(const Environment& env, const std::string& what, const std::string& who, Weakening how) {
  Record record;
  record.id = EventIds().next();
  record.time = format_timestamp(std::chrono::system_clock::now());
  record.event = EventKind::Other;
  record.other_event = "Weakened";
  record.dialect = "grapnel";
  record.cwd = absolute_path(".", "");
  record.subject = what;
  record.verdict = how == Weakening::Refused ? Verdict::Deny : Verdict::Pass;
  record.reason = who;
  record.origin = Origin::Engine;
  open_records(env)->record(record);
}

Result<void> note_weakening(const Environment& env, const std::string& what, const std::string& who, Weakening how) {
  record_weakening(env, what, who, how);
  return add_weakening(env.state_dir() + "/weakened.jsonl", what, how);
}

}  // namespace grapnel::cli
