#include "cli/journal/configured_hook.h"

#include <array>

#include "cli/journal/journal_verbs.h"

namespace grapnel::cli {

namespace {

/// Where files of all dialects say which events of a kind a hook is for.
constexpr auto kConditions = std::to_array<const char*>({"matcher", "if", "when"});

}  // namespace

Json find_configured(const Json& registry, std::string_view name) {
  for (const Json& hook : registry["hooks"].elements()) {
    if (hook["name"].equals_string(name)) return hook;
  }
  return {};
}

bool listens_to(const Json& hook, std::string_view event) {
  for (const Json& name : hook["events"].elements()) {
    if (name.equals_string(event)) return true;
  }
  return false;
}

std::string matcher_text(const Json& hook) {
  std::string out;
  for (const char* key : kConditions) {
    const Json condition = hook["definition"][key];
    if (!condition || condition.is_null()) continue;
    const std::string text = condition.as_string().value_or(condition.dump(JsonStyle::Spaced));
    if (!text.empty()) out += (out.empty() ? "" : ", ") + std::string(key) + " " + text;
  }
  return out;
}

std::string absence_text(const Json& hook, std::string_view event, std::string_view tool) {
  if (hook["enabled"].as_bool() == false) return "disabled";
  if (!listens_to(hook, event)) return "other event";
  if (hook["untrusted"].as_bool() == true) return "untrusted";
  const std::string matcher = matcher_text(hook);
  std::string out = "no match";
  if (!matcher.empty()) out += ": it is for " + matcher;
  if (!tool.empty()) out += ", the tool was " + std::string(tool);
  return out;
}

}  // namespace grapnel::cli
