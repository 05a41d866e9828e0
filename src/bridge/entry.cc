#include "bridge/entry.h"

#include <algorithm>

#include "base/shell_word.h"
#include "base/text.h"
#include "dialect/answer.h"
#include "discover/find/bridge_entry.h"

namespace grapnel {

namespace {

/// Whether payloads of the agent say which event they are.
bool names_event(const Dialect& dialect) {
  return std::ranges::find(dialect.payload.common_inputs, Field::EventName, &FieldRow::field) !=
         dialect.payload.common_inputs.end();
}

bool is_tool_call(EventKind kind) {
  return kind == EventKind::PreToolUse || kind == EventKind::PermissionRequest;
}

std::string_view command_word(const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.entries.handler_types, HandlerType::Command, &HandlerTypeRow::type);
  return found == dialect.entries.handler_types.end() ? std::string_view{} : found->word;
}

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
  const std::string program = quote_word(wiring.program);
  const std::string remark = "grapnel: " + wiring.program +
                             (blocks ? " is gone, so tool calls are blocked" : " is gone, so no hook ran") +
                             "; put it back, or take this entry out of the settings";
  const WireAnswer told =
      blocks ? WireAnswer{.exit_code = wiring.adapter->block_exit} : write_own_error(remark, dialect);
  const std::string said = told.out.empty() ? quote_word(remark) + " >&2" : quote_word(text::trim(told.out));
  const std::string name = names_event(dialect) ? "" : " " + std::string(spelling_of(dialect, event));
  return "[ -x " + program + " ] && exec " + program + std::string(kBridgeWords) + std::string(wiring.adapter->agent) +
         name + "; echo " + said + "; exit " + std::to_string(told.exit_code);
}

Json bridge_entry(const Wiring& wiring, const EventRow& event) {
  std::vector<std::pair<std::string, Json>> members;
  for (const HookKeyRow& row : wiring.adapter->dialect->entries.hook_keys) {
    if (wiring.adapter->dialect->key_of(row.meaning) != row.key) continue;
    members.emplace_back(row.key, value_of(row.meaning, wiring, event));
  }
  return Json::object(members);
}

std::string unusable_program(const Wiring& wiring) {
  const std::string& path = wiring.program;
  if (!path.starts_with('/')) return "it is no absolute path";
  const bool is_odd = std::ranges::any_of(path, [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (is_odd) return "its path has control characters";
  if (!path.contains("grapnel")) return "it is not called grapnel, so the entries could not be told from others";
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
