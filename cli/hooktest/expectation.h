#pragma once

#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "cli/hooktest/fixture.h"

/// What became of an event, by the names that expectations have, and whether these hold.
///
///   word, flag, value   the same
///   text                a part of it; `/…/`: a regular expression found in it; a list: every one of these; null:
///   nothing fate                `ran`, or `skipped(untrusted)` with a text about the detail; null: no such hook
namespace grapnel::cli {

/// What became of one event.
struct Outcome {
  Decision decision;
  std::vector<HookExplanation> shares;  ///< of every configured hook, planned or not
  Json tool_input;
};

/// `hooks.NAME`.
std::string fate_expectation(std::string_view hook);

/// Why such a thing cannot be expected, or "".
std::string unusable_expectation(std::string_view name, const Json& want);

/// What really became of it; null when nothing did.
Json actual_value(std::string_view name, const Outcome& outcome);

bool holds(std::string_view name, const Json& want, const Json& got);

/// An expectation that holds for `got`, no more exact than the old one was (missing: as exact as is useful).
Json expectation_for(std::string_view name, const Json& old, const Json& got);

/// What is worth expecting of an event nobody expects anything of.
std::vector<std::pair<std::string, Json>> worth_expecting(const Outcome& outcome);

}  // namespace grapnel::cli
