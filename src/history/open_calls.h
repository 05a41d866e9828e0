#pragma once

#include <map>
#include <string>
#include <vector>

#include "history/database.h"
#include "history/record_facts.h"

/// Finds the event after a call to the event before it, and how a person answered when a hook asked about the call. No
/// agent says the latter outright, but later events of the session show it: if the tool ran, the person approved the
/// call; if the turn ended without it, the call did not run, because the person refused it or the agent gave it up.
/// Records are written once, so both are found out when they are imported, and kept in the database.
namespace grapnel {

inline constexpr std::string_view kApproved = "approved";
inline constexpr std::string_view kNotRun = "not-run";

/// The calls of all sessions that may still be running. Looks at new records one after the other.
class OpenCalls {
 public:
  static Result<OpenCalls> prepare(Database& database);

  /// Returns the number of the record before the call if this is the record after it, or 0. `session` is new if no
  /// earlier record has it. Fails: System, BadInput.
  Result<int64_t> look_at(const RecordFacts& record, int64_t number, int64_t session, bool is_new_session);

  /// Another process may have imported records meanwhile.
  void forget() { by_session_.clear(); }

 private:
  struct Call {
    int64_t number = 0;
    int64_t id = 0;  ///< a hash of the agent's id of the call; 0 if it has none
    std::string tool = {};
    std::string subject = {};
    std::string rewritten = {};
    bool is_asked = false;  ///< and nobody answered yet
  };
  using Calls = std::vector<Call>;

  OpenCalls(Statement load, Statement answer) : load_(std::move(load)), answer_(std::move(answer)) {}
  Result<Calls*> calls_of(int64_t session, bool is_new);
  Result<int64_t> end_call(Calls& calls, const RecordFacts& record);
  Result<void> end_turn(Calls& calls);
  Result<void> set_answer(Call& call, bool has_run);

  Statement load_;
  Statement answer_;
  std::map<int64_t, Calls> by_session_;
};

/// A hash that fits into 32 bits and is never 0, or 0 for a call without an id.
int64_t call_key(std::string_view call);

}  // namespace grapnel
