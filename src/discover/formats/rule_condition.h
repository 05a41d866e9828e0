#pragma once

#include "discover/formats/rule_fields.h"
#include "model/rule.h"

/// `when`: a map of questions, all of which must be answered with yes.
///
///   condition := { question… }                              all of them
///   question  := tool | command | flag | effect | path | prompt | output | input | session | agent | mode | changed
///              | any: [condition…] | all: [condition…] | not: condition
///
/// A question takes one value or a list, one of which must fit. `command`, `flag` and `effect` in one map are about the
/// same simple command.
namespace grapnel {

/// The condition; what is wrong with it is noted in `fields`.
Condition read_condition(const YamlNode& when, RuleFields& fields);

/// The keys of `when`.
KeyList condition_keys();

}  // namespace grapnel
