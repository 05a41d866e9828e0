#pragma once

#include "discover/formats/rule_fields.h"
#include "model/rule.h"

/// Reads `when`: a map of questions, all of which must be answered with yes.
///
///   condition := { question… }                              all of them
///   question  := tool | command | flag | effect | path | prompt | output | input | session | agent | mode | changed
///              | any: [condition…] | all: [condition…] | not: condition
///
/// A question has one value or a list of values, one of which must match. `command`, `flag` and `effect` in one map are
/// about the same simple command.
namespace grapnel {

/// The condition. Mistakes are noted in `fields`.
Condition read_condition(const YamlNode& when, RuleFields& fields);

/// The keys of `when`.
KeyList condition_keys();
/// The words of `effect`.
KeyList effect_words();
/// Every word for a tool: the kinds first, then the names that agents give their tools. Other names are accepted too.
std::vector<std::string_view> tool_words();

}  // namespace grapnel
