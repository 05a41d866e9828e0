#pragma once

#include <optional>

#include "discover/formats/rule_fields.h"
#include "model/hook_spec.h"

namespace grapnel {

/// One entry of a rule file, or nothing when something in it cannot be used. Scope and trust are its file's business.
std::optional<HookSpec> read_rule_entry(const YamlNode& entry, RuleFields& fields);

/// Every kind of event a name stands for, canonically or in any dialect; none when nobody calls one so.
std::vector<EventKind> events_called(std::string_view name);

/// Every spelling of an event, canonical ones first.
std::vector<std::string_view> event_spellings();

/// The keys of an entry besides what it does.
KeyList common_keys();

}  // namespace grapnel
