#include "bridge/entry.h"

#include <algorithm>

#include "base/shell_word.h"
#include "base/text.h"
#include "dialect/answer.h"
#include "discover/find/bridge_entry.h"

namespace grapnel {

namespace {

/// Whether the agent's payloads contain the name of the event. If not, it becomes a word of the command.
bool names_event(const Dialect& dialect) {
  return std::ranges::find(dialect.payload.common_inputs, Field::EventName, &FieldRow::field) !=
         dialect.payload.common_inputs.end();
}

/// Only these events may be blocked when the program is missing.
bool is_tool_call(EventKind kind) {
  return kind == EventKind::PreToolUse || kind == EventKind::PermissionRequest;
}

/// The agent's word for entries that run a command; empty if entries have no type.
std::string_view command_word(const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.entries.handler_types, HandlerType::Command, &HandlerTypeRow::type);
  return found == dialect.entries.handler_types.end() ? std::string_view{} : found->word;
}

/// Whether the settings are for a team, so that each machine has to find the program by itself.
bool is_shared(const Wiring& wiring) {
  return wiring.program == kProgramName;
}

/// What people read when the program is missing. Somebody who cloned the project may never have heard of it.
std::string missing_remark(const Wiring& wiring, bool blocks) {
  const std::string effect = blocks ? ", so tool calls are blocked" : ", so no hook ran";
  if (is_shared(wiring)) {
    return "grapnel: the hooks of this project need grapnel, which is not in your PATH" + effect +
           "; install it, or take this entry out of the settings of the project";
  }
  return "grapnel: " + wiring.program + " is gone" + effect + "; put it back, or take this entry out of the settings";
}

/// The value for one key of an entry. Missing for keys that our entries do not need.
Json value_of(HookKey meaning, const Wiring& wiring, const EventRow& event) {
  const Dialect& dialect = *wiring.adapter->dialect;
  switch (meaning) {
    case HookKey::Type:
      return Json::string(command_word(dialect));
    case HookKey::Event:
      return Json::string(spelling_of(dialect, event));
    case HookKey::Command:
      return Json::string(bridge_command(wiring, event));
    case HookKey::Name:
      return Json::string("grapnel");
    case HookKey::Timeout:
      return Json::number(entry_timeout(*wiring.adapter, event.kind));
    default:
      return {};
  }
}

}  // namespace

std::string bridge_command(const Wiring& wiring, const EventRow& event) {
  const Dialect& dialect = *wiring.adapter->dialect;
  const bool blocks = wiring.on_missing == OnMissing::Block && is_tool_call(event.kind);
  const std::string remark = missing_remark(wiring, blocks);
  // To block, the exit code is enough. Otherwise the remark is written in the form in which the agent shows it to
  // people.
  const WireAnswer told =
      blocks ? WireAnswer{.exit_code = wiring.adapter->block_exit} : write_own_error(remark, dialect);
  // Without an answer in the agent's own form, the remark goes to standard error.
  const std::string said = told.out.empty() ? quote_word(remark) + " >&2" : quote_word(text::trim(told.out));
  const std::string name = names_event(dialect) ? "" : " " + std::string(spelling_of(dialect, event));
  const std::string program = is_shared(wiring) ? wiring.program : quote_word(wiring.program);
  const std::string is_there =
      is_shared(wiring) ? "command -v " + program + " >/dev/null 2>&1" : "[ -x " + program + " ]";
  return is_there + " && exec " + program + std::string(kBridgeWords) + std::string(wiring.adapter->agent) + name +
         "; echo " + said + "; exit " + std::to_string(told.exit_code);
}

Json bridge_entry(const Wiring& wiring, const EventRow& event) {
  std::vector<std::pair<std::string, Json>> members;
  for (const HookKeyRow& row : wiring.adapter->dialect->entries.hook_keys) {
    // Some dialects accept several keys for one meaning. Only the preferred one is written.
    if (wiring.adapter->dialect->key_of(row.meaning) != row.key) continue;
    members.emplace_back(row.key, value_of(row.meaning, wiring, event));
  }
  return Json::object(members);
}

std::string unusable_program(const Wiring& wiring) {
  const std::string& path = wiring.program;
  if (is_shared(wiring)) return "";
  if (!path.starts_with('/')) return "its path is not absolute";
  // Control characters could break the line that the entry consists of.
  const bool is_odd = std::ranges::any_of(path, [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (is_odd) return "its path contains control characters";
  if (!path.contains("grapnel"))
    return "its path does not contain 'grapnel', so its entries could not be recognised later";
  if (wiring.adapter->dialect->files.expand_environment && path.contains('$')) {
    return "this agent would read the '$' in its path as a variable";
  }
  return "";
}

int64_t entry_timeout(const Adapter& adapter, EventKind kind) {
  const auto own = std::ranges::find(adapter.event_timeouts, kind, &EventTimeout::kind);
  const auto timeout = own == adapter.event_timeouts.end() ? adapter.timeout : own->timeout;
  return std::min(timeout, adapter.dialect->timeouts.max) / adapter.dialect->timeouts.unit;
}

bool is_bridge_entry(const Json& entry, const Dialect& dialect) {
  return !bridged_agent(entry[dialect.key_of(HookKey::Command)].as_string().value_or("")).empty();
}

}  // namespace grapnel
