#pragma once

#include <span>

#include "engine/event_run.h"

/// Makes sure that no hook can get a call past a rule by rewriting it after the rule answered. These steps come when
/// every stage has run and the event has its final form. The plan already lists the guards, so nothing is planned here.
namespace grapnel {

/// Asks the guards (rules that deny or ask) about the final event, if hooks changed the input or the prompt. This
/// includes guards whose condition did not hold for the original event. Only their verdict and reason are used: a rule
/// must not rewrite its own rewrite.
void recheck_guards(EventRun& run, std::span<const uint32_t> guards);

/// Combines the allows of rules with the other effects. An allow is used if the input did not change after it, or if
/// the rule also allows the final input.
void settle_grants(EventRun& run);

}  // namespace grapnel
