#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "discover/find/layers.h"
#include "discover/formats/settings_file.h"

// Properties of every settings file, whatever it contains: each problem and each hook has a place inside the text, and
// a file that loads can be layered with others.

namespace grapnel::fuzz {

/// A position names a line of the text and a byte of that line, or the end of it.
inline bool is_inside(const SourcePos& at, std::string_view content) {
  const auto lines = text::split(content, '\n');
  return at.line >= 1 && at.line <= lines.size() && at.column >= 1 && at.column <= lines[at.line - 1].size() + 1;
}

inline void check_settings(const std::string& content, const Dialect& dialect, PlaceFormat format) {
  const SettingsFile file = read_settings(content, {&dialect, Scope::User, "settings", format});
  for (const ConfigProblem& problem : file.problems) {
    GRAPNEL_CHECK(is_inside(problem.at, content));
    GRAPNEL_CHECK(!problem.message.empty());
  }
  for (const ParsedHook& hook : file.hooks) {
    GRAPNEL_CHECK(is_inside(hook.spec.source, content));
    GRAPNEL_CHECK(hook.spec.events.any() != !hook.spec.unsupported_event.empty());
  }
  const std::vector<HookSpec> hooks = layer_files({file, file}, {});
  GRAPNEL_CHECK(hooks.size() <= 2 * file.hooks.size());
  GRAPNEL_CHECK(std::ranges::all_of(hooks, [](const HookSpec& hook) { return hook.timeout.count() > 0; }));
}

/// Reads the text with every dialect that has such files.
inline void check_settings(const std::string& content, PlaceFormat format) {
  for (const Dialect* dialect : all_dialects()) {
    if (!dialect->entries.hook_keys.empty()) check_settings(content, *dialect, format);
  }
  if (const auto root = parse_settings(content, format)) detect_dialect(*root);
}

}  // namespace grapnel::fuzz
