#pragma once

#include <optional>

#include "discover/formats/rule_fields.h"
#include "model/hook_spec.h"

namespace grapnel {

/// The hook of one entry in a rule file, or nothing when some of it is unusable. The caller sets scope and trust, which
/// belong to the file.
std::optional<HookSpec> read_rule_entry(const YamlNode& entry, RuleFields& fields);

/// In `async: fleet`.
inline constexpr std::string_view kFleetWord = "fleet";
/// Whether a worker of the fleet could run the hook instead of this machine.
bool could_be_job(const HookSpec& hook);

/// The value of `mode`, for one hook or for a whole file.
Mode read_mode(const YamlNode& node, RuleFields& fields);
/// The value of `unsure` or `unsure_unattended`, written into that member of `hook`.
void read_unsure(const YamlNode& node, std::string_view key, HookSpec& hook, RuleFields& fields);

/// Every kind of event that has this name, as its canonical name or in any dialect; empty for an unknown name.
std::vector<EventKind> events_called(std::string_view name);

/// Every spelling of an event, canonical ones first.
std::vector<std::string_view> event_spellings();

/// The keys of an entry: those that any hook may have, verdicts and actions.
KeyList entry_keys();
/// The keys of `on_failure`.
KeyList failure_keys();

}  // namespace grapnel
