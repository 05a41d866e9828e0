#include "agent/ui_adapters.h"
#include "base/error.h"

namespace grapnel::agent {

AgentRunner::AgentRunner(AgentOptions options) : options_(std::move(options)) {
  if (!options_.ui) options_.ui = std::make_shared<StopHookPrinter>();
}

/// The reason differs from that of a session that is merely dropped, which ends with `other`.
AgentRunner::~AgentRunner() {
  if (session_) session_->close("exit");
}

/// The first message opens the session. A turn that a hook stopped or that ran into `max_turns` still has an answer;
/// only the other endings are errors.
Result<std::string> AgentRunner::run(std::string_view message, std::stop_token interrupt) {
  // The session is kept for later messages, so a runner holds one conversation.
  if (!session_) {
    auto session = create_session(options_, interrupt);
    if (!session) return std::unexpected(session.error());
    session_ = std::move(*session);
  }
  TurnResult turn = session_->send(message, {}, std::move(interrupt));
  switch (turn.ending) {
    case TurnResult::Ending::Answered:
    case TurnResult::Ending::Stopped:
    case TurnResult::Ending::MaxTurns:
    case TurnResult::Ending::GateOpened:
      return std::move(turn.answer);
    case TurnResult::Ending::Blocked:
      return fail(Errc::Refused, turn.reason);
    case TurnResult::Ending::Interrupted:
    case TurnResult::Ending::Cancelled:
      return fail(Errc::Cancelled, turn.reason);
    case TurnResult::Ending::Failed:
      break;
  }
  return fail(Errc::System, turn.reason);
}

}  // namespace grapnel::agent
