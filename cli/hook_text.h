#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "grapnel/engine.h"

#include "cli/console.h"

/// Hooks in words and in JSON, the same in every verb.
namespace grapnel::cli {

/// `5 s`, `1.5 s`, `250 ms`, `10 min`.
std::string duration_text(std::chrono::milliseconds duration);

/// `file:line:column`, short; "" when there is no file.
std::string place_text(const SourcePos& at);

/// `PreToolUse, PostToolUse`.
std::string events_text(const HookInfo& hook);
/// What its action is called: `runs`, `answers`, `worker`, `http`, `prompt`, `agent`.
std::string action_label(const HookInfo& hook);
/// What it does, and for how long where it takes time.
std::string action_text(const HookInfo& hook);

/// `1 hook`, `2 hooks`.
/// `2026-01-31 10:30:05`, from a record's time.
std::string time_text(std::string_view time);

std::string count_text(size_t count, std::string_view noun);

Json to_json(const SourcePos& at);
Json to_json(const HookInfo& hook);

/// The kind an event's name stands for, canonically or in any dialect. The error suggests the nearest name.
Result<EventKind> find_event(std::string_view name);

}  // namespace grapnel::cli
