#include <cstdint>
#include <memory>
#include <string>

#include "grapnel/engine.h"

#include "base/error.h"
#include "base/text.h"
#include "dialect/dialect.h"
#include "dialect/payload.h"

// Input: an agent's payload. Whatever it contains, it becomes an event or an error. An event can be read field by
// field, planned without running anything, and written as one JSON object for hooks of every dialect.

namespace {

using namespace grapnel;

constexpr const char* kGeminiHooks = R"json({"hooks": {
  "BeforeTool": [{"matcher": "write_.*|replace", "hooks": [{"type": "command", "command": "true"}]}],
  "AfterTool": [{"matcher": "mcp_(?!safe)", "hooks": [{"type": "command", "command": "true"}]}],
  "SessionStart": [{"matcher": "resume", "hooks": [{"type": "command", "command": "true"}]}],
  "AfterAgent": [{"hooks": [{"type": "command", "command": "true"}]}]}})json";
constexpr const char* kClawdHooks = R"json({"hooks": {"enabled": true,
  "PreToolUse": [{"matcher": {"tools": "Bash|Write", "paths": "**/*.{ts,js}", "commands": "rm .*"},
                  "hooks": [{"type": "command", "command": "true"}]}],
  "PostToolUse": [{"matcher": {"paths": "!src/**"}, "hooks": [{"type": "command", "command": "true"}]}],
  "Compaction": [{"hooks": [{"type": "command", "command": "true"}]}]}})json";

std::unique_ptr<Engine> make_engine() {
  EngineOptions options;
  options.discovery.use_hook_files = false;
  options.env.emplace();
  options.configs = {{"gemini", "", Json::parse(kGeminiHooks).value()},
                     {"clawd", "", Json::parse(kClawdHooks).value()}};
  auto engine = Engine::create(std::move(options));
  GRAPNEL_CHECK(engine->problems().empty());
  return engine;
}

void check_payload(const Event& event, const Dialect& to) {
  const Supplements supplements = [](Field field) -> Supplement {
    if (field == Field::BlockCount) return int64_t{1};
    return {};
  };
  const std::string payload = payload_for(event, to, supplements);
  const auto read = Json::parse(payload, {.max_depth = 300});
  GRAPNEL_CHECK(read && read->is_object());
}

void check_event(const Engine& engine, const Event& event) {
  for (size_t i = 0; i < kFieldCount; ++i) {
    const auto field = static_cast<Field>(i);
    GRAPNEL_CHECK(text::is_valid_utf8(event.text(field)));
    const Json value = event.get(field);
    if (value) GRAPNEL_CHECK(Json::parse(value.dump()).has_value());
  }
  for (const Dialect* to : all_dialects()) check_payload(event, *to);
  for (const HookExplanation& share : engine.explain(event)) GRAPNEL_CHECK(share.runs == (share.stage > 0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::unique_ptr<Engine> engine = make_engine();
  const auto payload = Json::parse(std::string(reinterpret_cast<const char*>(data), size));
  if (!payload) return 0;
  for (const Dialect* dialect : all_dialects()) {
    const auto event = Event::from_native(dialect->name, *payload);
    if (event) check_event(*engine, *event);
  }
  return 0;
}
