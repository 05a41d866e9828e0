#pragma once

#include <cstdint>
#include <string>

#include "base/environment.h"
#include "cli/arguments.h"

/// Verbs that make guards weaker are for people. Inside an agent they are refused; elsewhere they need a terminal or
/// `--yes`, and are recorded.
///
/// Whether an agent is above this process is told by three things: variables that agents set for what their tools run,
/// the names of the processes above this one, and the processes that bridges noted as agents. An agent that makes a
/// pseudo-terminal for itself, or hands the command to a scheduler without these variables, is not recognised; the
/// notice in the next session is for that case.
namespace grapnel::cli {

struct Command;
struct Invocation;

/// Who may use a verb with certain options.
enum class ForPeople : uint8_t {
  No,        ///< everybody
  NotAgent,  ///< everybody but an agent; the verb asks for consent itself where it needs it
  Consent,   ///< people, at a terminal or with `--yes`
};

/// For rows of verbs that are always for people, whatever their options.
ForPeople always_for_people(const Arguments& args);

/// What agent this process runs in, for people: `Claude Code (process 4711)`; "" if none is known.
std::string agent_around(const Environment& env);

/// What agent another process runs in, judging by the processes above it and by its own variables; "" if none is known.
std::string agent_above(const Environment& env, pid_t process);

/// Why the verb is not run; "" if it may be.
std::string refusal_of(const Command& command, const Invocation& in);

/// Keeps a record of a verb that made guards weaker, and a notice for the next session.
void note_weakening(const Command& command, const Invocation& in);
/// The same for a verb that was refused, if an agent tried it and guards would be weaker: `trust` runs new hooks.
void note_refusal(const Command& command, const Invocation& in);

/// Notes the agent that called a bridge. `caller` is the bridge's own process.
void note_agent(const Environment& env, pid_t caller);

}  // namespace grapnel::cli
