#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "grapnel/engine.h"

#include "cli/console.h"
#include "cli/local_time.h"
#include "engine/info_json.h"

/// Shows hooks as text, in the same way in every verb. Their JSON is made by engine/info_json.h.
namespace grapnel::cli {

/// `5 s`, `1.5 s`, `250 ms`, `10 min`.
std::string duration_text(std::chrono::milliseconds duration);

/// `file:line:column`, short; "" when there is no file.
std::string place_text(const SourcePos& at);

/// `PreToolUse, PostToolUse`.
std::string events_text(const HookInfo& hook);
/// The label in front of the action: `runs`, `answers`, `worker`, `http`, `prompt`, `agent`.
std::string action_label(const HookInfo& hook);
/// What the hook does, with its timeout unless it is a rule.
std::string action_text(const HookInfo& hook);

/// `1 hook`, `2 hooks`.
std::string count_text(size_t count, std::string_view noun);

/// The colour of a verdict: red for deny, yellow for ask, green for allow; none for anything else.
std::optional<Style> verdict_style(std::string_view verdict);

/// The event of that name, which is canonical or from any dialect. The error suggests the nearest name.
Result<EventKind> find_event(std::string_view name);

}  // namespace grapnel::cli
