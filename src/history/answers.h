#pragma once

#include "grapnel/json.h"

#include "history/database.h"

/// How a person answered when a hook asked. No agent says it outright, but later events of the session show it: if the
/// tool ran, the person approved the call; if the turn ended without it, the call did not run, because the person
/// refused it or the agent gave it up. Records are written once, so this is found out when they are imported, and kept
/// in the column `answer` of the database.
namespace grapnel {

inline constexpr std::string_view kApproved = "approved";
inline constexpr std::string_view kNotRun = "not-run";

/// The text of a member of a record, or "".
std::string text_member(const Json& object, std::string_view key);

/// Whether a person was asked about the call of this record: a hook said `ask`, and the agent could be told so.
bool is_asked(const Json& record);

/// Looks at new records one after the other, and notes the answers that they show.
class AnswerFinder {
 public:
  static Result<AnswerFinder> prepare(Database& database);

  /// Fails: System, BadInput.
  Result<void> look_at(const Json& record);

 private:
  AnswerFinder(Statement ran, Statement ended) : ran_(std::move(ran)), ended_(std::move(ended)) {}

  Statement ran_;    ///< a call of the session ran
  Statement ended_;  ///< no call of the session that was asked about can still run
};

}  // namespace grapnel
