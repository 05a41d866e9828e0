#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "config/layers.h"
#include "config/settings_file.h"

// A settings file. Every problem and every hook has a place inside the text, and what loads can be layered.

namespace {

using namespace grapnel;

/// A position names a line of the text and a byte of that line, or the end of it.
bool is_inside(const SourcePos& at, std::string_view content) {
  const auto lines = text::split(content, '\n');
  return at.line >= 1 && at.line <= lines.size() && at.column >= 1 && at.column <= lines[at.line - 1].size() + 1;
}

void check_file(const std::string& content, const Dialect& dialect) {
  const SettingsFile file = read_settings(content, {&dialect, Scope::User, "settings.json"});
  for (const Problem& problem : file.problems) {
    GRAPNEL_CHECK(is_inside(problem.at, content));
    GRAPNEL_CHECK(!problem.message.empty());
  }
  for (const ParsedHook& hook : file.hooks) {
    GRAPNEL_CHECK(is_inside(hook.spec.source, content));
    GRAPNEL_CHECK(hook.spec.events.any() && hook.spec.command() != nullptr);
  }
  const std::vector<HookSpec> hooks = layer_files({file, file}, {});
  GRAPNEL_CHECK(hooks.size() <= 2 * file.hooks.size());
  GRAPNEL_CHECK(std::ranges::all_of(hooks, [](const HookSpec& hook) { return hook.timeout.count() > 0; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  for (const Dialect* dialect : all_dialects()) {
    if (!dialect->hook_keys.empty()) check_file(content, *dialect);
  }
  if (const auto root = Json::parse(content, {.comments = true})) detect_dialect(*root);
  return 0;
}
