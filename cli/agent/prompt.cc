#include "cli/agent/conversation.h"

namespace grapnel::cli {

namespace {

using agent::TurnResult;

/// 128 plus SIGINT, as shells report it.
constexpr int kInterruptStatus = 130;

/// A turn that a hook stopped counts as success: the hook did what it was configured for. Whether one that a hook
/// blocked does so, too, depends on the agent whose part this one takes.
int status_of(TurnResult::Ending ending, const Settings& settings) {
  switch (ending) {
    case TurnResult::Ending::Answered:
    case TurnResult::Ending::Stopped:
      return kOk;
    case TurnResult::Ending::Interrupted:
      return kInterruptStatus;
    case TurnResult::Ending::GateOpened:
      return kGateOpened;
    case TurnResult::Ending::Blocked:
      return settings.blocked_is_success ? kOk : kNo;
    case TurnResult::Ending::MaxTurns:
    case TurnResult::Ending::Failed:
    case TurnResult::Ending::Cancelled:
      break;
  }
  return kNo;
}

/// The reason that SessionEnd hooks see.
std::string_view end_reason(TurnResult::Ending ending, bool asked_to_end) {
  switch (ending) {
    case TurnResult::Ending::Interrupted:
      return asked_to_end ? "other" : "interrupt";
    case TurnResult::Ending::MaxTurns:
      return "max_turns";
    case TurnResult::Ending::Failed:
      return "error";
    case TurnResult::Ending::Answered:
    case TurnResult::Ending::Blocked:
    case TurnResult::Ending::Stopped:
    case TurnResult::Ending::Cancelled:
    case TurnResult::Ending::GateOpened:
      break;
  }
  return "exit";
}

/// Reports a session that never began as a turn that failed or was interrupted, so that every format prints a result.
TurnResult no_session(const Error& error) {
  TurnResult turn;
  turn.ending = error.code == Errc::Cancelled ? TurnResult::Ending::Interrupted : TurnResult::Ending::Failed;
  turn.reason = error.to_string();
  return turn;
}

}  // namespace

/// With a journal, the UI is wrapped, so that the journal sees all events in the order in which they are shown.
agent::AgentOptions Run::options_for(std::shared_ptr<agent::AgentUi> ui) const {
  agent::AgentOptions options = settings.options;
  options.ui = journal != nullptr ? with_journal(std::move(ui), journal) : std::move(ui);
  return options;
}

/// Whatever happens, `finish` is called exactly once, because it prints the result. A signal that asked the process to
/// end decides the exit status, even if the turn was complete.
int run_prompt(const Run& run) {
  const auto output = make_output(run.settings.output, run.console);
  const std::stop_token interrupt = run.signals.begin_work();
  const agent::AgentOptions options = run.options_for(output);
  auto session = agent::create_session(options, interrupt);
  if (!session) {
    const TurnResult turn = no_session(session.error());
    output->finish({"", turn});
    return session.error().code == Errc::BadConfig ? kBadUsage : status_of(turn.ending, run.settings);
  }
  const std::string id = (*session)->id();
  const TurnResult turn = (*session)->send(run.settings.prompt, run.settings.images, interrupt);
  run.signals.end_work();
  const auto asked_to_end = run.signals.asked_to_end();
  // SessionEnd hooks run before the result is printed, because in every format the result comes last.
  (*session)->close(end_reason(turn.ending, asked_to_end.has_value()));
  output->finish({id, turn});
  return asked_to_end ? kSignalStatus + *asked_to_end : status_of(turn.ending, run.settings);
}

}  // namespace grapnel::cli
