#pragma once

#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "cli/hooktest/fixture.h"

/// Compares the outcome of an event with what a test expects. The kind of an expectation decides how:
///
///   word, flag, value   must be equal
///   text                must be contained; `/…/` is a regular expression that must be found; of a list all must hold
///   fate                `ran`, or `skipped(untrusted)` with a text about the detail
///
/// Null expects that there is nothing: no reason, no context, no such hook.
namespace grapnel::cli {

/// The outcome of one event.
struct Outcome {
  Decision decision;
  std::vector<HookExplanation> shares;  ///< one for every configured hook, planned or not
  Json tool_input;
};

/// The name of the expectation about a hook: `hooks.NAME`.
std::string fate_expectation(std::string_view hook);

/// Why this value cannot be expected under this name, or "".
std::string unusable_expectation(std::string_view name, const Json& want);

/// The actual value for a name; null when there is none.
Json actual_value(std::string_view name, const Outcome& outcome);

/// What people should know when a value is not the expected one, or "": a hook that only observes decides nothing.
std::string note_about(std::string_view name, const Outcome& outcome);

/// Whether the expectation holds.
bool holds(std::string_view name, const Json& want, const Json& got);

/// An expectation that holds for `got` and is no stricter than the old one. If `old` is missing, it is as strict as is
/// useful.
Json expectation_for(std::string_view name, const Json& old, const Json& got);

/// Useful expectations for an event that has none yet; `grapnel test --update` writes them.
std::vector<std::pair<std::string, Json>> worth_expecting(const Outcome& outcome);

}  // namespace grapnel::cli
