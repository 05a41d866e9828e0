#pragma once

#include "discover/formats/rule_fields.h"
#include "model/hook_spec.h"

/// Reads what a rule does: it decides by itself (a verdict), or it starts something (an action).
///
///   verdicts   deny, ask, allow (one of them), rewrite, inject, notify      RuleHandler
///   actions    run, worker, http, prompt, agent, inject: {command: …}       one of them, and no verdict beside it
///
/// `{path}` and other placeholders in a command stand for variables in the environment of the child (`$GRAPNEL_PATH`).
/// A command of plain words becomes a list of arguments, in which a placeholder is an argument or part of one. In shell
/// text a placeholder becomes a quoted reference. So values from an event never become shell text.
namespace grapnel {

/// The handler of an entry. Mistakes are noted in `fields`; the handler must not be used then.
Handler read_action(const YamlNode& entry, RuleFields& fields);

/// The keys of an entry that say what it does: verdicts, then actions.
KeyList verdict_keys();
KeyList action_keys();

/// The maps that verdicts and actions may have below them.
std::span<const RuleMap> action_maps();

}  // namespace grapnel
