#pragma once

#include "discover/formats/rule_fields.h"
#include "model/hook_spec.h"

/// What a rule does: a verdict it gives by itself, or an action.
///
///   verdicts   deny, ask, allow (one of them), rewrite, inject, notify      RuleHandler
///   actions    run, worker, http, prompt, agent, inject: {command: …}       one of them, and no verdict beside it
///
/// `{path}` and the like in a command stand for variables of the child's environment (`$GRAPNEL_PATH`): a command of
/// plain words is an argument vector in which they are whole or partial arguments, and in shell text they are quoted
/// references. What an event says never becomes shell text.
namespace grapnel {

/// The handler of an entry; what is wrong with it is noted in `fields`, and the handler is then of no use.
Handler read_action(const YamlNode& entry, RuleFields& fields);

/// The keys of an entry that say what it does: verdicts, then actions.
KeyList verdict_keys();
KeyList action_keys();

}  // namespace grapnel
